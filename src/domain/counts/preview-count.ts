import { listOperation } from '../operation.js';
import { byPetId, page, pageParameters, type Page, type Slice } from '../values/pages.js';
import { countIdParameter } from './count.js';
import { countChangeOf, closeParameters, countChange, exampleCountChange, type CountChange } from './count-change.js';
import { closeOutcomeOf } from './count-rules.js';
import { requireCount } from './require-count.js';
import * as v from 'valibot';

/** Lists what closing a count would change now. */
export const previewCount = listOperation({
  id: 'previewCount',
  summary: 'List what closing a count would change',
  description:
    'Lists the pets whose stock closing the count would change now, and those that it would leave as they are, with the reason as `problem`: it would remove more units than are on hand, or those that are reserved, or the pet was deleted. Pets that agree are left out. A count that is no longer open changes nothing.',
  tag: 'Store',
  alsoRequires: 'pets:read',
  stability: 'beta',
  path: '/store/counts/{countId}/diff',
  input: v.strictObject({ ...pageParameters(['petId']), countId: countIdParameter, ...closeParameters }),
  output: countChange,
  refuses: [],
  example: { answer: [exampleCountChange] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, ...policy }): Promise<Page<CountChange>> => {
    const { countId, missing } = policy;
    await requireCount(tx, countId);
    return page('count-diff', { limit, cursor, sort, count }, policy, {
      ...byPetId,
      list: async (slice: Slice<'petId'>) => {
        const pets = await tx.counts.changing(countId, missing, slice);
        return pets.flatMap((pet) => countChangeOf(pet, closeOutcomeOf(pet, policy)) ?? []);
      },
      total: () => tx.counts.totalChanging(countId, missing),
    });
  },
});
