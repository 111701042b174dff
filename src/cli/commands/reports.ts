import { StoreError } from '../../domain/errors.js';
import type { ReadOperation } from '../../domain/operation.js';
import { reportMovements, type MovementRow } from '../../domain/reports/report-movements.js';
import { reportSellThrough, type SellThroughRow } from '../../domain/reports/report-sell-through.js';
import { reportStock, type StockReportRow } from '../../domain/reports/report-stock.js';
import type { MovementFigures } from '../../domain/reports/movement-figures.js';
import { formatDateTime } from '../../domain/values/time.js';
import type { Bar } from '../output/charts.js';
import { command, type Command, type Spoken } from '../command.js';
import { asOf, choice, flag, instantAt, type Flags, type FlagValues } from '../flags.js';
import { once } from '../record-command.js';
import { sanitiseCell } from '../output/sanitise.js';
import type { Screen } from '../output/table.js';
import { chosen, writeRows, writeTable, type Column, type Columns } from '../output/view.js';
import { statusColours } from './pets.js';

/** What a chart is drawn on. */
interface Canvas extends Screen {
  /** The present day (UTC), such as 2026-11-20. */
  readonly today: string;
}

const mostBars = 30;
const dayOf = (time: string): string => time.slice(0, 10);

/** Declares a command that shows the rows of a report; which columns stand by default depends on its flags. */
function reportCommand<Asked, Input, Row, F extends Flags>(
  spoken: Spoken & {
    readonly does: ReadOperation<Asked, Input, readonly Row[]>;
    readonly all: readonly Column<Row>[];
    readonly shown: (flags: FlagValues<F>) => readonly string[];
    readonly flags: F;
    readonly input: (flags: FlagValues<F>) => Asked;
    /** What a terminal shows below the table. */
    readonly chart: (rows: readonly Row[], flags: FlagValues<F>, canvas: Canvas) => Promise<string>;
  },
): Command {
  const { does, all, shown, flags, input, chart, ...words } = spoken;
  return command({
    ...words,
    does: [does],
    flags,
    fields: all.map(({ name }) => name),
    run: async ({ io, settings, paint, shop, note }, _, values: FlagValues<F>) => {
      const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
      if (format === 'ids') throw new StoreError('usage', 'The rows of a report have no ids.', 'petstore report --help');
      const names = shown(values);
      // A table names its categories; their ids would take the room that the figures need.
      const columns: Columns<Row> = { all, shown: format === 'table' ? names.filter((name) => name !== 'categoryId') : names, json: names, id: '' };
      const asked = chosen(columns, settings.fields, format);
      const rows = await (await shop()).call(does, input(values));
      if (format === 'count') return io.stdout.write(`${rows.length}\n`);
      if (format !== 'table') return writeRows(io.stdout, format, asked, once(rows));
      await writeTable(io.stdout, asked, rows, { paint, now: io.now(), note });
      if (rows.length === 0) return note('Nothing found.');
      // Who asks for certain columns, or draws a table into a file, wants just these.
      if (!io.stdout.isTerminal || settings.fields !== undefined) return;
      const drawn = await chart(rows, values, { columns: io.stdout.columns, paint, today: dayOf(formatDateTime(io.now())) });
      if (drawn !== '') await io.stdout.write(`\n${drawn}`);
    },
  });
}

function word<Name extends string>(name: Name, heading: string): Column<{ readonly [Key in Name]?: unknown }> {
  return { name, heading, value: (row) => row[name] };
}

/** A figure; those of a report that say less are left out first. */
function figure<Name extends string>(name: Name, heading: string, leaveOut?: number): Column<{ readonly [Key in Name]?: unknown }> {
  return { ...word(name, heading), numeric: true, ...(leaveOut !== undefined && { leaveOut }) };
}

const categoryColumn = { ...word('category', 'Category'), least: 8 };

const stockColumns: readonly Column<StockReportRow>[] = [
  figure('categoryId', 'Category ID'),
  categoryColumn,
  { name: 'status', heading: 'Status', dot: true, value: ({ status }) => status, colour: ({ status }) => status && statusColours[status] },
  figure('pets', 'Pets', 2),
  figure('onHand', 'On hand'),
  figure('reserved', 'Reserved', 1),
  figure('available', 'Available'),
];

const movementNames = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const satisfies (keyof MovementFigures)[];
const movementColumns: readonly Column<MovementRow>[] = [
  word('day', 'Day'),
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

const percent = (share: number | undefined): string => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`);

const sellThroughColumns: readonly Column<SellThroughRow>[] = [
  figure('categoryId', 'Category ID'),
  // The last row is of no category: a table says so, data leave it empty.
  { ...categoryColumn, text: ({ category = '(all)' }) => category },
  figure('opening', 'Opening', 2),
  figure('received', 'Received', 3),
  figure('sold', 'Sold'),
  figure('returned', 'Returned', 1),
  figure('closing', 'Closing'),
  { ...figure('sellThrough', 'Sell-through'), text: ({ sellThrough }) => percent(sellThrough) },
  figure('daysOfStock', 'Days left', 4),
];

/** Bars of categories, the largest where there are many. */
async function categoryBars(heads: readonly [string, ...string[]], bars: readonly Bar[], canvas: Canvas): Promise<string> {
  const { barChart, largest } = await import('../output/charts.js');
  const drawn = barChart(heads, largest(bars, mostBars), canvas);
  return drawn === '' || bars.length <= mostBars ? drawn : `${drawn}The ${mostBars} largest of ${bars.length} categories.\n`;
}

const nameOf = (category: string | undefined): string => sanitiseCell(category ?? '(all)');

function stockChart(rows: readonly StockReportRow[], canvas: Canvas): Promise<string> {
  const units = new Map<number, { readonly name: string; readonly onHand: number }>();
  for (const { categoryId, category, onHand } of rows) {
    units.set(categoryId, { name: nameOf(category), onHand: onHand + (units.get(categoryId)?.onHand ?? 0) });
  }
  const bars = [...units.values()].map(({ name, onHand }) => ({ name, figures: [String(onHand)], gain: onHand, loss: 0 }));
  return categoryBars(['Category', 'On hand'], bars, canvas);
}

const signed = (units: number): string => (units > 0 ? `+${units}` : String(units));

async function movementChart(rows: readonly MovementRow[], canvas: Canvas): Promise<string> {
  const { turnover } = await import('../output/charts.js');
  const bars = rows.map((row) => {
    const { gain, loss } = turnover(row);
    return { name: nameOf(row.category), figures: [signed(0 - loss), signed(gain)], gain, loss };
  });
  return categoryBars(['Category', 'Out', 'In'], bars, canvas);
}

/** The days a chart begins and ends with: those asked for, but neither before there was anything nor to come. */
function daysOf(
  rows: readonly MovementRow[],
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  today: string,
): { readonly from: string; readonly to: string } {
  const [first, last] = [rows[0], rows.at(-1)];
  const asked = to === undefined || dayOf(to) > today ? today : dayOf(to);
  const start = from !== undefined && (first?.opening ?? 0) > 0 ? dayOf(from) : (first?.day ?? today);
  return { from: start, to: asked > (last?.day ?? '') ? asked : (last?.day ?? asked) };
}

async function movementDays(rows: readonly MovementRow[], flags: Parameters<typeof daysOf>[1], canvas: Canvas): Promise<string> {
  const { dayChart } = await import('../output/charts.js');
  const days = rows.map(({ day = '', opening, closing }) => ({ day, units: closing - opening }));
  return dayChart('Closing - opening, by day', days, daysOf(rows, flags, canvas.today), canvas);
}

function sellThroughChart(rows: readonly SellThroughRow[], canvas: Canvas): Promise<string> {
  const bars = rows.map(({ category, sellThrough }) => ({
    name: nameOf(category),
    figures: [percent(sellThrough)],
    gain: Math.max(0, sellThrough ?? 0),
    loss: Math.max(0, -(sellThrough ?? 0)),
  }));
  return categoryBars(['Category', 'Sell-through'], bars, canvas);
}

const range = {
  from: flag('--from <time>', 'from this day (UTC) or time on (default: from the first entry of the ledger)', instantAt('start')),
  to: flag('--to <time>', 'up to this day (UTC) or time, a day included whole (default: up to now)', instantAt('end')),
};

const stockFigures = [
  'pets        pets of the category and status',
  'onHand      units in the shop',
  'reserved    units that open orders ask for',
  'available   onHand - reserved; negative while a counted shortage stands',
  '',
  'With --at by category alone: the ledger does not record what an order asks for, nor moves between categories.',
  'A terminal shows a bar for the units on hand of each category; --fields leaves it out.',
];

const movementMeanings = [
  'opening     units on hand when the range begins',
  'received    openings of new pets, and adjustments upwards',
  'sold        completed orders, and pets set to sold',
  'returned    reopened orders, and pets set to available again',
  'writtenOff  adjustments downwards, and the last animal of a deleted pet',
  'counted     what counts found too many or, negative, missing',
  'closing     opening + received - sold + returned - writtenOff + counted',
  '',
  'An undo counts against the figure it takes back, on the day of the undo. Days are those of UTC; --by day has a row',
  'for each on which something moved. A terminal shows what went out and came in as bars, or closing - opening as a',
  'line through every day, zero where nothing moved; --fields leaves it out.',
];

const sellThroughFigures = [
  'opening      units on hand when the range begins',
  'received     openings of new pets, and adjustments upwards',
  'sold         completed orders, and pets set to sold',
  'returned     reopened orders, and pets set to available again',
  'closing      units on hand when the range ends',
  'sellThrough  (sold - returned) / (opening + received); empty where there was nothing to sell',
  'daysOfStock  closing / (sold - returned) * days; empty where nothing was sold',
  '',
  'days are those of the range that the ledger covers, from its first entry to its last, and at least one. The last row',
  'is of all categories. A terminal shows a bar for each sellThrough; --fields leaves it out.',
];

/** The commands of reports. */
export const reportCommands: readonly Command[] = [
  reportCommand({
    words: 'report stock',
    summary: 'count pets and units by category and status: available = on hand - reserved',
    examples: ['petstore report stock', 'petstore report stock --at 2026-11-20', 'petstore report stock --json'],
    figures: stockFigures,
    does: reportStock,
    all: stockColumns,
    shown: ({ at }) => ['categoryId', 'category', ...(at === undefined ? ['status', 'pets', 'onHand', 'reserved', 'available'] : ['pets', 'onHand'])],
    flags: { at: asOf },
    input: ({ at }) => ({ at }),
    chart: (rows, _, canvas) => stockChart(rows, canvas),
  }),
  reportCommand({
    words: 'report movements',
    summary: 'sum up what moved: closing = opening + received - sold + returned - written off + counted',
    examples: ['petstore report movements', 'petstore report movements --from 2026-11-01 --to 2026-11-30', 'petstore report movements --by day --format csv'],
    figures: movementMeanings,
    does: reportMovements,
    all: movementColumns,
    shown: ({ by }) => [...(by === 'day' ? ['day'] : ['categoryId', 'category']), ...movementNames],
    flags: { ...range, by: choice('--by <what>', 'a row for each (default: category)', ['category', 'day']) },
    input: ({ from, to, by }) => ({ from, to, by }),
    chart: (rows, flags, canvas) => (flags.by === 'day' ? movementDays(rows, flags, canvas) : movementChart(rows, canvas)),
  }),
  reportCommand({
    words: 'report sell-through',
    summary: 'show how well stock sold, (sold - returned) / (opening + received), and how many days it lasts',
    examples: ['petstore report sell-through', 'petstore report sell-through --from 2026-11-01 --to 2026-11-30 --json'],
    figures: sellThroughFigures,
    does: reportSellThrough,
    all: sellThroughColumns,
    shown: () => sellThroughColumns.map(({ name }) => name),
    flags: range,
    input: ({ from, to }) => ({ from, to }),
    chart: (rows, _, canvas) => sellThroughChart(rows, canvas),
  }),
];
