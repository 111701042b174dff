import { record, field, optional, trueOrFalse } from '../values/schemas.js';
import { examplePet, pet } from './pet.js';
import { exampleCategory, category } from '../categories/category.js';
import { exampleEntry } from '../ledger/ledger-entry.js';
import { codeFields } from '../codes/code.js';
import { wholeNumber } from '../values/numbers.js';
import { shownVersion } from '../values/version.js';
import { nameText } from '../values/text.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** A pet with its category, stock, open orders and version. */
export const petDetails = record('PetDetails', 'A pet with its category, stock, number of open orders and version.', {
  ...pet.entries,
  category,
  inventory: field(
    v.object({ quantity: wholeNumber, reserved: wholeNumber, available: wholeNumber }),
    'The stock of the pet: units on hand, reserved for open orders, and available for sale.',
  ),
  codes: field(v.array(v.object(codeFields)), 'The codes of the pet, and the units that one scan of each means.'),
  openOrders: field(wholeNumber, 'Number of open orders for the pet.'),
  version: field(wholeNumber, 'Version of the record, the same as in its ETag.'),
  createdAt: field(dateTimeText, 'When the record was created, in UTC.'),
  updatedAt: field(dateTimeText, 'When the record last changed, in UTC.'),
  lastCounted: optional(
    v.object({ at: dateTimeText, by: nameText }),
    'When the last line of the pet was written in its latest count that was closed and not undone, in UTC, and by whom; absent for a pet that was never counted.',
  ),
});

/** A pet with its category, stock, open orders and version. */
export type PetDetails = v.InferOutput<typeof petDetails>;

/** The details of a pet with its hold flag and low-stock level. */
export const completePetDetails = record('CompletePetDetails', 'The details of a pet with its hold flag and low-stock level.', {
  ...petDetails.entries,
  hold: field(trueOrFalse, 'Whether the pet is on hold.'),
  lowAt: optional(wholeNumber, 'Low-stock level of the pet.'),
});

/** The details of a pet with its hold flag and low-stock level, and the version of its category. */
export type PetDetailsRow = v.InferOutput<typeof completePetDetails> & { readonly [shownVersion]: number };

/** The pet details in the examples of the OpenAPI document. */
export const examplePetDetails: PetDetails = {
  ...examplePet,
  category: exampleCategory,
  inventory: { quantity: 3, reserved: 1, available: 2 },
  codes: [{ code: '4006381333931', units: 1 }],
  openOrders: 1,
  version: 1208,
  createdAt: exampleEntry.at,
  updatedAt: exampleEntry.at,
  lastCounted: { at: exampleEntry.at, by: 'ana' },
};
