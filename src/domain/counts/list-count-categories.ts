import { readOperation } from '../operation.js';
import { categoryFigures, countIdParameter, type CategoryFigures } from './count.js';
import { requireCount } from './require-count.js';
import * as v from 'valibot';

/** Reads the figures of a count by category. */
export const listCountCategories = readOperation({
  id: 'listCountCategories',
  summary: 'Read the figures of a count by category',
  description: 'Reads how many pets of each category a count has, and how many of them were counted, agree and differ, sorted by the name of the category.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/counts/{countId}/categories',
  input: v.strictObject({ countId: countIdParameter }),
  output: v.array(categoryFigures),
  refuses: [],
  example: { answer: [{ categoryId: 1, category: 'Dogs', pets: 40, counted: 12, agreeing: 10, differing: 2 }] },
  cost: 'shop',
  run: async (tx, { countId }): Promise<readonly CategoryFigures[]> => {
    await requireCount(tx, countId);
    return tx.counts.categories(countId);
  },
});
