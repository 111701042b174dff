import { reportCategoryFields, movementFigures, type MovementFigures, movementFiguresOf } from './movement-figures.js';
import { coveredPart, type Range, rangeIn, rangeParameters } from './range.js';
import { groupBy, byCategory } from './movements-by-category.js';
import { readOperation } from '../operation.js';
import { addDays, millisecondsPerDay, offsetsBetween, utc, type OffsetSpan, type TimeZone } from '../values/time-zone.js';
import { checkMayReadPets } from '../tokens/token.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { nameText } from '../values/text.js';
import { record, optional, field } from '../values/schemas.js';
import type { ReadTransaction } from '../transaction.js';
import * as v from 'valibot';

/** The greatest number of rows of one pet each. */
const maximumPets = 10_000;

/** What a row of the movements report is about. */
export const movementGroups = ['category', 'pet', 'day', 'week', 'month'] as const;

const rowDescription = 'The units that moved in one category, of one pet, or in one day, week or month; pets and times without movements are left out.';

/** A row of the movements report: of one category or one pet, or of one day, week or month with movements. */
export const movementRow = record('MovementRow', rowDescription, {
  day: optional(v.string(), 'The day, in the time zone `tz`.'),
  week: optional(v.string(), 'The ISO 8601 week, from Monday, such as 2026-W47, in the time zone `tz`.'),
  month: optional(v.string(), 'The month, such as 2026-11, in the time zone `tz`.'),
  petId: optional(idNumber, 'ID of the animal.'),
  pet: optional(nameText, "The animal's name."),
  ...v.partial(v.object(reportCategoryFields)).entries,
  ...movementFigures.entries,
});

/** A row of the movements report. */
export type MovementRow = v.InferOutput<typeof movementRow>;

/** The ISO 8601 week of a day: "2026-W47". A week starts on Monday and belongs to the year of its Thursday. */
export function weekOf(day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const thursday = addDays(day, 3 - weekday);
  const year = thursday.slice(0, 4);
  const days = (Date.parse(`${thursday}T00:00:00Z`) - Date.parse(`${year}-01-01T00:00:00Z`)) / millisecondsPerDay;
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

/** The offsets of a zone in the part of a range that the ledger covers. */
async function offsetsIn(tx: ReadTransaction, range: Range, zone: TimeZone): Promise<readonly OffsetSpan[]> {
  // UTC has one offset, so the ledger need not be asked for its span.
  if (zone === utc) return offsetsBetween(utc, 0, 0);
  const { start, end } = coveredPart(range, await tx.reports.span());
  return offsetsBetween(zone, start, end);
}

/** Rows in the order of their days; each starts with the units with which the one before ended. */
async function byTime(tx: ReadTransaction, range: Range, zone: TimeZone, keyOf: (day: string) => string): Promise<ReadonlyMap<string, MovementFigures>> {
  let opening = range.from === undefined ? 0 : await tx.reports.unitsBefore(range.from);
  const groups = groupBy(await tx.reports.dayMovements(range, await offsetsIn(tx, range, zone)), ({ day }) => keyOf(day));
  const rows = new Map<string, MovementFigures>();
  for (const [key, movements] of groups) {
    const figures = movementFiguresOf(opening, movements);
    opening = figures.closing;
    rows.set(key, figures);
  }
  return rows;
}

async function byPet(tx: ReadTransaction, range: Range, top: number | undefined): Promise<readonly MovementRow[]> {
  const pets = groupBy(await tx.reports.petMovements(range, { bestSold: top !== undefined, limit: top ?? maximumPets }), ({ petId }) => petId);
  return [...pets].map(([petId, movements]) => {
    const { pet = '', opening = 0 } = movements[0] ?? {};
    return { petId, pet, ...movementFiguresOf(opening, movements) };
  });
}

/** The `top` rows with the most units sold less those returned, the most first, without those that sold none; all rows in their order without `top`. */
function bestSold(rows: readonly MovementRow[], top: number | undefined): readonly MovementRow[] {
  const net = ({ sold, returned }: MovementRow): number => sold - returned;
  return top === undefined
    ? rows
    : rows
        .filter((row) => net(row) > 0)
        .toSorted((one, other) => net(other) - net(one))
        .slice(0, top);
}

const rowsBy: Record<(typeof movementGroups)[number], (tx: ReadTransaction, range: Range, zone: TimeZone, top?: number) => Promise<readonly MovementRow[]>> = {
  category: (tx, range) => byCategory(tx, range),
  pet: (tx, range, _, top) => byPet(tx, range, top),
  day: async (tx, range, zone) => [...(await byTime(tx, range, zone, (day) => day))].map(([day, figures]) => ({ day, ...figures })),
  week: async (tx, range, zone) => [...(await byTime(tx, range, zone, weekOf))].map(([week, figures]) => ({ week, ...figures })),
  month: async (tx, range, zone) => [...(await byTime(tx, range, zone, (day) => day.slice(0, 7)))].map(([month, figures]) => ({ month, ...figures })),
};

const topNumber = v.pipe(wholeNumber, v.minValue(1, 'must be at least 1'), v.maxValue(maximumPets, `must be at most ${maximumPets}`));

/** Sums up the movements of a range by category, pet, day, week or month. Refuses with `validation_failed` a range that ends before it starts. */
export const reportMovements = readOperation({
  id: 'reportMovements',
  summary: 'Sum up stock movements by category, pet, day, week or month',
  description: `Sums up the stock movements of a time range by category, by pet, or by day, week or month of the time zone \`tz\`; at most ${maximumPets} pets. In every row \`closing\` = \`opening\` + \`received\` − \`sold\` + \`returned\` − \`writtenOff\` + \`counted\`.`,
  tag: 'Store',
  stability: 'beta',
  path: '/store/reports/movements',
  input: v.strictObject({
    ...rangeParameters,
    by: v.optional(field(v.picklist(movementGroups, 'must be category, pet, day, week or month'), 'What each row is about.'), 'category'),
    top: optional(
      topNumber,
      'Only this many rows: those with the most units sold less those returned, the most first. Rows that sold none are left out. Default: all, in the order of ids or times.',
    ),
  }),
  output: v.array(movementRow),
  refuses: ['validation_failed'],
  example: {
    answer: [{ categoryId: 1, category: 'Dogs', opening: 5, received: 6, sold: 3, returned: 0, writtenOff: 1, counted: 0, closing: 7 }],
  },
  cost: 'shop',
  run: async (tx, { by, top, from, to, tz }): Promise<readonly MovementRow[]> => {
    if (by === 'pet') checkMayReadPets(tx.scopes, 'by=pet');
    return bestSold(await rowsBy[by](tx, rangeIn(tz, from, to), tz, top), top);
  },
});
