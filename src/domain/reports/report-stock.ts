import { categoryFields } from './movement-figures.js';
import * as v from 'valibot';
import { wholeNumber } from '../values/numbers.js';
import { reads } from '../operation.js';
import { available } from '../inventory/stock.js';
import { petStatus } from '../pets/pet-status.js';
import { rangeEndText } from '../values/time.js';

/** A row of the stock report; at an instant of the past without what the ledger does not record. */
export const stockReportRow = v.object({
  ...categoryFields,
  status: v.optional(petStatus),
  pets: wholeNumber,
  onHand: wholeNumber,
  reserved: v.optional(wholeNumber),
  available: v.optional(wholeNumber),
});

/** A row of the stock report. */
export type StockReportRow = v.InferOutput<typeof stockReportRow>;

/** Counts pets and units by category and status. As of an instant: by category, without status and reservations, which the ledger does not record. */
export const reportStock = reads({
  id: 'reportStock',
  summary: 'Count pets and units by category and status',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/stock',
  input: v.strictObject({ at: v.optional(rangeEndText) }),
  output: v.array(stockReportRow),
  run: async (tx, { at }): Promise<readonly StockReportRow[]> => {
    if (at !== undefined) return tx.reports.stockAt(at);
    const rows = await tx.reports.stock();
    return rows.map((row) => ({ ...row, available: available({ quantity: row.onHand, reserved: row.reserved }) }));
  },
});
