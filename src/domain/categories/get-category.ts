import { category, type CategoryRow, categoryIdParameter, exampleCategory } from './category.js';
import { requireCategory } from './require-category.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** Reads one category. */
export const getCategory = readOperation({
  id: 'getCategory',
  summary: 'Read a category',
  description: 'Reads one category.',
  tag: 'Pets',
  path: '/categories/{categoryId}',
  input: v.strictObject({ categoryId: categoryIdParameter }),
  output: category,
  refuses: [],
  example: { answer: exampleCategory },
  cost: 'row',
  run: (tx, { categoryId }): Promise<CategoryRow> => requireCategory(tx, categoryId),
});
