import { field, optional, requestRecord, record } from '../values/schemas.js';
import { pathId, idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { versionFields } from '../values/version.js';
import { nameText, noteText } from '../values/text.js';
import { patchFields, type FieldValues } from '../values/fields.js';
import * as v from 'valibot';

/** The fields of a category that requests set and tables store. */
export const categoryFields = {
  name: field(nameText, 'Category name, for example a kind of animal.'),
  description: optional(noteText, 'Short description of the category.'),
};

/** The values of `categoryFields`. */
export type CategoryFields = FieldValues<typeof categoryFields>;

/** The specification's NewCategory. */
export const newCategory = requestRecord('NewCategory', 'A category to create, or the new content of one.', categoryFields);

/** The specification's Category. */
export const category = record('Category', 'A kind of animal.', { id: field(idNumber, 'Unique identifier assigned on creation.'), ...categoryFields });

/** The fields of a category to change; null removes the description. */
export const categoryPatch = requestRecord(
  'CategoryPatch',
  'The fields of a category to change (JSON merge patch); the others stay as they are. A `description` of null removes it.',
  patchFields(categoryFields),
);

/** The id of a category in a path. */
export const categoryIdParameter = pathId('category', 1);

/** The specification's Category. */
export type Category = v.InferOutput<typeof category>;

/** The request in the examples of the OpenAPI document. */
export const exampleNewCategory: Required<CategoryFields> = { name: 'Dogs', description: 'All breeds' };

/** The category in the examples of the OpenAPI document. */
export const exampleCategory: Category = { id: 1, ...exampleNewCategory };

/** A category with the number of its pets. */
export const completeCategory = record('CompleteCategory', 'A category with the number of its pets.', {
  ...category.entries,
  pets: field(wholeNumber, 'Number of pets of the category.'),
  ...versionFields,
});

/** A category with the number of its pets. */
export type CategoryRow = v.InferOutput<typeof completeCategory>;
