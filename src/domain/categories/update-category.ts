import { categoryIdParameter, categoryFields, categoryPatch, category } from './category.js';
import { withPathId, checkBodyId } from '../values/ids.js';
import { requireCategory } from './require-category.js';
import { changeCategory } from './change-category.js';
import { applyPatch, pickFields } from '../values/fields.js';
import { writeOperation } from '../operation.js';
import * as v from 'valibot';

/** Changes some fields of a category; a description of null removes it. */
export const updateCategory = writeOperation({
  id: 'updateCategory',
  summary: 'Change some fields of a category',
  description:
    'Changes the fields that are given; a `description` of null is removed. A new name must not be the name of another category. An `id` in the body must be the one of the path.',
  tag: 'Pets',
  method: 'PATCH',
  path: '/categories/{categoryId}',
  status: 200,
  input: v.strictObject({
    categoryId: categoryIdParameter,
    body: withPathId(categoryPatch),
  }),
  output: category,
  refuses: ['category_exists'],
  example: { body: { description: null }, answer: { id: 1, name: 'Dogs' } },
  cost: 'row',
  run: async (tx, { categoryId, body: { id, ...patch } }) => {
    checkBodyId(id, categoryId);
    const before = await requireCategory(tx, categoryId);
    return changeCategory(tx, before, applyPatch(pickFields(categoryFields, before), patch));
  },
});
