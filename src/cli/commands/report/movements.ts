import { reportCommand, timeRange, type Canvas } from './report-command.js';
import { reportColumn, figure, categoryColumn, totalText } from './report-columns.js';
import { categoryText, categoryBars } from './category-bars.js';
import { movementGroups, reportMovements, type MovementRow } from '../../../domain/reports/report-movements.js';
import type { MovementFigures } from '../../../domain/reports/movement-figures.js';
import type { Command } from '../../command.js';
import { wholeNumber } from '../../readers.js';
import { choice, flag } from '../../flags.js';
import { signed } from '../../output/numbers.js';
import type { Column } from '../../output/view.js';

const movementNames = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const satisfies (keyof MovementFigures)[];

const movementColumns: readonly Column<MovementRow>[] = [
  reportColumn('day', 'Day'),
  reportColumn('week', 'Week'),
  reportColumn('month', 'Month'),
  figure('categoryId', 'Category ID'),
  categoryColumn,
  figure('petId', 'Pet ID'),
  { ...reportColumn('pet', 'Pet'), least: 8, idAfter: ({ petId }) => petId },
  figure('opening', 'Opening', 4),
  figure('received', 'Received'),
  figure('sold', 'Sold'),
  figure('returned', 'Returned', 2),
  figure('writtenOff', 'Written off', 3),
  figure('counted', 'Counted', 1),
  figure('closing', 'Closing'),
];

async function movementChart(rows: readonly MovementRow[], canvas: Canvas): Promise<string> {
  const { turnover } = await import('../../output/charts.js');
  const bars = rows.map((row) => {
    const { gain, loss } = turnover(row);
    return { name: categoryText(row.category), figures: [signed(0 - loss), signed(gain)], gain, loss };
  });
  return categoryBars(['Category', 'Out', 'In'], bars, canvas);
}

/** The first and the last day of a chart: those of the flags, but not before the first entry nor after today. */
function daysOf(
  rows: readonly MovementRow[],
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  { today, dayOf }: Canvas,
): { readonly from: string; readonly to: string } {
  const [first, last] = [rows[0], rows.at(-1)];
  const asked = to === undefined || dayOf(to) > today ? today : dayOf(to);
  const start = from !== undefined && (first?.opening ?? 0) > 0 ? dayOf(from) : (first?.day ?? today);
  return { from: start, to: asked > (last?.day ?? '') ? asked : (last?.day ?? asked) };
}

async function movementDays(rows: readonly MovementRow[], flags: Parameters<typeof daysOf>[1], canvas: Canvas): Promise<string> {
  const { dayChart } = await import('../../output/charts.js');
  const days = rows.map(({ day = '', opening, closing }) => ({ day, units: closing - opening }));
  return dayChart('Closing - opening, by day', days, daysOf(rows, flags, canvas), canvas);
}

const movementMeanings = [
  'opening     units on hand when the range begins',
  'received    openings of new pets, and adjustments upwards',
  'sold        completed orders, and pets set to sold',
  'returned    reopened orders, and pets set to available again',
  'writtenOff  adjustments downwards, and the last animal of a deleted pet',
  'counted     units added by counts, minus units removed by counts',
  'closing     opening + received - sold + returned - writtenOff + counted',
  '',
  'Pets, days, weeks and months without movements have no row. Weeks are those of ISO 8601, from Monday. The total of a',
  'table is that of the whole shop.',
  '',
  'An undo reduces the figure that it undoes, on the day of the undo. Days are local, or those of UTC with --utc; --by day',
  'has a row for each day with movements. A terminal shows what went out and came in as bars, or closing - opening as a',
  'line through every day, zero where nothing moved; --fields leaves it out.',
];

/** The figures of the whole shop, from those of all its categories. */
function movementTotal(by: string, categories: readonly MovementRow[]): MovementRow {
  const total = { opening: 0, received: 0, sold: 0, returned: 0, writtenOff: 0, counted: 0, closing: 0 };
  for (const row of categories) for (const name of movementNames) total[name] += row[name];
  return { [by]: totalText, ...total };
}

/** The command `report movements`. */
export const reportMovementsCommand: Command = reportCommand({
  path: ['report', 'movements'],
  summary: 'sum up movements: closing = opening + received - sold + returned - written off + counted',
  flags: {
    ...timeRange,
    by: choice({ long: 'by', value: 'what', summary: 'a row for each', default: 'category', choices: movementGroups }),
    top: flag({ long: 'top', value: 'n', summary: 'only the n rows with the most units sold', read: wholeNumber }),
  },
  operation: reportMovements,
  // The zone goes with the request, also to a server: it cuts the days.
  input: ({ from, to, by, top }, zone) => ({ from, to, by, top, tz: zone.name }),
  range: ({ from, to }) => ({ from, to }),
  title: ({ by = 'category', top }) => `Movements by ${by}${top === undefined ? '' : `, the ${top} most sold`}`,
  total: async (_, { from, to, by = 'category' }, call) => movementTotal(by, await call(reportMovements, { from, to })),
  all: movementColumns,
  notInTable: ['categoryId', 'petId'],
  shown: ({ by = 'category' }) => [...(by === 'category' || by === 'pet' ? [`${by}Id`, by] : [by]), ...movementNames],
  chart: async (rows, flags, canvas) => {
    if (flags.by === 'day') return flags.top === undefined ? movementDays(rows, flags, canvas) : '';
    return flags.by === undefined || flags.by === 'category' ? movementChart(rows, canvas) : '';
  },
  examples: [
    'petstore report movements',
    'petstore report movements --from 2026-11-01 --to 2026-11-30',
    'petstore report movements --by week --format csv',
    'petstore report movements --by pet --top 10',
  ],
  figures: movementMeanings,
});
