import { petDetails, type PetDetailsRow } from './pet-details.js';
import { idNumber } from '../values/ids.js';
import { reads } from '../operation.js';
import { shownVersion } from '../values/version.js';
import { petOf } from './require-pet.js';
import { available } from '../inventory/stock.js';
import * as v from 'valibot';

/** Reads one pet with its category, its stock, its open orders and its version. */
export const getPetDetails = reads({
  id: 'getPetDetails',
  summary: 'Read a pet with its category, stock and version',
  tag: 'Pets',
  path: '/pets/{petId}/details',
  input: v.strictObject({ petId: idNumber }),
  output: petDetails,
  run: async (tx, { petId }): Promise<PetDetailsRow> => {
    const { id, name, categoryId, status, quantity, reserved, hold, lowAt, version = 0 } = await petOf(tx, petId);
    const found = await tx.categories.find(categoryId);
    return {
      id,
      name,
      categoryId,
      status,
      category: found ?? { id: categoryId, name: '' },
      inventory: { quantity, reserved, available: available({ quantity, reserved }) },
      openOrders: (await tx.stock.openOrders(petId)).length,
      version,
      [shownVersion]: await tx.ledger.version({ categoryId }),
      ...(await tx.ledger.lifetime({ petId })),
      hold,
      ...(lowAt !== undefined && { lowAt }),
    };
  },
});
