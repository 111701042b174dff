import { type Category, category, type CategoryRow, exampleCategory } from './category.js';
import type { CategoryFilter, CategorySort } from './category-table.js';
import { listOperation } from '../operation.js';
import type { ReadTransaction } from '../transaction.js';
import { optional } from '../values/schemas.js';
import { type Page, page, pageParameters, type Position, type Slice } from '../values/pages.js';
import { fold, searchText } from '../values/text.js';
import * as v from 'valibot';

const input = v.strictObject({
  ...pageParameters(['id', 'name']),
  name: optional(searchText, 'Only categories of this name; case and accents do not matter.'),
  q: optional(searchText, 'Only categories whose name contains this text; case and accents do not matter.'),
});

/** The position of a category in a sorted list. */
function categoryPosition({ id, name }: Category, sort: CategorySort): Position {
  return { key: sort === 'name' ? fold(name) : id, id };
}

type Input = v.InferOutput<typeof input>;

/** A page of categories in the form that `list` reads them in. */
function pageOf<Row extends Category>(
  tx: ReadTransaction,
  { limit, cursor, sort, count, ...filter }: Input,
  list: (filter: CategoryFilter, slice: Slice<CategorySort>) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  return page('categories', { limit, cursor, sort, count }, filter, {
    keys: { id: 'id', name: 'text' },
    list: (slice: Slice<CategorySort>) => list(filter, slice),
    position: categoryPosition,
    total: () => tx.categories.count(filter),
  });
}

/** A page of categories as records of the contract, without the numbers of their pets. */
async function recordsOf(tx: ReadTransaction, request: Input): Promise<Page<string>> {
  const { items, ...others } = await pageOf(tx, request, (filter, slice) => tx.categories.records(filter, slice));
  return { ...others, items: items.map((record) => JSON.stringify(record)) };
}

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
  cost: ({ q, count }) => (q !== undefined || count ? 'shop' : 'page'),
  run: (tx, request): Promise<Page<CategoryRow>> => pageOf(tx, request, (filter, slice) => tx.categories.list(filter, slice)),
  json: recordsOf,
});
