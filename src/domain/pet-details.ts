import * as v from 'valibot';
import { category } from './categories.js';
import { idNumber, wholeNumber } from './numbers.js';
import { reads, shownVersion } from './operation.js';
import { pet, petOf } from './pets.js';
import { available } from './stock.js';
import { dateTimeText } from './time.js';

/** A pet with everything an administrator asks for next. */
export const petDetails = v.object({
  ...pet.entries,
  category,
  inventory: v.object({ quantity: wholeNumber, promised: wholeNumber, available: wholeNumber }),
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

/** Reads one pet with its category, its stock, its open orders and its version. */
export const getPetDetails = reads({
  id: 'getPetDetails',
  summary: 'Read a pet with its category, stock and version',
  tag: 'Pets',
  path: '/pets/{petId}/details',
  input: v.strictObject({ petId: idNumber }),
  output: petDetails,
  run: async (tx, { petId }): Promise<PetDetailsRow> => {
    const { id, name, categoryId, status, quantity, promised, hold, lowAt, version = 0 } = await petOf(tx, petId);
    const found = await tx.categories.find(categoryId);
    return {
      id,
      name,
      categoryId,
      status,
      category: found ?? { id: categoryId, name: '' },
      inventory: { quantity, promised, available: available({ quantity, promised }) },
      openOrders: (await tx.stock.openOrders(petId)).length,
      version,
      [shownVersion]: await tx.ledger.version({ categoryId }),
      ...(await tx.ledger.lifetime({ petId })),
      hold,
      ...(lowAt !== undefined && { lowAt }),
    };
  },
});
