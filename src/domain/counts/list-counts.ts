import { listOperation } from '../operation.js';
import { byId, page, pageParameters, type Page, type Slice } from '../values/pages.js';
import { count, countState, exampleCount, type Count } from './count.js';
import * as v from 'valibot';

/** Lists counts. */
export const listCounts = listOperation({
  id: 'listCounts',
  summary: 'List counts of the stock',
  description: 'Lists the counts of the stock with their figures.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/counts',
  input: v.strictObject({ ...pageParameters(['id']), state: v.optional(countState) }),
  output: count,
  refuses: [],
  example: { answer: [exampleCount] },
  cost: ({ count: counts }) => (counts ? 'shop' : 'page'),
  run: (tx, { limit, cursor, sort, count: counts, ...filter }): Promise<Page<Count>> =>
    page('counts', { limit, cursor, sort, count: counts }, filter, {
      ...byId,
      list: (slice: Slice<'id'>) => tx.counts.list(filter, slice),
      total: () => tx.counts.count(filter),
    }),
});
