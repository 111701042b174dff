import { record, optional, field } from '../values/schemas.js';
import { reportCategoryFields } from './movement-figures.js';
import { wholeNumber } from '../values/numbers.js';
import { readOperation } from '../operation.js';
import { petStatus } from '../pets/pet-status.js';
import { instantOf } from './range.js';
import { dayOrTime, timeZone } from '../values/time.js';
import * as v from 'valibot';

/** A row of the stock report; with `at`, only the fields that the ledger records. */
export const stockReportRow = record('StockReportRow', 'The pets and units of one category and status, or of one category in a report with `at`.', {
  ...reportCategoryFields,
  status: optional(petStatus, 'Status of the pet.'),
  pets: field(wholeNumber, 'Number of pets.'),
  onHand: field(wholeNumber, 'Units on hand.'),
  reserved: optional(wholeNumber, 'Units reserved for open orders.'),
  held: optional(wholeNumber, 'Units of pets on hold that are not reserved.'),
  available: optional(wholeNumber, 'Units available for sale now.'),
});

/** A row of the stock report. */
export type StockReportRow = v.InferOutput<typeof stockReportRow>;

/** Counts pets and units by category and status; with `at`, only by category, because the ledger does not record status and reservations. */
export const reportStock = readOperation({
  id: 'reportStock',
  summary: 'Count pets and units by category and status',
  description:
    'Counts pets and units by category and status. With `at`, counts them at that time, only by category: the ledger does not record status and reservations.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/stock',
  input: v.strictObject({
    at: optional(dayOrTime, 'The time to report on: a date-time, or the end of a day in the time zone `tz`.'),
    tz: timeZone,
  }),
  output: v.array(stockReportRow),
  refuses: [],
  example: { answer: [{ categoryId: 1, category: 'Dogs', status: 'available', pets: 2, onHand: 7, reserved: 2, held: 0, available: 5 }] },
  cost: 'shop',
  run: (tx, { at, tz }): Promise<readonly StockReportRow[]> => (at === undefined ? tx.reports.stock() : tx.reports.stockAt(instantOf(at, 'end', tz, 'at'))),
});
