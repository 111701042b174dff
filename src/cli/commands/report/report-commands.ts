import type { MovementFigures } from '../../../domain/reports/movement-figures.js';
import { type DeadStockRow, reportDeadStock } from '../../../domain/reports/report-dead-stock.js';
import { type MovementRow, movementGroups, reportMovements } from '../../../domain/reports/report-movements.js';
import { type SellThroughRow, reportSellThrough } from '../../../domain/reports/report-sell-through.js';
import { type StockReportRow, reportStock } from '../../../domain/reports/report-stock.js';
import { pluralize } from '../../../domain/values/text.js';
import type { Command } from '../../command.js';
import { asOf, choice, flag } from '../../flags.js';
import { listTime } from '../../output/time-text.js';
import { columnsOf } from '../../output/view.js';
import { wholeNumber } from '../../readers.js';
import { statusColours } from '../pet/pet-fields.js';
import { percent, reportCommand, timeRange, totalText } from './report-command.js';

const categoryColumn = { heading: 'Category', least: 8 };

const { all: stockColumns } = columnsOf<StockReportRow>({
  categoryId: { heading: 'Category ID', numeric: true },
  category: categoryColumn,
  status: { heading: 'Status', dot: true, colour: ({ status }) => status && statusColours[status] },
  pets: { heading: 'Pets', leaveOut: 2, numeric: true },
  onHand: { heading: 'On hand', numeric: true },
  reserved: { heading: 'Reserved', leaveOut: 1, numeric: true },
  held: { heading: 'On hold', leaveOut: 3, numeric: true },
  available: { heading: 'Available', numeric: true },
});

/** The sums of some figures of rows. */
function sumsOf<Name extends string>(
  names: readonly Name[],
  rows: readonly Readonly<Partial<Record<Name, number | undefined>>>[],
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)])) as Record<Name, number>;
}

const stockNames = ['pets', 'onHand', 'reserved', 'held', 'available'] as const;

const reportStockCommand = reportCommand({
  path: ['report', 'stock'],
  summary: 'count pets and units by category and status',
  flags: { at: asOf },
  operation: reportStock,
  title: ({ at }) => (at === undefined ? 'Stock by category and status' : 'Stock by category'),
  total: async (rows) => ({ categoryId: 0, category: totalText, ...sumsOf(stockNames, rows) }),
  input: ({ at }) => ({ at }),
  range: ({ at }) => (at === undefined ? undefined : { at }),
  all: stockColumns,
  shown: ({ at }) => ['categoryId', 'category', ...(at === undefined ? ['status', 'pets', 'onHand', 'reserved', 'held', 'available'] : ['pets', 'onHand'])],
  bars: { heading: 'On hand', of: ({ onHand }) => onHand },
  examples: ['petstore report stock', 'petstore report stock --at 2026-11-20', 'petstore report stock --json'],
});

const movementNames = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const satisfies (keyof MovementFigures)[];

const { all: movementColumns } = columnsOf<MovementRow>({
  day: { heading: 'Day' },
  week: { heading: 'Week' },
  month: { heading: 'Month' },
  categoryId: { heading: 'Category ID', numeric: true },
  category: categoryColumn,
  petId: { heading: 'Pet ID', numeric: true },
  pet: { heading: 'Pet', least: 8, idAfter: ({ petId }) => petId },
  opening: { heading: 'Opening', leaveOut: 4, numeric: true },
  received: { heading: 'Received', numeric: true },
  sold: { heading: 'Sold', numeric: true },
  returned: { heading: 'Returned', leaveOut: 2, numeric: true },
  writtenOff: { heading: 'Written off', leaveOut: 3, numeric: true },
  counted: { heading: 'Counted', leaveOut: 1, numeric: true },
  closing: { heading: 'Closing', numeric: true },
});

const reportMovementsCommand = reportCommand({
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
  // The figures of the whole shop: the rows can be those of a few pets.
  total: async (_, { from, to, by = 'category' }, call) => ({ [by]: totalText, ...sumsOf(movementNames, await call(reportMovements, { from, to })) }),
  all: movementColumns,
  notInTable: ['categoryId', 'petId'],
  shown: ({ by = 'category' }) => [...(by === 'category' || by === 'pet' ? [`${by}Id`, by] : [by]), ...movementNames],
  bars: { heading: 'Sold', of: ({ sold }) => sold },
  examples: [
    'petstore report movements',
    'petstore report movements --from 2026-11-01 --to 2026-11-30',
    'petstore report movements --by week --format csv',
    'petstore report movements --by pet --top 10',
  ],
});

const { all: sellThroughColumns } = columnsOf<SellThroughRow>({
  categoryId: { heading: 'Category ID', numeric: true },
  // The last row is the total: it has no category.
  category: { ...categoryColumn, text: ({ category = totalText }) => category },
  opening: { heading: 'Opening', leaveOut: 2, numeric: true },
  received: { heading: 'Received', leaveOut: 3, numeric: true },
  sold: { heading: 'Sold', numeric: true },
  returned: { heading: 'Returned', leaveOut: 1, numeric: true },
  closing: { heading: 'Closing', numeric: true },
  sellThrough: { heading: 'Sell-through', numeric: true, text: ({ sellThrough }) => percent(sellThrough) },
  daysOfStock: { heading: 'Days left', leaveOut: 4, numeric: true },
});

const reportSellThroughCommand = reportCommand({
  path: ['report', 'sell-through'],
  summary: 'show sell-through, (sold - returned) / (opening + received), and days of stock',
  flags: timeRange,
  operation: reportSellThrough,
  title: () => 'Sell-through by category',
  isTotal: ({ category }) => category === undefined,
  input: ({ from, to }, zone) => ({ from, to, tz: zone.name }),
  range: ({ from, to }) => ({ from, to }),
  all: sellThroughColumns,
  bars: { heading: 'Sell-through', of: ({ sellThrough = 0 }) => sellThrough, text: percent },
  examples: ['petstore report sell-through', 'petstore report sell-through --from 2026-11-01 --to 2026-11-30 --json'],
});

const { all: deadStockColumns } = columnsOf<DeadStockRow>({
  petId: { heading: 'ID', numeric: true },
  pet: { heading: 'Pet', least: 8 },
  category: { ...categoryColumn, leaveOut: 2 },
  onHand: { heading: 'On hand', numeric: true },
  lastSold: {
    heading: 'Last sold',
    text: ({ lastSold }, now, zone) => (lastSold === undefined ? 'never' : listTime(lastSold, now, zone)),
    leaveOut: 1,
  },
  idleDays: { heading: 'Idle days', numeric: true },
});

const reportDeadStockCommand = reportCommand({
  path: ['report', 'dead-stock'],
  summary: 'list pets on hand without recent sales',
  flags: { days: flag({ long: 'days', value: 'n', summary: 'days without a sale', default: '90', read: wholeNumber }) },
  operation: reportDeadStock,
  title: ({ days = 90 }) => `Pets without a sale for ${pluralize(days, 'day')}`,
  input: ({ days }, zone) => ({ days, tz: zone.name }),
  all: deadStockColumns,
  examples: ['petstore report dead-stock', 'petstore report dead-stock --days 30 --format csv'],
});

/** The commands of reports. */
export const reportCommands: readonly Command[] = [reportStockCommand, reportMovementsCommand, reportSellThroughCommand, reportDeadStockCommand];
