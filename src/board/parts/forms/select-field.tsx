import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { RefusalError } from '../../state/server/refusal.js';
import { FieldFrame } from './field.js';

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly name: string;
  readonly value: Signal<Value>;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly refusal?: RefusalError | undefined;
}

/** A field with a choice of one of many values. Without choices, as before they are read, the form cannot be sent. */
export function SelectField<Value extends string>({ label, name, value, choices, refusal }: SelectFieldProps<Value>): JSX.Element {
  return (
    <FieldFrame id={useId()} label={label} name={name} refusal={refusal}>
      {(attributes) => (
        <select
          {...attributes}
          required={choices.length === 0}
          value={value.value}
          onChange={({ currentTarget }) => (value.value = choices[currentTarget.selectedIndex]?.value ?? value.value)}
        >
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
