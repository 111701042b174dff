import { type Category, category, type CategoryRow } from './category.js';
import type { CategorySort } from './category-table.js';
import { lists } from '../operation.js';
import { type Page, page, pageParameters, type Position, type Slice } from '../values/pages.js';
import { fold, searchText } from '../values/text.js';
import * as v from 'valibot';

/** A row's place in a list of categories. */
function categoryPosition({ id, name }: Category, sort: CategorySort): Position {
  return { key: sort === 'name' ? fold(name) : id, id };
}

/** Lists categories. */
export const listCategories = lists({
  id: 'listCategories',
  summary: 'List categories',
  tag: 'Pets',
  path: '/categories',
  input: v.strictObject({ ...pageParameters(['id', 'name']), name: v.optional(searchText), q: v.optional(searchText) }),
  output: category,
  run: (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<CategoryRow>> =>
    page('categories', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', name: 'text' },
      list: (slice: Slice<CategorySort>) => tx.categories.list(filter, slice),
      position: categoryPosition,
      total: () => tx.categories.count(filter),
    }),
});
