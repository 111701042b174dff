import { listOperation } from '../operation.js';
import { idNumber } from '../values/ids.js';
import { byId, page, pageParameters, type Page, type Slice } from '../values/pages.js';
import { flag, optional } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import { countIdParameter } from './count.js';
import { countLine, exampleLine, type CountLine } from './count-line.js';
import { requireCount } from './require-count.js';
import * as v from 'valibot';

/** Lists the lines of a count, newest first unless asked otherwise. */
export const listCountLines = listOperation({
  id: 'listCountLines',
  summary: 'List the lines of a count',
  description: 'Lists the numbers that were written down in a count, newest first, those that were undone included.',
  tag: 'Store',
  alsoRequires: 'pets:read',
  stability: 'beta',
  path: '/store/counts/{countId}/lines',
  input: v.strictObject({
    ...pageParameters(['id']),
    sort: v.optional(pageParameters(['id']).sort.wrapped, '-id'),
    countId: countIdParameter,
    by: optional(nameText, 'Only lines of this person.'),
    mine: flag('Only lines of whoever sends the request.'),
    petId: optional(idNumber, 'Only lines of this pet.'),
  }),
  output: countLine,
  refuses: [],
  example: { answer: [exampleLine] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: async (tx, { limit, cursor, sort, count, mine, ...others }): Promise<Page<CountLine>> => {
    const { countId } = others;
    await requireCount(tx, countId);
    const filter = mine ? { ...others, by: tx.actor } : others;
    return page('count-lines', { limit, cursor, sort, count }, filter, {
      ...byId,
      list: (slice: Slice<'id'>) => tx.counts.lines(countId, filter, slice),
      total: () => tx.counts.totalLines(countId, filter),
    });
  },
});
