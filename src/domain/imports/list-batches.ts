import { batch, type Batch } from './batch.js';
import { lists } from '../operation.js';
import { type Page, page, pageParameters, type Slice } from '../values/pages.js';
import * as v from 'valibot';

/** Lists bulk imports. */
export const listBatches = lists({
  id: 'listBatches',
  summary: 'List bulk imports',
  tag: 'Store',
  stability: 'beta',
  path: '/store/imports',
  input: v.strictObject(pageParameters(['id'])),
  output: batch,
  run: (tx, asked): Promise<Page<Batch>> =>
    page(
      'batches',
      asked,
      {},
      {
        keys: { id: 'id' },
        list: (slice: Slice<'id'>) => tx.batches.list(slice),
        position: ({ id }) => ({ key: id, id }),
        total: () => tx.batches.count(),
      },
    ),
});
