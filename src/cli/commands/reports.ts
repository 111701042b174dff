import { StoreError } from '../../domain/errors.js';
import type { ReadOperation } from '../../domain/operation.js';
import {
  reportMovements,
  reportSellThrough,
  reportStock,
  type MovementFigures,
  type MovementRow,
  type SellThroughRow,
  type StockReportRow,
} from '../../domain/reports.js';
import { command, type Command, type Spoken } from '../command.js';
import { asOf, choice, flag, instantAt, type Flags, type FlagValues } from '../flags.js';
import { once } from '../record-command.js';
import { chosen, writeRows, writeTable, type Column, type Columns } from '../view.js';
import { statusColours } from './pets.js';

/** Declares a command that shows the rows of a report; which columns stand by default depends on its flags. */
function reportCommand<Asked, Input, Row, F extends Flags>(
  spoken: Spoken & {
    readonly does: ReadOperation<Asked, Input, readonly Row[]>;
    readonly all: readonly Column<Row>[];
    readonly shown: (flags: FlagValues<F>) => readonly string[];
    readonly flags: F;
    readonly input: (flags: FlagValues<F>) => Asked;
  },
): Command {
  const { does, all, shown, flags, input, ...words } = spoken;
  return command({
    ...words,
    does: [does],
    flags,
    fields: all.map(({ name }) => name),
    run: async ({ io, settings, paint, shop, note }, _, values: FlagValues<F>) => {
      const format = settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
      if (format === 'ids') throw new StoreError('usage', 'The rows of a report have no ids.', 'petstore report --help');
      const names = shown(values);
      const columns: Columns<Row> = { all, shown: names, json: names, id: '' };
      const asked = chosen(columns, settings.fields, format);
      const rows = await (await shop()).call(does, input(values));
      if (format === 'count') return io.stdout.write(`${rows.length}\n`);
      if (format !== 'table') return writeRows(io.stdout, format, asked, once(rows));
      await writeTable(io.stdout, asked, rows, { paint, now: io.now() });
      if (rows.length === 0) await note('Nothing found.');
    },
  });
}

function word<Name extends string>(name: Name): Column<{ readonly [Key in Name]?: unknown }> {
  return { name, value: (row) => row[name] };
}

function figure<Name extends string>(name: Name): Column<{ readonly [Key in Name]?: unknown }> {
  return { ...word(name), numeric: true };
}

const stockColumns: readonly Column<StockReportRow>[] = [
  figure('categoryId'),
  word('category'),
  { name: 'status', value: ({ status }) => status, colour: ({ status }) => status && statusColours[status] },
  ...(['pets', 'onHand', 'promised', 'available'] as const).map(figure),
];

const movementNames = ['opening', 'received', 'sold', 'returned', 'writtenOff', 'counted', 'closing'] as const satisfies (keyof MovementFigures)[];
const movementColumns: readonly Column<MovementRow>[] = [word('day'), figure('categoryId'), word('category'), ...movementNames.map(figure)];

const sellThroughColumns: readonly Column<SellThroughRow>[] = [
  figure('categoryId'),
  // The last row is of no category: a table says so, data leave it empty.
  { ...word('category'), text: ({ category = '(all)' }) => category },
  ...(['opening', 'received', 'sold', 'returned', 'closing'] as const).map(figure),
  { ...figure('sellThrough'), text: ({ sellThrough }) => (sellThrough === undefined ? '' : `${(sellThrough * 100).toFixed(1)} %`) },
  figure('daysOfStock'),
];

const range = {
  from: flag('--from <time>', 'from this day or time on (default: from the first entry of the ledger)', instantAt('start')),
  to: flag('--to <time>', 'up to this day or time, a day included whole (default: up to now)', instantAt('end')),
};

/** The commands of reports. */
export const reportCommands: readonly Command[] = [
  reportCommand({
    words: 'report stock',
    summary: 'count pets and units by category and status: available = on hand - promised',
    examples: ['petstore report stock', 'petstore report stock --at 2026-11-20', 'petstore report stock --json'],
    does: reportStock,
    all: stockColumns,
    shown: ({ at }) => ['categoryId', 'category', ...(at === undefined ? ['status', 'pets', 'onHand', 'promised', 'available'] : ['pets', 'onHand'])],
    flags: { at: asOf },
    input: ({ at }) => ({ at }),
  }),
  reportCommand({
    words: 'report movements',
    summary: 'sum up what moved: closing = opening + received - sold + returned - written off + counted',
    examples: ['petstore report movements', 'petstore report movements --from 2026-11-01 --to 2026-11-30', 'petstore report movements --by day --format csv'],
    does: reportMovements,
    all: movementColumns,
    shown: ({ by }) => [...(by === 'day' ? ['day'] : ['categoryId', 'category']), ...movementNames],
    flags: { ...range, by: choice('--by <what>', 'a row for each (default: category)', ['category', 'day']) },
    input: ({ from, to, by }) => ({ from, to, by }),
  }),
  reportCommand({
    words: 'report sell-through',
    summary: 'show how well stock sold, (sold - returned) / (opening + received), and how many days it lasts',
    examples: ['petstore report sell-through', 'petstore report sell-through --from 2026-11-01 --to 2026-11-30 --json'],
    does: reportSellThrough,
    all: sellThroughColumns,
    shown: () => sellThroughColumns.map(({ name }) => name),
    flags: range,
    input: ({ from, to }) => ({ from, to }),
  }),
];
