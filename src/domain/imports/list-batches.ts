import { batch, exampleBatch } from './batch.js';
import { listOperation } from '../operation.js';
import { byId, page, pageParameters, type Slice } from '../values/pages.js';
import * as v from 'valibot';

/** Lists bulk imports. */
export const listBatches = listOperation({
  id: 'listBatches',
  summary: 'List bulk imports',
  description: 'Lists the bulk imports, including refused ones.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/imports',
  input: v.strictObject(pageParameters(['id'])),
  output: batch,
  refuses: [],
  example: { answer: [exampleBatch] },
  cost: ({ count }) => (count ? 'shop' : 'page'),
  run: (tx, paging) => page('batches', paging, {}, { ...byId, list: (slice: Slice<'id'>) => tx.batches.list(slice), total: () => tx.batches.count() }),
});
