import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

interface RadioFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Signal<Value>;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
}

/** A choice of one of a few values, all of them in sight. */
export function RadioField<Value extends string>({ label, value, choices }: RadioFieldProps<Value>): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} class="check">
          <input type="radio" name={name} checked={value.value === choice.value} onChange={() => (value.value = choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
