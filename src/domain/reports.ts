import * as v from 'valibot';
import type { movementKinds } from './ledger.js';
import { idNumber, wholeNumber } from './numbers.js';
import { reads } from './operation.js';
import { available, petStatus, type PetStatus } from './stock.js';
import { nameText } from './text.js';
import { checkRange, formatDateTime, parseDateTime, rangeEndText, rangeStartText } from './time.js';
import type { Reading } from './transaction.js';

/** The pets of a category that stood at an instant, and their units on hand. The category is the present one: the ledger does not record moves. */
export interface CategoryStock {
  readonly categoryId: number;
  readonly category: string;
  readonly pets: number;
  readonly onHand: number;
}

/** The live pets of a category and a status, and their units. */
export interface StatusStock extends CategoryStock {
  readonly status: PetStatus;
  readonly promised: number;
}

/** The units that moved for one reason, in or out. An undo moved them for the reason of the row it takes back. */
export interface Movement {
  readonly kind: Exclude<(typeof movementKinds)[number], 'undo'>;
  /** Whether the reason adds units; then an undo of it takes them away. */
  readonly gain: boolean;
  readonly units: number;
}

/** Where and when units moved. */
export type CategoryMovement = Movement & Pick<CategoryStock, 'categoryId' | 'category'>;
/** The units that moved on one day (UTC), such as 2026-11-20. */
export type DayMovement = Movement & { readonly day: string };

/** A range of time with both ends included; open where an end is missing. */
export interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The time a ledger covers. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The figures behind the reports, for reading; categories in the order of their ids, days in the order of time. */
export interface ReportReader {
  stock(): Promise<readonly StatusStock[]>;
  stockAt(instant: string): Promise<readonly CategoryStock[]>;
  categoryMovements(range: Range): Promise<readonly CategoryMovement[]>;
  dayMovements(range: Range): Promise<readonly DayMovement[]>;
  /** When the first and the last ledger row were written. */
  span(): Promise<Span>;
}

const category = { categoryId: idNumber, category: nameText };

/** A row of the stock report; at an instant of the past without what the ledger does not record. */
export const stockReportRow = v.object({
  ...category,
  status: v.optional(petStatus),
  pets: wholeNumber,
  onHand: wholeNumber,
  promised: v.optional(wholeNumber),
  available: v.optional(wholeNumber),
});
/** A row of the stock report. */
export type StockReportRow = v.InferOutput<typeof stockReportRow>;

/** Counts pets and units by category and status. As of an instant: by category, without status and promises, which the ledger does not record. */
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
    return rows.map((row) => ({ ...row, available: available({ quantity: row.onHand, promised: row.promised }) }));
  },
});

const movementFigures = v.object({
  opening: wholeNumber,
  received: wholeNumber,
  sold: wholeNumber,
  returned: wholeNumber,
  writtenOff: wholeNumber,
  counted: wholeNumber,
  closing: wholeNumber,
});
/** closing = opening + received − sold + returned − writtenOff + counted, in units. */
export type MovementFigures = v.InferOutput<typeof movementFigures>;

/** A row of the movements report: of a category, or of a day on which something moved. */
export const movementRow = v.object({ day: v.optional(v.string()), ...v.partial(v.object(category)).entries, ...movementFigures.entries });
/** A row of the movements report. */
export type MovementRow = v.InferOutput<typeof movementRow>;

const reasons = { opening: 'received', sale: 'sold', return: 'returned', count: 'counted' } as const;

/** What units that open at `opening` come to. What is sold and written off counts as positive. */
export function movementFiguresOf(opening: number, movements: readonly Movement[]): MovementFigures {
  const moved = { received: 0, sold: 0, returned: 0, writtenOff: 0, counted: 0 };
  let closing = opening;
  for (const { kind, gain, units } of movements) {
    const reason = kind === 'adjust' ? (gain ? 'received' : 'writtenOff') : reasons[kind];
    moved[reason] += reason === 'sold' || reason === 'writtenOff' ? -units : units;
    closing += units;
  }
  return { opening, ...moved, closing };
}

const rangeParameters = { from: v.optional(rangeStartText), to: v.optional(rangeEndText) };

/** What was on hand when a range began; nothing where it begins with the shop. */
async function openings(tx: Reading, { from }: Range): Promise<readonly CategoryStock[]> {
  return from === undefined ? [] : tx.reports.stockAt(formatDateTime((parseDateTime(from) ?? 0) - 1));
}

function grouped<Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): ReadonlyMap<Key, readonly Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

async function byCategory(tx: Reading, range: Range): Promise<readonly (MovementFigures & Pick<CategoryStock, 'categoryId' | 'category'>)[]> {
  const opening = await openings(tx, range);
  const movements = await tx.reports.categoryMovements(range);
  const names = new Map([...opening, ...movements].map((row) => [row.categoryId, row.category]));
  const onHand = new Map(opening.map((row) => [row.categoryId, row.onHand]));
  const moved = grouped(movements, ({ categoryId }) => categoryId);
  const categories = [...names].toSorted(([one], [other]) => one - other);
  return categories.map(([categoryId, name]) => ({
    categoryId,
    category: name,
    ...movementFiguresOf(onHand.get(categoryId) ?? 0, moved.get(categoryId) ?? []),
  }));
}

async function byDay(tx: Reading, range: Range): Promise<readonly (MovementFigures & Pick<DayMovement, 'day'>)[]> {
  let opening = (await openings(tx, range)).reduce((sum, { onHand }) => sum + onHand, 0);
  const days = grouped(await tx.reports.dayMovements(range), ({ day }) => day);
  return [...days].map(([day, movements]) => {
    const figures = movementFiguresOf(opening, movements);
    opening = figures.closing;
    return { day, ...figures };
  });
}

/** Sums up what moved between two instants, by category or by day. Refuses a range that ends before it starts with `invalid_parameter`. */
export const reportMovements = reads({
  id: 'reportMovements',
  summary: 'Sum up what moved, by category or by day',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/movements',
  input: v.strictObject({ ...rangeParameters, by: v.optional(v.picklist(['category', 'day'], 'must be category or day'), 'category') }),
  output: v.array(movementRow),
  run: async (tx, { by, ...range }): Promise<readonly MovementRow[]> => {
    checkRange('from', range.from, 'to', range.to);
    return by === 'day' ? byDay(tx, range) : byCategory(tx, range);
  },
});

/** A row of the sell-through report: of a category, or without one of all of them. */
export const sellThroughRow = v.object({
  ...v.partial(v.object(category)).entries,
  ...v.pick(movementFigures, ['opening', 'received', 'sold', 'returned', 'closing']).entries,
  sellThrough: v.optional(v.number()),
  daysOfStock: v.optional(v.number()),
});
/** A row of the sell-through report. */
export type SellThroughRow = v.InferOutput<typeof sellThroughRow>;

const day = 24 * 60 * 60 * 1000;

/** The days of a range that the ledger covers, at least one: neither time before the shop nor time to come slows its sales. */
export function coveredDays({ from = '', to = '9999' }: Range, span: Span): number {
  const start = from > span.from ? from : span.from;
  const end = to < span.to ? to : span.to;
  return Math.max(1, ((parseDateTime(end) ?? 0) - (parseDateTime(start) ?? 0)) / day);
}

function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/**
 * How well units sold: sellThrough = (sold − returned) ÷ (opening + received), to four decimals, where there was
 * something to sell; daysOfStock = closing ÷ (sold − returned) × days, to one decimal, where something was sold.
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

/** Says how well stock sold between two instants, by category and, in the last row, in all. Refuses like `reportMovements`. */
export const reportSellThrough = reads({
  id: 'reportSellThrough',
  summary: 'Say how well stock sold and how long it lasts',
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/sell-through',
  input: v.strictObject(rangeParameters),
  output: v.array(sellThroughRow),
  run: async (tx, range): Promise<readonly SellThroughRow[]> => {
    checkRange('from', range.from, 'to', range.to);
    const rows = await byCategory(tx, range);
    if (rows.length === 0) return [];
    const days = coveredDays(range, await tx.reports.span());
    const categories = rows.map((row) => ({ categoryId: row.categoryId, category: row.category, ...sellThroughOf(row, days) }));
    return [...categories, sellThroughOf(totalOf(rows), days)];
  },
});
