import { summary, type Figures } from './summary.js';
import type { Batch } from '../imports/batch.js';
import { reads } from '../operation.js';
import * as v from 'valibot';

const shownBatches = 5;

/** Reads the figures of the whole shop. */
export const getSummary = reads({
  id: 'getSummary',
  summary: 'Read the figures of the whole shop',
  tag: 'Store',
  stability: 'beta',
  path: '/store/summary',
  input: v.strictObject({}),
  output: summary,
  run: async (tx): Promise<Figures & { readonly lastBatches: readonly Batch[] }> => {
    const lastBatches = await tx.batches.list({ sort: 'id', descending: true, from: undefined, limit: shownBatches });
    return { ...(await tx.summary.figures()), lastBatches };
  },
});
