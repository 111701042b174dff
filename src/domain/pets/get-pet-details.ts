import { petDetails, type PetDetailsRow, examplePetDetails } from './pet-details.js';
import { readOperation } from '../operation.js';
import { shownVersion } from '../values/version.js';
import { petFields, petIdParameter } from './pet.js';
import { pickFields } from '../values/fields.js';
import { requireRecord } from '../values/ids.js';
import { available } from '../inventory/stock.js';
import * as v from 'valibot';

/** Reads one pet with its category, its stock, its open orders and its version. */
export const getPetDetails = readOperation({
  id: 'getPetDetails',
  summary: 'Read a pet with its category, stock and version',
  description:
    'Reads one pet with its category, its stock, its codes, the number of its open orders, its version, when it was created and last changed, and when it was last counted.',
  tag: 'Pets',
  path: '/pets/{petId}/details',
  input: v.strictObject({ petId: petIdParameter }),
  output: petDetails,
  refuses: [],
  example: { answer: examplePetDetails },
  cost: 'row',
  run: async (tx, { petId }): Promise<PetDetailsRow> => {
    const found = requireRecord('pet', petId, await tx.pets.withDetails(petId));
    const { row, category, openOrders, categoryVersion, createdAt, updatedAt, lastCounted } = found;
    const codes = await tx.codes.ofPet(petId);
    const { status, quantity, reserved, hold, lowAt, version = 0 } = row;
    return {
      id: petId,
      ...pickFields(petFields, row),
      status,
      category,
      inventory: { quantity, reserved, available: available(row) },
      codes: codes.map(({ code, units }) => ({ code, units })),
      openOrders,
      version,
      [shownVersion]: categoryVersion,
      createdAt,
      updatedAt,
      hold,
      ...(lowAt !== undefined && { lowAt }),
      ...(lastCounted && { lastCounted }),
    };
  },
});
