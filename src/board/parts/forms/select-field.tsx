import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { RefusalError } from '../../state/server/refusal.js';
import { FieldFrame } from './field.js';

interface SelectFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: Signal<string>;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly refusal?: RefusalError | undefined;
}

/** A field with a choice of one of many values. */
export function SelectField({ label, name, value, choices, refusal }: SelectFieldProps): JSX.Element {
  return (
    <FieldFrame id={useId()} label={label} name={name} refusal={refusal}>
      {(attributes) => (
        <select {...attributes} value={value.value} onChange={(event) => (value.value = event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
