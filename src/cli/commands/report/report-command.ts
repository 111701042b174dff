import type { Call } from '../../../domain/call.js';
import type { ReadOperation } from '../../../domain/operation.js';
import { edgeText } from '../../../domain/reports/range.js';
import type { TimeZone } from '../../../domain/values/time-zone.js';
import { HintedError } from '../../../settings/hint.js';
import type { NoArguments } from '../../arguments.js';
import type { Command, Context } from '../../command.js';
import { type CommandDeclaration, buildCommand, watchable } from '../../declare-command.js';
import { type FlagValues, type Flags, timeFlag } from '../../flags.js';
import { spreadsheetFlag } from '../../list-command.js';
import { sanitiseCell } from '../../output/sanitise.js';
import { type Column, type Columns, chosenColumns, formatOfResult, writeList, writeTable } from '../../output/view.js';
import { writeText } from '../../output/wrapped-text.js';

/** What a table shows as the name of its last row. */
export const totalText = 'Total';

/** A share in percent. */
export const percent = (share: number | undefined): string => (share === undefined ? '' : `${(share * 100).toFixed(1)} %`);

/** The start and the end of a report as RFC 3339, undefined for the start of the ledger and for now; or the instant that it shows. */
interface ShownRange {
  readonly at?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The range of a report and its zone: `2026-11-01 to 2026-11-30, America/Los_Angeles`. */
function rangeText({ at, from, to }: ShownRange, zone: TimeZone): string {
  if (at !== undefined) {
    const text = edgeText(at, 'end', zone);
    return `At ${text.includes(' ') ? text : `the end of ${text}`}, ${zone.name}`;
  }
  const [first, last] = [from && edgeText(from, 'start', zone), to && edgeText(to, 'end', zone)];
  return `${first !== undefined && first === last ? first : `${first ?? 'First entry'} to ${last ?? 'now'}`}, ${zone.name}`;
}

/** The same columns, with one row in bold: the total. */
function withBoldRow<Row>(columns: readonly Column<Row>[], isBold: (row: Row) => boolean): readonly Column<Row>[] {
  return columns.map((column) => ({ ...column, colour: (row) => (isBold(row) ? 'bold' : column.colour?.(row)) }));
}

interface Bars<Row> {
  readonly heading: string;
  readonly of: (row: Row) => number;
  readonly text?: (value: number) => string;
}

interface Report<Request, Input, Row, F extends Flags> {
  readonly operation: ReadOperation<Request, Input, readonly Row[]>;
  readonly all: readonly Column<Row>[];
  /** The default columns for these flags; all without it. */
  readonly shown?: (flags: FlagValues<F>) => readonly string[];
  readonly input: (flags: FlagValues<F>, zone: TimeZone) => NoInfer<Request>;
  /** The time range of the report, shown above its table; undefined where the report is of the present. */
  readonly range?: (flags: FlagValues<F>) => ShownRange | undefined;
  /** The heading of its table: "Movements by day". */
  readonly title: (flags: FlagValues<F>) => string;
  /** Ids that a table leaves out, because another column names the record; by default `categoryId`. */
  readonly notInTable?: readonly string[];
  /** Whether a row is the total of the others. CSV and TSV leave it out: it has no key. */
  readonly isTotal?: (row: Row) => boolean;
  /** The last row of its table, from its rows or from another request in the same snapshot; undefined for none. */
  readonly total?: (rows: readonly Row[], flags: FlagValues<F>, call: Call) => Promise<Row | undefined>;
  /** The figure that a terminal shows as bars below the table, summed up by the first column that the table shows. */
  readonly bars?: Bars<Row>;
}

/** The table of a report; `last` is the total as its last row, undefined for none. */
interface ReportTable<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly last: Row | undefined;
}

async function barsOf<Row>(rows: readonly Row[], first: Column<Row>, { heading, of, text = String }: Bars<Row>, { io, paint }: Context): Promise<string> {
  const values = new Map<string, number>();
  for (const row of rows) {
    const name = sanitiseCell(String(first.value(row) ?? totalText));
    values.set(name, (values.get(name) ?? 0) + of(row));
  }
  const { barChart } = await import('../../output/bar-chart.js');
  return barChart(values, { names: first.heading, figures: heading, figureText: text }, { columns: io.stdout.columns, paint });
}

/** Writes a report as a table with its title and range, and to a terminal its bars, unless --fields asks for the table alone. */
async function writeReport<Row, F extends Flags>(
  context: Context,
  { title, range, isTotal, bars }: Pick<Report<never, never, Row, F>, 'title' | 'range' | 'isTotal' | 'bars'>,
  flags: FlagValues<F>,
  { columns, rows, last }: ReportTable<Row>,
): Promise<void> {
  const { io, settings, paint, zone, note } = context;
  if (rows.length === 0) return note('Nothing found.');
  const onlyTable = settings.fields !== undefined;
  const shownRange = onlyTable ? undefined : range?.(flags);
  if (!onlyTable) await io.stdout.write(`${paint.bold(title(flags))}\n`);
  if (shownRange !== undefined) await writeText(io.stdout, `${paint.dim(rangeText(shownRange, zone))}\n`);
  const bold = withBoldRow(columns, (row) => row === last || isTotal?.(row) === true);
  await writeTable(context, bold, last === undefined ? rows : [...rows, last]);
  const [first] = columns;
  if (bars === undefined || first === undefined || onlyTable || !io.stdout.isTerminal) return;
  const drawn = await barsOf(rows, first, bars, context);
  if (drawn !== '') await io.stdout.write(`\n${drawn}`);
}

/** Declares a command that shows the rows of a report. */
export function reportCommand<Request, Input, Row, F extends Flags>(declaration: CommandDeclaration<NoArguments, F> & Report<Request, Input, Row, F>): Command {
  const { operation, all, flags, shown, input, isTotal, total, notInTable = ['categoryId'], ...others } = declaration;
  const allNames = all.map(({ name }) => name);
  const report = buildCommand({
    ...others,
    operations: [operation],
    fields: allNames,
    flags: { ...flags, ...spreadsheetFlag } as F & typeof spreadsheetFlag,
    run: async (context, values: FlagValues<F> & FlagValues<typeof spreadsheetFlag>) => {
      const { settings, zone, shop } = context;
      const { spreadsheet } = values;
      const format = formatOfResult(context);
      if (format === 'ids') throw new HintedError('usage', 'Reports have no ids.', { command: ['report', '--help'] });
      const names = shown?.(values) ?? allNames;
      const inTable = names.filter((name) => !notInTable.includes(name));
      const columns: Columns<Row> = { all, shown: format === 'table' ? inTable : names, json: names, id: '' };
      const selected = chosenColumns(columns, settings.fields, format);
      const read = await (
        await shop()
      ).snapshot(async (call) => {
        const found = await call(operation, input(values, zone));
        const hasTotal = format === 'table' && settings.fields === undefined && found.length > 0;
        return { rows: found, last: hasTotal ? await total?.(found, values, call) : undefined };
      });
      if (format === 'table') return writeReport(context, declaration, values, { ...read, columns: selected });
      const isKeyed = (row: Row): boolean => isTotal?.(row) !== true;
      await writeList(context, format, columns, format === 'csv' || format === 'tsv' ? read.rows.filter(isKeyed) : read.rows, { spreadsheet });
    },
  });
  return watchable(report);
}

/** The flags that limit a report in time. */
export const timeRange = {
  from: timeFlag('start', { long: 'from', summary: 'start at this day or time', default: 'the first entry of the ledger' }),
  to: timeFlag('end', { long: 'to', summary: 'end at the end of this day, or this time', default: 'now' }),
};
