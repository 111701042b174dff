import { withNotes, field, optional, requestRecord, record, trueOrFalse } from '../values/schemas.js';
import { pathId, idNumber, idOf } from '../values/ids.js';
import { invalidField } from '../errors.js';
import { wholeNumber } from '../values/numbers.js';
import { versionFields } from '../values/version.js';
import { petStatus, type PetStatus } from './pet-status.js';
import { nameText } from '../values/text.js';
import { patchFields, type FieldValues } from '../values/fields.js';
import * as v from 'valibot';

/** The fields of a pet that requests set and tables store: `create`, `update`, `replace`, imports and columns take them from here. */
export const petFields = {
  name: field(nameText, "The animal's name, 1 to 100 characters after trimming."),
  categoryId: field(idOf('category'), 'ID of the category the animal belongs to.'),
};

/** The values of `petFields`. */
export type PetFields = FieldValues<typeof petFields>;

const statusField = field(petStatus, 'Status of the pet.');

/** The specification's NewPet. */
export const newPet = requestRecord('NewPet', 'A pet to create, or the new content of one.', { ...petFields, status: v.optional(statusField) });

/** The specification's Pet; `status` is always present, because it is computed. */
export const pet = withNotes(
  record('Pet', 'A pet of the shop.', { id: field(idNumber, 'Unique identifier assigned on creation.'), ...petFields, status: statusField }),
  // The specification does not require `status`.
  { record: 'Pet', jsonSchema: { required: ['id', 'name', 'categoryId'] } },
);

/** The fields of a pet to change. */
export const petPatch = requestRecord('PetPatch', 'The fields of a pet to change (JSON merge patch); the others stay as they are.', {
  ...patchFields(petFields),
  status: v.optional(statusField),
});

/** The id of a pet in a path. */
export const petIdParameter = pathId('pet', 7);

/** The specification's Pet. */
export type Pet = v.InferOutput<typeof pet>;

const exampleFields: Required<PetFields> = { name: 'Rex', categoryId: 1 };

/** The request in the examples of the OpenAPI document. */
export const exampleNewPet: v.InferOutput<typeof newPet> = { ...exampleFields, status: 'available' };

/** The pet in the examples of the OpenAPI document. */
export const examplePet: Pet = { id: 7, ...exampleFields, status: 'available' };

/** A pet with the name of its category and its stock. */
export const completePet = record('CompletePet', 'A pet with the name of its category and its stock.', {
  ...pet.entries,
  category: field(v.string(), 'Name of the category.'),
  hold: field(trueOrFalse, 'Whether the pet is on hold.'),
  quantity: field(wholeNumber, 'Units on hand.'),
  reserved: field(wholeNumber, 'Units reserved for open orders.'),
  lowAt: optional(wholeNumber, 'Low-stock level of the pet.'),
  ...versionFields,
});

/** A pet with the name of its category and its stock. */
export type PetRow = v.InferOutput<typeof completePet>;

/** The first stock of a new pet: `quantity` if given, else 0 for a pet created as sold, else 1. Refuses with `validation_failed`. */
export function openingQuantity(status: PetStatus | undefined, quantity: number | undefined): number {
  if (status === 'sold' && (quantity ?? 0) > 0) {
    throw invalidField('quantity', `a pet created as sold has none on hand, not ${quantity}`);
  }
  if (status === 'available' && quantity === 0) {
    throw invalidField('quantity', 'a pet created as available needs at least one on hand, not 0');
  }
  return quantity ?? (status === 'sold' ? 0 : 1);
}
