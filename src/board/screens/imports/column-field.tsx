import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { FieldFrame } from '../../parts/forms/field.js';
import { inertText } from '../../parts/text.js';
import type { RefusalError } from '../../state/server/refusal.js';
import type { ChosenColumn } from './file-columns.js';

interface ColumnFieldProps {
  readonly label: string;
  readonly name: string;
  /** What a column can hold: the column of the shop, and what it is called. */
  readonly meanings: readonly { readonly ours: string; readonly label: string }[];
  /** The columns of the file. */
  readonly columns: readonly string[];
  readonly value: Signal<ChosenColumn | undefined>;
  readonly refusal: RefusalError | undefined;
}

/** Chooses a column of the file, and what it holds. Without a choice, the column of that name in the shop counts. */
export function ColumnField({ label, name, meanings, columns, value, refusal }: ColumnFieldProps): JSX.Element {
  const choices = meanings.flatMap(({ ours }) => columns.map((theirs): ChosenColumn => ({ ours, theirs })));
  const index = choices.findIndex(({ ours, theirs }) => ours === value.value?.ours && theirs === value.value.theirs);
  return (
    <FieldFrame id={useId()} label={label} name={name} refusal={refusal}>
      {(attributes) => (
        <select {...attributes} value={index} onChange={({ currentTarget }) => (value.value = choices[Number(currentTarget.value)])}>
          <option value={-1}>named {meanings.map(({ ours }) => ours).join(' or ')}</option>
          {meanings.map(({ ours, label: meaning }, group) => (
            <optgroup key={ours} label={meaning}>
              {columns.map((theirs, column) => (
                <option key={theirs} value={group * columns.length + column}>
                  {inertText(theirs)}: {meaning}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
