import { category } from './category.js';
import { categoryOf } from './require-category.js';
import { changeCategory } from './change-category.js';
import * as v from 'valibot';
import { checkBodyId, idNumber } from '../values/ids.js';
import { writes } from '../operation.js';
import { nameText, noteText } from '../values/text.js';

/** Changes some fields of a category; a null description is removed. */
export const updateCategory = writes({
  id: 'updateCategory',
  summary: 'Change some fields of a category',
  tag: 'Pets',
  method: 'PATCH',
  path: '/categories/{categoryId}',
  status: 200,
  input: v.strictObject({
    categoryId: idNumber,
    body: v.strictObject({ id: v.optional(idNumber), name: v.optional(nameText), description: v.nullish(noteText) }),
  }),
  output: category,
  run: async (tx, { categoryId, body: { id, name, description } }) => {
    checkBodyId(id, categoryId);
    const before = await categoryOf(tx, categoryId);
    const kept = description === undefined ? before.description : (description ?? undefined);
    return changeCategory(tx, before, { id: categoryId, name: name ?? before.name, ...(kept !== undefined && { description: kept }) });
  },
});
