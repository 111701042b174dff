import { optional } from '../values/schemas.js';
import { examplePet, pet, type Pet } from './pet.js';
import { petFilter, type PetFilter } from './pet-filter.js';
import { type PetSort, petPosition } from './pet-table.js';
import { idNumber } from '../values/ids.js';
import { listOperation } from '../operation.js';
import type { ReadTransaction } from '../transaction.js';
import { valueList, page, pageParameters, type Page, type Position, type Slice, type SortKey } from '../values/pages.js';
import { searchText } from '../values/text.js';
import * as v from 'valibot';

const input = v.strictObject({
  ...pageParameters(['id', 'name']),
  ...petFilter,
  id: optional(valueList(idNumber), 'Only the pets with these ids.'),
  name: optional(searchText, 'Only pets of this name; case and accents do not matter.'),
  q: optional(searchText, 'Only pets whose name contains this text; case and accents do not matter.'),
});

const keys: Readonly<Record<PetSort, SortKey>> = { id: 'id', name: 'text' };

type Input = v.InferOutput<typeof input>;

/** A page of pets in the form that `list` reads them in. */
function pageOf<Row>(
  tx: ReadTransaction,
  { limit, cursor, sort, count, ...filter }: Input,
  list: (filter: PetFilter, slice: Slice<PetSort>) => Promise<readonly Row[]>,
  position: (row: Row, by: PetSort) => Position,
): Promise<Page<Row>> {
  return page('pets', { limit, cursor, sort, count }, filter, { keys, list: (slice) => list(filter, slice), position, total: () => tx.pets.count(filter) });
}

/** Lists pets. */
export const listPets = listOperation({
  id: 'listPets',
  summary: 'List pets',
  description: 'Lists the pets of the shop, by id unless `sort` says otherwise. Filters can be combined; a pet must meet all of them.',
  tag: 'Pets',
  path: '/pets',
  input,
  output: pet,
  refuses: [],
  example: { answer: [examplePet] },
  cost: ({ q, count }) => (q !== undefined || count ? 'shop' : 'page'),
  run: (tx, request) => pageOf(tx, request, (filter, slice) => tx.pets.list(filter, slice), petPosition),
  json: (tx, request) => tx.pets.json && pageOf(tx, request, tx.pets.json, (record, by) => petPosition(JSON.parse(record) as Pet, by)),
  lines: (tx, { sort, ...filter }, columns, limit) =>
    sort === 'id' || sort === '-id' ? tx.pets.lines(filter, columns, { descending: sort === '-id', limit }) : undefined,
});
