import { optional } from '../values/schemas.js';
import { examplePet, pet } from './pet.js';
import { codeText } from '../codes/code.js';
import { petFilter, petSearch } from './pet-filter.js';
import type { PetSort } from './pet-table.js';
import { idNumber } from '../values/ids.js';
import { listOperation } from '../operation.js';
import { byIdOrName, valueList, page, pageParameters, type Slice } from '../values/pages.js';
import { searchText } from '../values/text.js';
import * as v from 'valibot';

const input = v.strictObject({
  ...pageParameters(['id', 'name']),
  ...petFilter,
  id: optional(valueList(idNumber), 'Only the pets with these ids.'),
  code: optional(codeText, 'Only the pet with this code.'),
  name: optional(searchText, 'Only pets of this name; case and accents do not matter.'),
  q: petSearch,
});

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
  run: (tx, { limit, cursor, sort, count, ...filter }) =>
    page('pets', { limit, cursor, sort, count }, filter, {
      ...byIdOrName,
      list: (slice: Slice<PetSort>) => tx.pets.list(filter, slice),
      total: () => tx.pets.count(filter),
    }),
});
