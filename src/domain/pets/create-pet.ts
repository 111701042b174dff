import { newPet, pet, openingQuantity } from './pet.js';
import { petOf } from './require-pet.js';
import { checkCategory } from '../categories/require-category.js';
import { writes } from '../operation.js';
import * as v from 'valibot';

/** Creates a pet together with its inventory entry; `quantity` is the number on hand to open with. */
export const createPet = writes({
  id: 'createPet',
  summary: 'Create a pet',
  tag: 'Pets',
  method: 'POST',
  path: '/pets',
  status: 201,
  input: v.strictObject({ quantity: v.optional(v.pipe(v.number('must be an integer'), v.integer('must be an integer'))), body: newPet }),
  output: pet,
  run: async (tx, { quantity, body: { name, categoryId, status } }) => {
    const opening = openingQuantity(status, quantity);
    await checkCategory(tx, categoryId);
    const hold = status === 'pending';
    const petId = await tx.pets.insert({ name, categoryId, hold });
    await tx.stock.insert(petId, opening);
    await tx.ledger.append({ kind: 'opening', petId, delta: opening, quantityAfter: opening });
    if (hold) await tx.ledger.append({ kind: 'pet.held', petId });
    return petOf(tx, petId);
  },
});
