import { record, optional, field } from '../values/schemas.js';
import { categoryFields } from './movement-figures.js';
import { wholeNumber } from '../values/numbers.js';
import { readOperation } from '../operation.js';
import { available } from '../inventory/stock.js';
import { petStatus } from '../pets/pet-status.js';
import { rangeEndText } from '../values/time.js';
import * as v from 'valibot';

/** A row of the stock report; at an instant of the past without what the ledger does not record. */
export const stockReportRow = record('StockReportRow', 'The pets and units of one category and status; at an instant of the past of one category.', {
  ...categoryFields,
  status: optional(petStatus, 'Status of the pet.'),
  pets: field(wholeNumber, 'Number of pets.'),
  onHand: field(wholeNumber, 'Units on hand.'),
  reserved: optional(wholeNumber, 'Units reserved for open orders.'),
  available: optional(wholeNumber, 'Units that can still be sold.'),
});

/** A row of the stock report. */
export type StockReportRow = v.InferOutput<typeof stockReportRow>;

/** Counts pets and units by category and status. As of an instant: by category, without status and reservations, which the ledger does not record. */
export const reportStock = readOperation({
  id: 'reportStock',
  summary: 'Count pets and units by category and status',
  description:
    'Counts pets and units by category and status. With `at` it counts what stood at that instant, by category alone: the ledger does not record status and reservations.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/stock',
  input: v.strictObject({ at: optional(rangeEndText, 'The instant to report on: a date-time, or a day in UTC, at its end.') }),
  output: v.array(stockReportRow),
  refuses: [],
  example: { answer: [{ categoryId: 1, category: 'Dogs', status: 'available', pets: 2, onHand: 7, reserved: 2, available: 5 }] },
  cost: 'shop',
  run: async (tx, { at }): Promise<readonly StockReportRow[]> => {
    if (at !== undefined) return tx.reports.stockAt(at);
    const rows = await tx.reports.stock();
    return rows.map((row) => ({ ...row, available: available({ quantity: row.onHand, reserved: row.reserved }) }));
  },
});
