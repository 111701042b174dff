import { newCategory, category } from './category.js';
import { categoryOf } from './require-category.js';
import { writes } from '../operation.js';
import * as v from 'valibot';

/** Creates a category. */
export const createCategory = writes({
  id: 'createCategory',
  summary: 'Create a category',
  tag: 'Pets',
  method: 'POST',
  path: '/categories',
  status: 201,
  input: v.strictObject({ body: newCategory }),
  output: category,
  run: async (tx, { body }) => {
    const id = await tx.categories.insert(body);
    await tx.ledger.append({ kind: 'category.created', categoryId: id });
    return categoryOf(tx, id);
  },
});
