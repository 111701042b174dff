import * as v from 'valibot';
import { batch, type Batch } from './imports.js';
import { wholeNumber } from './numbers.js';
import { reads } from './operation.js';

/** The figures of the whole shop. */
export const summary = v.object({
  categories: wholeNumber,
  pets: v.object({ available: wholeNumber, pending: wholeNumber, sold: wholeNumber }),
  orders: v.object({ draft: wholeNumber, open: wholeNumber, complete: wholeNumber }),
  units: v.object({ onHand: wholeNumber, promised: wholeNumber, available: wholeNumber }),
  low: wholeNumber,
  lastBatches: v.array(batch),
});

/** The figures of the whole shop that one look at the tables gives. */
export type Figures = Omit<v.InferOutput<typeof summary>, 'lastBatches'>;

/** The figures of the shop, for reading. */
export interface SummaryReader {
  figures(): Promise<Figures>;
}

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
