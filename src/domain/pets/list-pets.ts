import { petFilter } from './pet-filter.js';
import { pet } from './pet.js';
import { type PetSort, petPosition } from './pet-table.js';
import { idNumber } from '../values/ids.js';
import { lists } from '../operation.js';
import { fewOf, page, pageParameters, type Slice } from '../values/pages.js';
import { searchText } from '../values/text.js';
import * as v from 'valibot';

/** Lists pets. */
export const listPets = lists({
  id: 'listPets',
  summary: 'List pets',
  tag: 'Pets',
  path: '/pets',
  input: v.strictObject({
    ...pageParameters(['id', 'name']),
    ...petFilter,
    id: v.optional(fewOf(idNumber)),
    q: v.optional(searchText),
  }),
  output: pet,
  run: (tx, { limit, cursor, sort, count, ...filter }) =>
    page('pets', { limit, cursor, sort, count }, filter, {
      keys: { id: 'id', name: 'text' },
      list: (slice: Slice<PetSort>) => tx.pets.list(filter, slice),
      position: petPosition,
      total: () => tx.pets.count(filter),
    }),
  lines: (tx, { sort, ...filter }, columns, limit) =>
    sort === 'id' || sort === '-id' ? tx.pets.lines(filter, columns, { descending: sort === '-id', limit }) : undefined,
});
