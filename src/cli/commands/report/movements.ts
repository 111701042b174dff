import { reportCommand, timeRange, type Canvas } from './report-command.js';
import { reportColumn, figure, categoryColumn } from './report-columns.js';
import { categoryText, categoryBars } from './category-bars.js';
import { reportMovements, type MovementRow } from '../../../domain/reports/report-movements.js';
import type { MovementFigures } from '../../../domain/reports/movement-figures.js';
import type { Command } from '../../command.js';
import { choice } from '../../flags.js';
import type { Column } from '../../output/view.js';

const movementNames = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const satisfies (keyof MovementFigures)[];

const movementColumns: readonly Column<MovementRow>[] = [
  reportColumn('day', 'Day'),
  figure('categoryId', 'Category ID'),
  categoryColumn,
  figure('opening', 'Opening', 4),
  figure('received', 'Received'),
  figure('sold', 'Sold'),
  figure('returned', 'Returned', 2),
  figure('writtenOff', 'Written off', 3),
  figure('counted', 'Counted', 1),
  figure('closing', 'Closing'),
];

const signed = (units: number): string => (units > 0 ? `+${units}` : String(units));

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
  'An undo reduces the figure that it undoes, on the day of the undo. Days are local, or those of UTC with --utc; --by day',
  'has a row for each day with movements. A terminal shows what went out and came in as bars, or closing - opening as a',
  'line through every day, zero where nothing moved; --fields leaves it out.',
];

/** The command `report movements`. */
export const reportMovementsCommand: Command = reportCommand({
  path: ['report', 'movements'],
  summary: 'sum up movements: closing = opening + received - sold + returned - written off + counted',
  flags: { ...timeRange, by: choice({ long: 'by', value: 'what', summary: 'a row for each', default: 'category', choices: ['category', 'day'] }) },
  operation: reportMovements,
  // The zone goes with the request, also to a server: it cuts the days.
  input: ({ from, to, by }, zone) => ({ from, to, by, ...(by === 'day' && { tz: zone.name }) }),
  range: ({ from, to }) => ({ from, to }),
  all: movementColumns,
  shown: ({ by }) => [...(by === 'day' ? ['day'] : ['categoryId', 'category']), ...movementNames],
  chart: (rows, flags, canvas) => (flags.by === 'day' ? movementDays(rows, flags, canvas) : movementChart(rows, canvas)),
  examples: ['petstore report movements', 'petstore report movements --from 2026-11-01 --to 2026-11-30', 'petstore report movements --by day --format csv'],
  figures: movementMeanings,
});
