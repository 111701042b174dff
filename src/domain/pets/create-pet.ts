import { newPet, pet, openingQuantity, exampleNewPet, examplePet } from './pet.js';
import { requirePet } from './require-pet.js';
import { checkCategory } from '../categories/require-category.js';
import { writeOperation } from '../operation.js';
import { codesText } from '../codes/codes-cell.js';
import { writeCodes } from '../codes/add-code.js';
import { optional } from '../values/schemas.js';
import { quantityNumber } from '../values/numbers.js';
import * as v from 'valibot';

/** Creates a pet and its inventory entry; `quantity` is its first stock. */
export const createPet = writeOperation({
  id: 'createPet',
  summary: 'Create a pet',
  description:
    'Creates a pet and its inventory entry. Without `quantity`, one unit is on hand, or none if the pet is created as `sold`. A pet created as `pending` is put on hold.',
  tag: 'Pets',
  method: 'POST',
  path: '/pets',
  status: 201,
  input: v.strictObject({
    quantity: optional(quantityNumber, 'Units on hand at the start. Default: 1, or 0 for a pet created as `sold`.'),
    codes: v.optional(codesText),
    body: newPet,
  }),
  output: pet,
  refuses: ['unknown_category', 'code_taken'],
  example: { body: exampleNewPet, answer: examplePet },
  cost: 'row',
  // A code may belong to any pet.
  records: ({ codes }) => (codes === undefined ? [] : undefined),
  run: async (tx, { quantity, codes, body: { status, ...fields } }) => {
    const opening = openingQuantity(status, quantity);
    await checkCategory(tx, fields.categoryId);
    const hold = status === 'pending';
    const petId = await tx.pets.insert({ ...fields, hold });
    await tx.stock.insert(petId, opening);
    await tx.ledger.append({ kind: 'opening', petId, delta: opening, quantityAfter: opening });
    if (hold) await tx.ledger.append({ kind: 'pet.held', petId });
    if (codes !== undefined) await writeCodes(tx, petId, codes);
    return requirePet(tx, petId);
  },
});
