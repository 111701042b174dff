import { petIdParameter, examplePet, pet } from './pet.js';
import { archivePet, checkDeletable } from './archive-pet.js';
import { requirePet } from './require-pet.js';
import { checkVersion } from '../ledger/check-version.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Archives a pet and writes off its last unit. Returns the pet as it was before. */
export const deletePet = writeOperation({
  id: 'deletePet',
  summary: 'Delete a pet',
  description: 'Deletes a pet that has no open order and at most one unit on hand. Its history stays in the ledger, and its id is never used again.',
  tag: 'Pets',
  method: 'DELETE',
  path: '/pets/{petId}',
  status: 204,
  input: v.strictObject({ petId: petIdParameter }),
  output: pet,
  refuses: ['pet_has_open_orders', 'pet_in_stock'],
  example: { answer: examplePet },
  cost: 'row',
  run: async (tx, { petId }) => {
    const before = await requirePet(tx, petId);
    await checkVersion(tx, `Pet ${petId}`, { petId });
    await checkDeletable(tx, before, 1);
    if (before.quantity === 1) {
      await tx.ledger.append({ kind: 'adjust', petId, delta: -1, quantityAfter: 0 });
    }
    await archivePet(tx, before);
    return before;
  },
});
