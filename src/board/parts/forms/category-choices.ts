import { useCall } from '../../state/live/loaded.js';
import { inertText } from '../text.js';

/** A category as a choice; its value is the id. */
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
