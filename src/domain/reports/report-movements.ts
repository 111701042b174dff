import { categoryFields, movementFigures, type MovementFigures, movementFiguresOf } from './movement-figures.js';
import { coveredPart, type Range, rangeIn, rangeParameters } from './range.js';
import type { DayMovement } from './report-table.js';
import { openings, groupBy, byCategory } from './movements-by-category.js';
import { readOperation } from '../operation.js';
import { offsetsBetween, utc, type OffsetSpan, type TimeZone } from '../values/time-zone.js';
import { record, optional, field } from '../values/schemas.js';
import type { ReadTransaction } from '../transaction.js';
import * as v from 'valibot';

/** A row of the movements report: of one category, or of one day with movements. */
export const movementRow = record('MovementRow', 'The units that moved in one category or on one day; days without movements are left out.', {
  day: optional(v.string(), 'The day, in the time zone `tz`.'),
  ...v.partial(v.object(categoryFields)).entries,
  ...movementFigures.entries,
});

/** A row of the movements report. */
export type MovementRow = v.InferOutput<typeof movementRow>;

/** The offsets of a zone in the part of a range that the ledger covers. */
async function offsetsIn(tx: ReadTransaction, range: Range, zone: TimeZone): Promise<readonly OffsetSpan[]> {
  // UTC has one offset, so the ledger need not be asked for its span.
  if (zone === utc) return offsetsBetween(utc, 0, 0);
  const { start, end } = coveredPart(range, await tx.reports.span());
  return offsetsBetween(zone, start, end);
}

async function byDay(tx: ReadTransaction, range: Range, zone: TimeZone): Promise<readonly (MovementFigures & Pick<DayMovement, 'day'>)[]> {
  let opening = (await openings(tx, range)).reduce((sum, { onHand }) => sum + onHand, 0);
  const days = groupBy(await tx.reports.dayMovements(range, await offsetsIn(tx, range, zone)), ({ day }) => day);
  return [...days].map(([day, movements]) => {
    const figures = movementFiguresOf(opening, movements);
    opening = figures.closing;
    return { day, ...figures };
  });
}

/** Sums up the movements of a range by category or by day. Refuses with `invalid_parameter` a range that ends before it starts. */
export const reportMovements = readOperation({
  id: 'reportMovements',
  summary: 'Sum up stock movements by category or by day',
  description:
    'Sums up the stock movements of a time range by category or by day of the time zone `tz`. In every row `closing` = `opening` + `received` − `sold` + `returned` − `writtenOff` + `counted`.',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/movements',
  input: v.strictObject({
    ...rangeParameters,
    by: v.optional(field(v.picklist(['category', 'day'], 'must be category or day'), 'Whether each row is a category or a day.'), 'category'),
  }),
  output: v.array(movementRow),
  refuses: [],
  example: {
    answer: [{ categoryId: 1, category: 'Dogs', opening: 5, received: 6, sold: 3, returned: 0, writtenOff: 1, counted: 0, closing: 7 }],
  },
  cost: 'shop',
  run: async (tx, { by, from, to, tz }): Promise<readonly MovementRow[]> => {
    const range = rangeIn(tz, from, to);
    return by === 'day' ? byDay(tx, range, tz) : byCategory(tx, range);
  },
});
