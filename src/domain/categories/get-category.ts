import { category, type CategoryRow } from './category.js';
import { categoryOf } from './require-category.js';
import { idNumber } from '../values/ids.js';
import { reads } from '../operation.js';
import * as v from 'valibot';

/** Reads one category. */
export const getCategory = reads({
  id: 'getCategory',
  summary: 'Read a category',
  tag: 'Pets',
  path: '/categories/{categoryId}',
  input: v.strictObject({ categoryId: idNumber }),
  output: category,
  run: (tx, { categoryId }): Promise<CategoryRow> => categoryOf(tx, categoryId),
});
