import { listOperation } from '../operation.js';
import { idNumber } from '../values/ids.js';
import { byPetId, page, pageParameters, type Page, type Slice } from '../values/pages.js';
import { optional } from '../values/schemas.js';
import { petSearch } from '../pets/pet-filter.js';
import { countIdParameter } from './count.js';
import { countPet, countPetState, exampleCountPet, type CountPet } from './count-pet.js';
import { requireCount } from './require-count.js';
import * as v from 'valibot';

/** Lists the pets of a count. */
export const listCountPets = listOperation({
  id: 'listCountPets',
  summary: 'List the pets of a count',
  description: 'Lists the pets of a count with what was counted, what was on hand at that moment, by whom and when.',
  tag: 'Store',
  alsoRequires: 'pets:read',
  stability: 'beta',
  path: '/store/counts/{countId}/pets',
  input: v.strictObject({
    ...pageParameters(['petId']),
    countId: countIdParameter,
    state: optional(countPetState, 'Only pets that were counted or not, or that were counted and agree or differ.'),
    q: petSearch,
    petId: optional(idNumber, 'Only this pet.'),
  }),
  output: countPet,
  refuses: [],
  example: { answer: [exampleCountPet] },
  cost: ({ q, count }) => (q !== undefined || count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, ...filter }): Promise<Page<CountPet>> => {
    const { countId } = filter;
    await requireCount(tx, countId);
    return page('count-pets', { limit, cursor, sort, count }, filter, {
      ...byPetId,
      list: (slice: Slice<'petId'>) => tx.counts.pets(countId, filter, slice),
      total: () => tx.counts.totalPets(countId, filter),
    });
  },
});
