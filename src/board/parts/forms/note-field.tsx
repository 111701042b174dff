import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { RefusalError } from '../../state/server/refusal.js';
import { Field } from './field.js';

interface NoteFieldProps {
  readonly value: Signal<string>;
  readonly refusal: RefusalError | undefined;
  readonly isFirst?: boolean;
}

/** The note of a change, for the ledger. Its name for `fields` of the form is `note`. */
export function NoteField(props: NoteFieldProps): JSX.Element {
  return <Field label="Note (optional)" name="note" {...props} />;
}
