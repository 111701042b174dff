import { newCategory, category, exampleNewCategory, exampleCategory } from './category.js';
import { checkNameIsFree, requireCategory } from './require-category.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Creates a category. */
export const createCategory = writeOperation({
  id: 'createCategory',
  summary: 'Create a category',
  description: 'Creates a category. Its name must not be the name of another category; case and accents do not matter.',
  tag: 'Pets',
  method: 'POST',
  path: '/categories',
  status: 201,
  input: v.strictObject({ body: newCategory }),
  output: category,
  refuses: ['category_exists'],
  example: { body: exampleNewCategory, answer: exampleCategory },
  cost: 'row',
  run: async (tx, { body }) => {
    await checkNameIsFree(tx, body.name);
    const id = await tx.categories.insert(body);
    await tx.ledger.append({ kind: 'category.created', categoryId: id });
    return requireCategory(tx, id);
  },
});
