import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { sentenceOf, type RefusalError } from '../state/refusal.js';

/** The attributes of an input of each type. */
const kinds = {
  text: { type: 'text' },
  password: { type: 'password' },
  // Not of type number: the shop says in its own words what is no number, and what was typed is kept.
  number: { type: 'text', inputMode: 'numeric' },
  date: { type: 'date' },
  'datetime-local': { type: 'datetime-local' },
} as const;

interface FieldProps {
  readonly label: string;
  /** The name of the field in the refusals of the shop, such as `quantity`. */
  readonly name: string;
  readonly value: Signal<string>;
  readonly refusal?: RefusalError | undefined;
  readonly hint?: ComponentChildren;
  readonly type?: keyof typeof kinds;
  readonly isRequired?: boolean;
  readonly isFirst?: boolean;
}

/** Ids of the texts that describe a field, for `aria-describedby`. */
function describedBy(...ids: readonly (string | false | undefined)[]): string | undefined {
  const given = ids.filter((id) => typeof id === 'string');
  return given.length > 0 ? given.join(' ') : undefined;
}

/** A field with its label, and the refusal that concerns it. What was typed stays in `value`, whatever the shop answers. */
export function Field({ label, name, value, refusal, hint, type = 'text', isRequired = false, isFirst = false }: FieldProps): JSX.Element {
  const id = useId();
  const refused = refusal?.field === name ? refusal : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        {...kinds[type]}
        required={isRequired}
        autoComplete="off"
        autoFocus={isFirst}
        value={value.value}
        aria-invalid={refused !== undefined}
        aria-describedby={describedBy(hint !== undefined && `${id}-hint`, refused && `${id}-refusal`)}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {refused && (
        <p id={`${id}-refusal`} class="refusal" role="alert">
          {sentenceOf(refused)}
        </p>
      )}
    </div>
  );
}

/** The number that was typed; NaN, which the shop refuses in its own words, where it is none. */
export function typedNumber(value: Signal<string>): number {
  const text = value.value.trim();
  return text === '' ? Number.NaN : Number(text);
}

/** A choice that is on or off. */
export function Check({ label, value, hint }: { readonly label: string; readonly value: Signal<boolean>; readonly hint?: string }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value.value} onChange={(event) => (value.value = event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}
