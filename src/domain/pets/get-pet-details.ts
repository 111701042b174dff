import { petDetails, type PetDetailsRow, examplePetDetails } from './pet-details.js';
import { readOperation } from '../operation.js';
import { shownVersion } from '../values/version.js';
import { petIdParameter } from './pet.js';
import { requirePet } from './require-pet.js';
import { available } from '../inventory/stock.js';
import * as v from 'valibot';

/** Reads one pet with its category, its stock, its open orders and its version. */
export const getPetDetails = readOperation({
  id: 'getPetDetails',
  summary: 'Read a pet with its category, stock and version',
  description: 'Reads one pet with its category, its stock, the number of its open orders, its version, and when it was created and last changed.',
  tag: 'Pets',
  path: '/pets/{petId}/details',
  input: v.strictObject({ petId: petIdParameter }),
  output: petDetails,
  refuses: [],
  example: { answer: examplePetDetails },
  cost: 'row',
  run: async (tx, { petId }): Promise<PetDetailsRow> => {
    const { category, quantity, reserved, hold, lowAt, version = 0, ...shown } = await requirePet(tx, petId);
    const { categoryId } = shown;
    return {
      ...shown,
      category: (await tx.categories.find(categoryId)) ?? { id: categoryId, name: category },
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
