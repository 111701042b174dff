import { category, categoryIdParameter, newCategory, exampleNewCategory, exampleCategory } from './category.js';
import { changeCategory } from './change-category.js';
import { requireCategory } from './require-category.js';
import { checkBodyId, withPathId } from '../values/ids.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Replaces a category. */
export const replaceCategory = writeOperation({
  id: 'replaceCategory',
  summary: 'Replace a category',
  description:
    'Replaces a category. An omitted `description` is removed. Its name must not be the name of another category. An `id` in the body must be the one of the path.',
  tag: 'Pets',
  method: 'PUT',
  path: '/categories/{categoryId}',
  status: 200,
  input: v.strictObject({ categoryId: categoryIdParameter, body: withPathId(newCategory) }),
  output: category,
  refuses: ['category_exists'],
  example: { body: exampleNewCategory, answer: exampleCategory },
  cost: 'row',
  run: async (tx, { categoryId, body: { id, ...fields } }) => {
    checkBodyId(id, categoryId);
    return changeCategory(tx, await requireCategory(tx, categoryId), fields);
  },
});
