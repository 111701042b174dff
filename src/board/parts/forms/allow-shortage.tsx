import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { RefusalError } from '../../state/server/refusal.js';
import { CheckboxField } from './field.js';

interface AllowShortageProps {
  readonly value: Signal<boolean>;
  readonly refusal: RefusalError | undefined;
}

/** Accepts that fewer units are on hand than are reserved. It is asked only after a change was refused for that. */
export function AllowShortage({ value, refusal }: AllowShortageProps): JSX.Element | null {
  if (refusal?.code !== 'stock_reserved' && !value.value) return null;
  return <CheckboxField label="Accept fewer units than are reserved" value={value} />;
}
