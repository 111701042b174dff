import * as v from 'valibot';
import { batch } from '../imports/batch.js';
import { wholeNumber } from '../values/numbers.js';

/** The figures of the whole shop. */
export const summary = v.object({
  categories: wholeNumber,
  pets: v.object({ available: wholeNumber, pending: wholeNumber, sold: wholeNumber }),
  orders: v.object({ draft: wholeNumber, open: wholeNumber, complete: wholeNumber }),
  units: v.object({ onHand: wholeNumber, reserved: wholeNumber, available: wholeNumber }),
  low: wholeNumber,
  lastBatches: v.array(batch),
});

/** The figures of the whole shop that one look at the tables gives. */
export type Figures = Omit<v.InferOutput<typeof summary>, 'lastBatches'>;

/** The figures of the shop, for reading. */
export interface SummaryReader {
  figures(): Promise<Figures>;
}
