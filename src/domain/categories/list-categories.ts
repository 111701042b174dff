import { category, exampleCategory } from './category.js';
import type { CategorySort } from './category-table.js';
import { listOperation } from '../operation.js';
import { optional } from '../values/schemas.js';
import { byIdOrName, page, pageParameters, type Slice } from '../values/pages.js';
import { searchText } from '../values/text.js';
import * as v from 'valibot';

const input = v.strictObject({
  ...pageParameters(['id', 'name']),
  name: optional(searchText, 'Only categories of this name; case and accents do not matter.'),
  q: optional(searchText, 'Only categories whose name contains this text; case and accents do not matter.'),
});

/** Lists categories. */
export const listCategories = listOperation({
  id: 'listCategories',
  summary: 'List categories',
  description: 'Lists the categories of the shop.',
  tag: 'Pets',
  path: '/categories',
  input,
  output: category,
  refuses: [],
  example: { answer: [exampleCategory] },
  // It counts the pets of each category.
  cost: 'shop',
  run: (tx, { limit, cursor, sort, count, ...filter }) =>
    page('categories', { limit, cursor, sort, count }, filter, {
      ...byIdOrName,
      list: (slice: Slice<CategorySort>) => tx.categories.list(filter, slice),
      total: () => tx.categories.count(filter),
    }),
});
