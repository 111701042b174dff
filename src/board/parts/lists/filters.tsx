import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { after } from '../../state/clock.js';
import { go, hrefWith, pageAddress, queryValue, type Query } from '../../state/router.js';
import { maximumTyped } from '../forms/field.js';

/** Changes parameters of the address. */
export function change(query: Query): void {
  go(hrefWith(query), { isReplacing: true });
}

const set = (name: string, value: string): void => change({ [name]: value });

const pauseMs = 200;

/** Whether the focus goes from a search to the first row as soon as the list shows what was searched. */
export const isLeavingSearch = signal(false);

interface TextFilterProps {
  readonly label: string;
  /** The parameter of the address. */
  readonly name: string;
  /** Whether it is the search of its screen. */
  readonly isSearch?: boolean;
}

/** A text that is kept in the address. */
export function TextFilter({ label, name, isSearch = false }: TextFilterProps): JSX.Element {
  const id = useId();
  const cancel = useRef((): void => undefined);
  const field = useRef<HTMLInputElement>(null);
  const asked = queryValue(name) ?? '';
  // Another address, such as by the Back button, changes the field, but never while somebody types in it.
  useEffect(() => {
    if (field.current && field.current !== document.activeElement) field.current.value = asked;
  }, [asked]);
  useEffect(() => () => cancel.current(), []);
  const search = (text: string): void => {
    cancel.current();
    isLeavingSearch.value = false;
    const { path } = pageAddress.value;
    cancel.current = after(pauseMs, () => {
      // Another screen may have been opened that is not drawn yet.
      if (pageAddress.value.path === path) set(name, text.trim());
    });
  };
  const press = (event: KeyboardEvent & { readonly currentTarget: HTMLInputElement }): void => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    cancel.current();
    // A scanner sends Return right after the text.
    const text = event.currentTarget.value.trim();
    if (text !== asked) set(name, text);
    isLeavingSearch.value = true;
  };
  return (
    <div class={isSearch ? 'filter search' : 'filter'}>
      <label for={id}>{label}</label>
      <input
        ref={field}
        id={id}
        type="search"
        autoComplete="off"
        spellcheck={false}
        maxLength={maximumTyped}
        data-search={isSearch || undefined}
        defaultValue={asked}
        onKeyDown={press}
        onInput={(event) => search(event.currentTarget.value)}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  /** The parameter of the address. */
  readonly name: string;
  /** Where more than one parameter changes. */
  readonly onChoose?: (value: string) => void;
}

/** A choice of one value, which is kept in the address. */
export function Choice({ label, choices, value, name, onChoose = (chosen) => set(name, chosen) }: ChoiceProps): JSX.Element {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A choice of one value, or of all. */
export function SelectFilter({ choices, name, ...choice }: Pick<ChoiceProps, 'label' | 'name' | 'choices'>): JSX.Element {
  return <Choice {...choice} name={name} value={queryValue(name) ?? ''} choices={[{ value: '', label: 'All' }, ...choices]} />;
}

/** A day; without one, the present. */
export function DayFilter({ label, name, max }: { readonly label: string; readonly name: string; readonly max?: string }): JSX.Element {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input id={id} type="date" max={max} value={queryValue(name) ?? ''} onChange={(event) => set(name, event.currentTarget.value)} />
    </div>
  );
}

/** A box that turns a filter on or off. */
export function CheckFilter({ label, name }: { readonly label: string; readonly name: string }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={queryValue(name) === 'true'} onChange={(event) => set(name, event.currentTarget.checked ? 'true' : '')} />
      <span>{label}</span>
    </label>
  );
}

interface TogglesProps {
  readonly label: string;
  /** The parameter of the address. */
  readonly name: string;
  readonly choices: readonly { readonly value?: string | undefined; readonly label: string }[];
}

/** Links for the values of a parameter of the address, of which one is chosen; the first where the address has another value or none. */
export function Toggles({ label, name, choices }: TogglesProps): JSX.Element {
  const chosen = choices.find(({ value }) => value === queryValue(name)) ?? choices[0];
  return (
    <ul class="toggles" aria-label={label}>
      {choices.map((choice) => (
        <li key={choice.label}>
          <a class="toggle" aria-current={choice === chosen} href={hrefWith({ [name]: choice.value })}>
            {choice.label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The filters of a list. On a phone only the search is shown until somebody opens the others. */
export function Filters({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <form class="filters" role="search" data-open={isOpen.value} onSubmit={(event) => event.preventDefault()}>
      <button type="button" class="filters-open" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        Filters
      </button>
      {children}
    </form>
  );
}
