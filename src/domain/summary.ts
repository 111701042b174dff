import * as v from 'valibot';
import { batch, type Batch } from './imports.js';
import { reads } from './operation.js';

/** The figures of the whole shop. */
export const summary = v.object({
  categories: v.number(),
  pets: v.object({ available: v.number(), pending: v.number(), sold: v.number() }),
  orders: v.object({ draft: v.number(), open: v.number(), complete: v.number() }),
  units: v.object({ onHand: v.number(), promised: v.number(), available: v.number() }),
  low: v.number(),
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
