import { record, field } from '../values/schemas.js';
import { examplePet, pet } from './pet.js';
import { exampleCategory, category } from '../categories/category.js';
import { exampleEntry } from '../ledger/ledger-entry.js';
import { wholeNumber } from '../values/numbers.js';
import { shownVersion } from '../values/version.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** A pet with everything an administrator asks for next. */
export const petDetails = record(
  'PetDetails',
  'A pet with everything that is usually asked for next: its category, its stock, its open orders and its version.',
  {
    ...pet.entries,
    category,
    inventory: field(
      v.object({ quantity: wholeNumber, reserved: wholeNumber, available: wholeNumber }),
      'The stock of the pet: units on hand, those reserved for open orders, and those that can still be sold.',
    ),
    openOrders: field(wholeNumber, 'Number of open orders for the pet.'),
    version: field(wholeNumber, 'Version of the record, the same as in its ETag.'),
    createdAt: field(dateTimeText, 'When the record was created, in UTC.'),
    updatedAt: field(dateTimeText, 'When the record last changed, in UTC.'),
  },
);

/** A pet with everything an administrator asks for next. */
export type PetDetails = v.InferOutput<typeof petDetails>;

/** The details as people read them: the hold bit and the low level besides. */
export interface PetDetailsRow extends PetDetails {
  readonly hold: boolean;
  readonly lowAt?: number;
  /** The version of the category. */
  readonly [shownVersion]: number;
}

/** The pet of the document's examples with its details. */
export const examplePetDetails: PetDetails = {
  ...examplePet,
  category: exampleCategory,
  inventory: { quantity: 3, reserved: 1, available: 2 },
  openOrders: 1,
  version: 1208,
  createdAt: exampleEntry.at,
  updatedAt: exampleEntry.at,
};
