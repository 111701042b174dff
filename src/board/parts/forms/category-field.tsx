import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useCall } from '../../state/live/loaded.js';
import type { RefusalError } from '../../state/server/refusal.js';
import { inertText } from '../text.js';
import { SelectField } from './select-field.js';

/** A choice of a form; that of a category has its id as the value. */
export interface CategoryChoice {
  readonly value: string;
  readonly label: string;
}

/** The choice of a category. */
export function categoryChoice({ id, name }: { readonly id: number; readonly name: string }): CategoryChoice {
  return { value: String(id), label: inertText(name) };
}

const mostCategories = 500;

/** The categories of the shop by name, at most 500; none before they are read. */
export function useCategoryChoices(): readonly CategoryChoice[] {
  const { value } = useCall('listCategories', { sort: 'name', limit: mostCategories });
  return (value?.items ?? []).map(categoryChoice);
}

interface CategoryFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: Signal<string>;
  /** What is offered besides the categories of the shop. */
  readonly others: readonly CategoryChoice[];
  readonly refusal: RefusalError | undefined;
}

/** The choice of a category of the shop. */
export function CategoryField({ others, ...field }: CategoryFieldProps): JSX.Element {
  const known = useCategoryChoices();
  const choices = [...others.filter(({ value }) => known.every((one) => one.value !== value)), ...known];
  const first = choices[0]?.value;
  // A select shows its first choice where none is chosen.
  useEffect(() => {
    if (field.value.peek() === '' && first !== undefined) field.value.value = first;
  }, [first]);
  return <SelectField {...field} choices={choices} />;
}
