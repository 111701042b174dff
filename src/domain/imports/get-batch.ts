import { batchIdParameter, exampleBatch, batchDetails } from './batch.js';
import { exampleRowError } from './row-error.js';
import { requireRecord } from '../values/ids.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** Reads one bulk import with its row errors. */
export const getBatch = readOperation({
  id: 'getBatch',
  summary: 'Read a bulk import with its row errors',
  description: 'Reads one bulk import with the errors of its rows.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/imports/{batchId}',
  input: v.strictObject({ batchId: batchIdParameter }),
  output: batchDetails,
  refuses: [],
  example: {
    answer: { ...exampleBatch, state: 'partial', mode: 'keep-going', applied: 1, rejected: 1, errors: [exampleRowError] },
  },
  cost: 'row',
  run: async (tx, { batchId }) => requireRecord('batch', batchId, await tx.batches.get(batchId)),
});
