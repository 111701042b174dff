import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { localMessage } from '../time.js';
import { sentenceOf, type RefusalError } from '../../state/server/refusal.js';
import { inertText } from '../text.js';

/** The attributes of an input of each type. */
const kinds = {
  text: { type: 'text' },
  code: { type: 'text' },
  password: { type: 'password' },
  // Not of type number: such an input drops a text that is not a number, which the refusal of the shop explains.
  number: { type: 'text', inputMode: 'numeric' },
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
  readonly onFocus?: () => void;
  /** What Enter does in place of the form. */
  readonly onEnter?: () => void;
}

/** Ids of the texts that describe a field, for `aria-describedby`. */
function describedBy(...ids: readonly (string | false | undefined)[]): string | undefined {
  return ids.filter((id) => typeof id === 'string').join(' ') || undefined;
}

/** The most characters that can be typed: more than any field takes, so that the shop refuses what is too long, but few enough for a request header. */
export const maximumTyped = 1000;

/** The attributes that connect a control with its label and texts. */
interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly autoComplete: 'off';
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
}

/** Shows a refusal that appeared outside of what is seen, such as in a long dialog on a phone. */
const scrollIntoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

interface FrameProps extends Pick<FieldProps, 'label' | 'name' | 'refusal' | 'hint'> {
  readonly id: string;
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
}

/** The frame of every control: its label, its hint, and the refusal that concerns it. */
export function FieldFrame({ id, label, name, refusal, hint, children }: FrameProps): JSX.Element {
  const refused = refusal?.field === name ? refusal : undefined;
  const description = describedBy(hint !== undefined && `${id}-hint`, refused && `${id}-refusal`);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, autoComplete: 'off', 'aria-invalid': refused !== undefined, 'aria-describedby': description })}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {refused && (
        <p ref={scrollIntoView} id={`${id}-refusal`} class="refusal" role="alert">
          {inertText(localMessage(sentenceOf(refused)))}
        </p>
      )}
    </div>
  );
}

/** A field with its label, and the refusal that concerns it. What was typed stays in `value`, whatever the shop answers. */
export function Field({ value, type = 'text', isRequired = false, isFirst = false, onFocus, onEnter, ...frame }: FieldProps): JSX.Element {
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || onEnter === undefined) return;
    event.preventDefault();
    onEnter();
  };
  return (
    <FieldFrame id={useId()} {...frame}>
      {(attributes) => (
        <input
          {...attributes}
          {...kinds[type]}
          maxLength={maximumTyped}
          required={isRequired}
          autoFocus={isFirst}
          value={value.value}
          onFocus={(event) => {
            event.currentTarget.select();
            onFocus?.();
          }}
          onKeyDown={press}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

/** The number in a text that was typed; NaN, which the shop refuses, for another text. */
export function numberIn(text: string): number {
  // Not what else is a number to a program, such as 1e2.
  return /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** What was typed into a field that may be left empty. */
export function given(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

/** A choice that is on or off. */
export function CheckboxField({ label, value }: { readonly label: string; readonly value: Signal<boolean> }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value.value} onChange={(event) => (value.value = event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** Accepts that fewer units are on hand than are reserved. It is asked only after a change was refused for that. */
export function AllowShortage({ value, refusal }: { readonly value: Signal<boolean>; readonly refusal: RefusalError | undefined }): JSX.Element | null {
  if (refusal?.code !== 'stock_reserved' && !value.value) return null;
  return <CheckboxField label="Accept fewer units than are reserved" value={value} />;
}

/** Those of the new values of a record whose fields were edited, undefined where none was; `before` and `typed` are what the fields showed and show. */
export function editedValues<Values extends object>(
  values: Values,
  before: Readonly<Record<keyof Values, unknown>>,
  typed: Readonly<Record<keyof Values, unknown>>,
): Partial<Values> | undefined {
  const edited = Object.entries(values).filter(([name]) => typed[name as keyof Values] !== before[name as keyof Values]);
  return edited.length === 0 ? undefined : (Object.fromEntries(edited) as Partial<Values>);
}
