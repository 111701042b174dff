import { reportCategoryFields, movementFigures, type MovementFigures, movementFiguresOf } from './movement-figures.js';
import { coveredPart, type LedgerSpan, type Range, rangeIn, rangeParameters } from './range.js';
import { byCategory } from './movements-by-category.js';
import { readOperation } from '../operation.js';
import { localDaysBetween, type TimeZone } from '../values/time-zone.js';
import { record, optional } from '../values/schemas.js';
import * as v from 'valibot';

/** A row of the sell-through report: of one category, or of all if it has no category. */
export const sellThroughRow = record('SellThroughRow', 'The sales of one category, or of all categories in a row without a category.', {
  ...v.partial(v.object(reportCategoryFields)).entries,
  ...v.pick(movementFigures, ['opening', 'received', 'sold', 'returned', 'closing']).entries,
  sellThrough: optional(v.number(), '(`sold` − `returned`) ÷ (`opening` + `received`), to four decimals; absent if there was nothing to sell.'),
  daysOfStock: optional(
    v.number(),
    'Days that `closing` lasts at the rate of the range, in days of the time zone `tz`, to one decimal; absent if nothing was sold.',
  ),
});

/** A row of the sell-through report. */
export type SellThroughRow = v.InferOutput<typeof sellThroughRow>;

/** The number of local days of a range that the ledger covers, at least 1. Days before the first or after the last entry would lower the rate of sales. */
export function coveredDays(range: Range, span: LedgerSpan, zone: TimeZone): number {
  const { start, end } = coveredPart(range, span);
  return Math.max(1, localDaysBetween(start, end, zone));
}

function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/**
 * The sell-through of a range: sellThrough = (sold − returned) ÷ (opening + received), to four decimals, if there was
 * anything to sell; daysOfStock = closing ÷ (sold − returned) × days, to one decimal, if anything was sold.
 */
export function sellThroughOf({ opening, received, sold, returned, closing }: MovementFigures, days: number): SellThroughRow {
  const [net, stocked] = [sold - returned, opening + received];
  return {
    opening,
    received,
    sold,
    returned,
    closing,
    ...(stocked > 0 && { sellThrough: rounded(net / stocked, 4) }),
    ...(net > 0 && { daysOfStock: rounded((closing / net) * days, 1) }),
  };
}

function totalOf(rows: readonly MovementFigures[]): MovementFigures {
  const total = movementFiguresOf(0, []);
  const names = Object.keys(total) as readonly (keyof MovementFigures)[];
  for (const row of rows) for (const name of names) total[name] += row[name];
  return total;
}

/** Reports the sell-through of a range by category, with a total in the last row. Refuses with `validation_failed` a range that ends before it starts. */
export const reportSellThrough = readOperation({
  id: 'reportSellThrough',
  summary: 'Report sell-through and days of stock',
  description:
    'Reports the sales of a time range by category, with a total in the last row: `sellThrough` is the share of the stock that was sold, `daysOfStock` the number of days that the rest lasts at that rate.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/sell-through',
  input: v.strictObject(rangeParameters),
  output: v.array(sellThroughRow),
  refuses: ['validation_failed'],
  example: {
    answer: [{ categoryId: 1, category: 'Dogs', opening: 5, received: 6, sold: 3, returned: 0, closing: 7, sellThrough: 0.2727, daysOfStock: 70 }],
  },
  cost: 'shop',
  run: async (tx, { from, to, tz }): Promise<readonly SellThroughRow[]> => {
    const range = rangeIn(tz, from, to);
    const rows = await byCategory(tx, range);
    if (rows.length === 0) return [];
    const days = coveredDays(range, await tx.reports.span(), tz);
    const categories = rows.map((row) => ({ categoryId: row.categoryId, category: row.category, ...sellThroughOf(row, days) }));
    return [...categories, sellThroughOf(totalOf(rows), days)];
  },
});
