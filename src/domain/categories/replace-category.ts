import { categoryFields, category } from './category.js';
import { changeCategory } from './change-category.js';
import { categoryOf } from './require-category.js';
import { checkBodyId, idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import * as v from 'valibot';

/** Replaces a category. */
export const replaceCategory = writes({
  id: 'replaceCategory',
  summary: 'Replace a category',
  tag: 'Pets',
  method: 'PUT',
  path: '/categories/{categoryId}',
  status: 200,
  input: v.strictObject({ categoryId: idNumber, body: v.strictObject({ id: v.optional(idNumber), ...categoryFields }) }),
  output: category,
  run: async (tx, { categoryId, body: { id, ...wanted } }) => {
    checkBodyId(id, categoryId);
    return changeCategory(tx, await categoryOf(tx, categoryId), { id: categoryId, ...wanted });
  },
});
