import { batchDetails } from './batch.js';
import * as v from 'valibot';
import { idNumber, notFound } from '../values/ids.js';
import { reads } from '../operation.js';

/** Reads one bulk import with its row errors. */
export const getBatch = reads({
  id: 'getBatch',
  summary: 'Read a bulk import with its row errors',
  tag: 'Store',
  stability: 'beta',
  path: '/store/imports/{batchId}',
  input: v.strictObject({ batchId: idNumber }),
  output: batchDetails,
  run: async (tx, { batchId }) => {
    const found = await tx.batches.get(batchId);
    if (found === undefined) throw notFound('batch', batchId);
    return found;
  },
});
