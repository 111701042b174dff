import * as v from 'valibot';
import { idNumber } from '../values/ids.js';
import type { Versioned } from '../values/version.js';
import { nameText, noteText } from '../values/text.js';

/** The fields that a category and a new category share. */
export const categoryFields = { name: nameText, description: v.optional(noteText) };

/** The specification's NewCategory. */
export const newCategory = v.strictObject(categoryFields);

/** The specification's Category. */
export const category = v.object({ id: idNumber, ...categoryFields });

/** The specification's Category. */
export type Category = v.InferOutput<typeof category>;

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
