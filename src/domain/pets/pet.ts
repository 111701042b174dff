import * as v from 'valibot';
import { StoreError } from '../errors.js';
import { idNumber } from '../values/ids.js';
import { maximumQuantity } from '../values/numbers.js';
import type { Versioned } from '../values/version.js';
import { petStatus, type PetStatus } from './pet-status.js';
import { nameText } from '../values/text.js';

const petFields = { name: nameText, categoryId: idNumber };

/** The specification's NewPet. */
export const newPet = v.strictObject({ ...petFields, status: v.optional(petStatus) });

/** The specification's Pet; `status` is always there, because it is computed. */
export const pet = v.object({ id: idNumber, ...petFields, status: petStatus });

/** The specification's Pet. */
export type Pet = v.InferOutput<typeof pet>;

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
