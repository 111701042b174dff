import { summary, type ShopFigures, exampleSummary } from './summary.js';
import type { Batch } from '../imports/batch.js';
import { dayAt, endOfDay } from '../values/time-zone.js';
import { timeZone } from '../values/time.js';
import { readOperation } from '../operation.js';
import { newestRows } from '../values/pages.js';
import * as v from 'valibot';

const shownBatches = 5;

/** Reads the figures of the whole shop. */
export const getSummary = readOperation({
  id: 'getSummary',
  summary: 'Read the figures of the whole shop',
  description: 'Reads the figures of the whole shop: categories, pets by status, orders, units, what needs attention, and the last bulk imports.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/summary',
  input: v.strictObject({ tz: timeZone }),
  output: summary,
  refuses: [],
  example: { answer: exampleSummary },
  cost: 'shop',
  run: async (tx, { tz }): Promise<ShopFigures & { readonly newestEntry: number; readonly lastBatches: readonly Batch[] }> => {
    const [newest] = await tx.ledger.list({}, newestRows(1));
    const lastBatches = await tx.batches.list(newestRows(shownBatches));
    const figures = await tx.summary.figures(tx.now, endOfDay(dayAt(tx.now, tz), tz));
    return { ...figures, newestEntry: newest?.id ?? 0, lastBatches };
  },
});
