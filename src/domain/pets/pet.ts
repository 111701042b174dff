import { withNotes, field, requestRecord, record } from '../values/schemas.js';
import { pathId, idNumber } from '../values/ids.js';
import { StoreError } from '../errors.js';
import { maximumQuantity } from '../values/numbers.js';
import type { Versioned } from '../values/version.js';
import { petStatus, type PetStatus } from './pet-status.js';
import { nameText } from '../values/text.js';
import * as v from 'valibot';

/** The fields that a pet and a new pet share. */
export const petFields = {
  name: field(nameText, "The animal's name, 1 to 100 characters after trimming."),
  categoryId: field(idNumber, 'ID of the category the animal belongs to.'),
};

const statusOfPet = field(petStatus, 'Status of the pet.');

/** The specification's NewPet. */
export const newPet = requestRecord('NewPet', 'A pet to create, or what replaces one.', { ...petFields, status: v.optional(statusOfPet) });

/** The specification's Pet; `status` is always there, because it is computed. */
export const pet = withNotes(
  record('Pet', 'A pet as the shop keeps it.', { id: field(idNumber, 'Unique identifier assigned on creation.'), ...petFields, status: statusOfPet }),
  // The specification does not require the status, which the shop always answers.
  { record: 'Pet', jsonSchema: { required: ['id', 'name', 'categoryId'] } },
);

/** The fields of a pet to change. */
export const petPatch = requestRecord('PetPatch', 'The fields of a pet to change (JSON merge patch); the others stay as they are.', {
  name: v.optional(petFields.name),
  categoryId: v.optional(petFields.categoryId),
  status: v.optional(statusOfPet),
});

/** The id of a pet in a path. */
export const petIdParameter = pathId('pet', 7);

/** The specification's Pet. */
export type Pet = v.InferOutput<typeof pet>;

/** The pet of the document's examples. */
export const examplePet: Pet = { id: 7, name: 'Rex', categoryId: 1, status: 'available' };

/** A pet as people read it in a list: the contract's record, its category's name and its figures. */
export interface PetRow extends Pet, Versioned {
  readonly category: string;
  readonly hold: boolean;
  readonly quantity: number;
  readonly reserved: number;
  readonly lowAt?: number;
}

/** The units a new pet opens with: what was asked for, none when sold, otherwise the one animal. */
export function openingQuantity(status: PetStatus | undefined, quantity: number | undefined): number {
  if (quantity !== undefined && (quantity < 0 || quantity > maximumQuantity)) {
    throw new StoreError('validation_failed', `quantity: must be between 0 and ${maximumQuantity}, not ${quantity}.`);
  }
  if (status === 'sold' && (quantity ?? 0) > 0) {
    throw new StoreError('validation_failed', `quantity: a pet created as sold has none on hand, not ${quantity}.`);
  }
  if (status === 'available' && quantity === 0) {
    throw new StoreError('validation_failed', 'quantity: a pet created as available needs at least one on hand, not 0.');
  }
  return quantity ?? (status === 'sold' ? 0 : 1);
}
