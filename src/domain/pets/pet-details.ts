import * as v from 'valibot';
import { category } from '../categories/category.js';
import { wholeNumber } from '../values/numbers.js';
import { shownVersion } from '../values/version.js';
import { pet } from './pet.js';
import { dateTimeText } from '../values/time.js';

/** A pet with everything an administrator asks for next. */
export const petDetails = v.object({
  ...pet.entries,
  category,
  inventory: v.object({ quantity: wholeNumber, reserved: wholeNumber, available: wholeNumber }),
  openOrders: wholeNumber,
  version: wholeNumber,
  createdAt: dateTimeText,
  updatedAt: dateTimeText,
});

/** A pet with everything an administrator asks for next. */
export type PetDetails = v.InferOutput<typeof petDetails>;

/** The details as people read them: the hold bit and the low level besides. */
export interface PetDetailsRow extends PetDetails {
  readonly hold: boolean;
  readonly lowAt?: number;
  /** The version of the category. */
  readonly [shownVersion]: number;
}
