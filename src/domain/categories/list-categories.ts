import { type Category, category, type CategoryRow, exampleCategory } from './category.js';
import type { CategorySort } from './category-table.js';
import { listOperation } from '../operation.js';
import { optional } from '../values/schemas.js';
import { type Page, page, pageParameters, type Position, type Slice } from '../values/pages.js';
import { fold, searchText } from '../values/text.js';
import * as v from 'valibot';

/** The position of a category in a sorted list. */
function categoryPosition({ id, name }: Category, sort: CategorySort): Position {
  return { key: sort === 'name' ? fold(name) : id, id };
}

/** Lists categories. */
export const listCategories = listOperation({
  id: 'listCategories',
  summary: 'List categories',
  description: 'Lists the categories of the shop.',
  tag: 'Pets',
  path: '/categories',
  input: v.strictObject({
    ...pageParameters(['id', 'name']),
    name: optional(searchText, 'Only categories of this name; case and accents do not matter.'),
    q: optional(searchText, 'Only categories whose name contains this text; case and accents do not matter.'),
  }),
  output: category,
  refuses: [],
  example: { answer: [exampleCategory] },
  cost: ({ q, count }) => (q !== undefined || count ? 'shop' : 'page'),
  run: (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<CategoryRow>> =>
    page('categories', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', name: 'text' },
      list: (slice: Slice<CategorySort>) => tx.categories.list(filter, slice),
      position: categoryPosition,
      total: () => tx.categories.count(filter),
    }),
});
