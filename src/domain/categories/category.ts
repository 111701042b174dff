import { field, optional, requestRecord, record, nullish } from '../values/schemas.js';
import { pathId, idNumber } from '../values/ids.js';
import type { Versioned } from '../values/version.js';
import { nameText, noteText } from '../values/text.js';
import * as v from 'valibot';

/** The fields that a category and a new category share. */
export const categoryFields = {
  name: field(nameText, 'Category name, for example a kind of animal.'),
  description: optional(noteText, 'Short description of the category.'),
};

/** The specification's NewCategory. */
export const newCategory = requestRecord('NewCategory', 'A category to create, or what replaces one.', categoryFields);

/** The specification's Category. */
export const category = record('Category', 'A kind of animal.', { id: field(idNumber, 'Unique identifier assigned on creation.'), ...categoryFields });

/** The fields of a category to change; null removes the description. */
export const categoryPatch = requestRecord(
  'CategoryPatch',
  'The fields of a category to change (JSON merge patch); the others stay as they are. A `description` of null removes it.',
  { name: v.optional(categoryFields.name), description: nullish(noteText, 'Short description of the category.') },
);

/** The id of a category in a path. */
export const categoryIdParameter = pathId('category', 1);

/** The specification's Category. */
export type Category = v.InferOutput<typeof category>;

/** The category of the document's examples. */
export const exampleCategory: Category = { id: 1, name: 'Dogs', description: 'All breeds' };

/** A category as people read it: the contract's record and how many live pets are in it. */
export interface CategoryRow extends Category, Versioned {
  readonly pets: number;
}

/** The name in a text that people give for a category: anything but digits, or what stands behind `name:`. */
export function categoryName(text: string): string | undefined {
  if (text.startsWith('name:')) return text.slice('name:'.length);
  return /^[0-9]+$/.test(text) ? undefined : text;
}

/** A category's name as `categoryName` gives it back: one that could be taken for an id stands behind `name:`. */
export function categoryText(name: string): string {
  return categoryName(name) === name ? name : `name:${name}`;
}
