import { category, categoryIdParameter, exampleCategory } from './category.js';
import { optional } from '../values/schemas.js';
import { archiveCategory } from './archive-category.js';
import { requireCategory, checkCategory } from './require-category.js';
import { invalidField } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { idOf } from '../values/ids.js';
import { writeOperation } from '../operation.js';
import type { WriteTransaction } from '../transaction.js';
import * as v from 'valibot';

/** Archives a category without pets; with `moveTo`, moves its pets to that category first. */
export const deleteCategory = writeOperation({
  id: 'deleteCategory',
  summary: 'Delete a category',
  description: 'Deletes a category without pets. With `moveTo` its pets move to another category first.',
  tag: 'Pets',
  method: 'DELETE',
  path: '/categories/{categoryId}',
  status: 204,
  input: v.strictObject({ categoryId: categoryIdParameter, moveTo: optional(idOf('category'), 'ID of the category that the pets move to.') }),
  output: category,
  refuses: ['category_in_use', 'unknown_category', 'validation_failed'],
  example: { answer: exampleCategory },
  cost: ({ moveTo }) => (moveTo === undefined ? 'row' : 'shop'),
  run: async (tx, { categoryId, moveTo }) => {
    const before = await requireCategory(tx, categoryId);
    await checkVersion(tx, `Category ${categoryId}`, { categoryId });
    if (moveTo === categoryId) throw invalidField('moveTo', `must be a category other than ${categoryId}`);
    if (moveTo !== undefined) await movePets(tx, categoryId, moveTo);
    await archiveCategory(tx, moveTo === undefined ? before : { ...before, pets: 0 });
    return before;
  },
});

async function movePets(tx: WriteTransaction, from: number, to: number): Promise<void> {
  await checkCategory(tx, to);
  const moved = await tx.pets.moveCategory(from, to);
  for (const petId of moved) await tx.ledger.append({ kind: 'pet.updated', petId, previous: { categoryId: from }, current: { categoryId: to } });
}
