import { rowWriter, type OutputFormat, type WriterOptions } from '../../formats/writer.js';
import { StoreError } from '../../domain/errors.js';
import { didYouMean } from '../../domain/values/suggest.js';
import { isJson, type Format } from '../../settings/output-format.js';
import type { TimeZone } from '../../domain/values/time-zone.js';
import type { LocalClock } from '../../domain/values/typed-time.js';
import type { Context } from '../command.js';
import type { Output } from '../io.js';
import { painted, type Paint } from './colours.js';
import { listTime } from './time-text.js';
import { sanitise, sanitiseCell } from './sanitise.js';
import type { Heading } from './table.js';
import { labelledText } from './wrapped-text.js';

/** A column of a list. */
export interface Column<Row> extends Heading {
  /** The name in --fields, JSON, CSV and TSV. */
  readonly name: string;
  readonly value: (row: Row) => unknown;
  /** The value in CSV and TSV, where it is not that of JSON. */
  readonly cell?: (row: Row) => unknown;
  /** The value as a terminal shows it; by default the value itself. */
  readonly text?: (row: Row, now: number, zone: TimeZone) => string;
  /** The id of the record that the text names, shown after it in parentheses. */
  readonly idAfter?: (row: Row) => number | undefined;
  /** The longer text for the view of a single record. */
  readonly detail?: (row: Row, now: number, zone: TimeZone) => string;
  readonly colour?: (row: Row) => keyof Paint | undefined;
  /** Whether a dot before the text has the colour, as for a status. */
  readonly dot?: boolean;
  /** A text for which a growing table makes the column wide enough, even if its first rows are shorter. */
  readonly usual?: string;
}

/** What a table is written with: the output, its colours, the zone of its times, and how to note the columns that are left out. */
type TableContext = Pick<Context, 'io' | 'paint' | 'zone' | 'note'>;

/** The format of a result: that of the settings, otherwise a table at a terminal and TSV in a pipe. */
export function formatOfResult({ io, settings }: Pick<Context, 'io' | 'settings'>): Format {
  return settings.format ?? (io.stdout.isTerminal ? 'table' : 'tsv');
}

/** The columns of a kind of record: all, and the names of the default ones by format. */
export interface Columns<Row> {
  readonly all: readonly Column<Row>[];
  readonly shown: readonly string[];
  /** Those of a table, if they differ from those for a pipe. */
  readonly table?: readonly string[];
  readonly json: readonly string[];
  /** The column `--format ids` prints. */
  readonly id: string;
}

/** A column under its name; without `value` it has the field of that name. */
interface NamedColumn<Row> extends Omit<Column<Row>, 'name' | 'value'> {
  readonly value?: Column<Row>['value'];
  /** Whether its value is a time as RFC 3339, which a terminal shows as local time. */
  readonly time?: true;
}

/** Columns under their names. */
export type ColumnsByName<Row, Name extends string> = { readonly [One in Name]: NamedColumn<Row> };

function namedColumn<Row>(name: string, { time, ...column }: NamedColumn<Row>): Column<Row> {
  const value = (row: Row): unknown => row[name as keyof Row];
  const text = (row: Row, now: number, zone: TimeZone): string => {
    const at = (column.value ?? value)(row);
    return typeof at === 'string' ? listTime(at, now, zone) : '';
  };
  return { name, value, ...(time === true && { text }), ...column };
}

/** The columns of a kind of record, in the order of their names: by default all are shown, and the first one is the id. */
export function columnsOf<Row, Name extends string = string>(columns: ColumnsByName<Row, Name>, names: Partial<Omit<Columns<Row>, 'all'>> = {}): Columns<Row> {
  const all = Object.entries<NamedColumn<Row>>(columns).map(([name, column]) => namedColumn(name, column));
  const every = all.map(({ name }) => name);
  const [id = ''] = every;
  return { all, shown: every, json: every, id, ...names };
}

/** The columns of --fields, or the default ones. Refuses an unknown field with `unknown_field`, and a repeated one with `usage`. */
export function chosenColumns<Row>(columns: Columns<Row>, fields: readonly string[] | undefined, format: Format): readonly Column<Row>[] {
  const defaults = format === 'table' ? (columns.table ?? columns.shown) : columns.shown;
  const names = fields ?? (isJson(format) ? columns.json : defaults);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined && columns.all.some(({ name }) => name === repeated)) throw new StoreError('usage', `The field "${repeated}" is given twice.`);
  return names.map((name) => {
    const found = columns.all.find((column) => column.name === name);
    // A requested field is shown even if it is empty in all rows.
    if (found) return fields === undefined ? found : { ...found, onlyFilled: false };
    const known = columns.all.map((column) => column.name);
    throw new StoreError('unknown_field', `"${name}" is not a field of this command${didYouMean(name, known)}`, {
      advice: `The fields are ${known.join(', ')}.`,
    });
  });
}

/** Rows that are written as they arrive. */
export interface OpenRows<Row> {
  readonly write: (rows: readonly Row[]) => Promise<void>;
  /** Writes what is left, such as the header of a file without rows. */
  readonly end: () => Promise<void>;
}

/** Begins to write rows in a streaming format. */
export function openRows<Row>(out: Output, format: OutputFormat, columns: readonly Column<Row>[], options: WriterOptions = {}): OpenRows<Row> {
  const writer = rowWriter(
    format,
    columns.map(({ name }) => name),
    options,
  );
  const values = columns.map(({ value, cell }) => (cell && (format === 'tsv' || format === 'csv') ? cell : value));
  const isShown = out.isTerminal && (format === 'tsv' || format === 'csv');
  let head = writer.head();
  const write = async (text: string): Promise<void> => {
    await out.write(isShown ? sanitise(head + text) : head + text);
    head = '';
  };
  return { write: (rows) => write(writer.rows(rows.map((row) => values.map((value) => value(row))))), end: () => write(writer.tail()) };
}

/** Writes rows in a streaming format, chunk by chunk. */
export async function writeRows<Row>(
  out: Output,
  format: OutputFormat,
  columns: readonly Column<Row>[],
  chunks: AsyncIterable<readonly Row[]>,
  options?: WriterOptions,
): Promise<void> {
  const { write, end } = openRows(out, format, columns, options);
  for await (const rows of chunks) await write(rows);
  await end();
}

/** Writes one id per line. */
export async function writeIds<Row>(out: Output, { all, id }: Columns<Row>, chunks: AsyncIterable<readonly Row[]>): Promise<void> {
  const column = all.find(({ name }) => name === id);
  for await (const rows of chunks) {
    const ids = rows.map((row) => `${String(column?.value(row))}\n`).join('');
    if (rows.length > 0) await out.write(out.isTerminal ? sanitise(ids) : ids);
  }
}

function cellText<Row>({ value, cell: cellOf = value, text }: Column<Row>, row: Row, { now, zone }: LocalClock): string {
  if (text) return sanitiseCell(text(row, now, zone));
  const cell = cellOf(row);
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return sanitiseCell(cell === undefined || cell === null ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell));
}

function cellsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], clock: LocalClock) {
  return rows.map((row) =>
    columns.map((column) => ({ text: cellText(column, row, clock), colour: column.colour?.(row), dot: column.dot, id: column.idAfter?.(row) })),
  );
}

const leftOutText = (headings: readonly string[]): string => `Not shown: ${headings.join(', ')}; use a wider terminal or --fields.`;

/** Writes an aligned table that fits the terminal, and notes the columns that do not fit; writes nothing for an empty list. */
export async function writeTable<Row>({ io, paint, zone, note }: TableContext, columns: readonly Column<Row>[], rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const { stdout } = io;
  const { drawTable } = await import('./table.js');
  const { text, notShown } = drawTable(columns, cellsOf(columns, rows, { now: io.now(), zone }), { columns: stdout.columns, paint });
  await (stdout.show ?? stdout.write)(text);
  if (notShown.length > 0) await note(leftOutText(notShown));
}

/** Rows that were read already, as a stream of one chunk. */
async function* oneChunk<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  yield rows;
}

/** Writes rows that were read already, in any format. Refuses like `chosenColumns`. */
export async function writeList<Row>(
  context: TableContext & Pick<Context, 'settings' | 'globalFlags'>,
  format: Format,
  columns: Columns<Row>,
  rows: readonly Row[],
  options: Pick<WriterOptions, 'spreadsheet'> = {},
): Promise<void> {
  const { io, settings, globalFlags } = context;
  const shown = chosenColumns(columns, settings.fields, format);
  if (format === 'count') return io.stdout.write(`${rows.length}\n`);
  if (format === 'ids') return writeIds(io.stdout, columns, oneChunk(rows));
  if (format === 'table') return writeTable(context, shown, rows);
  return writeRows(io.stdout, format, shown, oneChunk(rows), { header: globalFlags.header, ...options });
}

/** Shows a whole list in the format of the settings; for an empty one a terminal gets a note. */
export async function showList<Row>(context: Context, columns: Columns<Row>, rows: readonly Row[], whenEmpty = 'Nothing found.'): Promise<void> {
  const format = formatOfResult(context);
  await writeList(context, format, columns, rows);
  if (format === 'table' && rows.length === 0) await context.note(whenEmpty);
}

/** Writes rows as they arrive, in columns aligned by the first rows and by `usual`. */
export async function writeGrowingTable<Row>(
  { io, paint, zone, note }: TableContext,
  columns: readonly Column<Row>[],
  chunks: AsyncIterable<readonly Row[]>,
): Promise<void> {
  const { stdout } = io;
  const { growingTable } = await import('./table.js');
  const usual = columns.map((column) => ({ text: column.usual ?? '', dot: column.dot }));
  const draw = growingTable(columns, usual, { columns: stdout.columns, paint });
  for await (const rows of chunks) {
    const { text, notShown } = draw(cellsOf(columns, rows, { now: io.now(), zone }));
    await stdout.write(text);
    if (notShown.length > 0) await note(leftOutText(notShown));
  }
}

/** Writes a record, one line per field, with further lines where the terminal is too narrow. */
export async function writeRecord<Row>({ io, paint, zone }: Pick<Context, 'io' | 'paint' | 'zone'>, columns: readonly Column<Row>[], row: Row): Promise<void> {
  const clock = { now: io.now(), zone };
  const lines = columns
    .map((column) => ({
      heading: column.heading,
      text: column.detail ? sanitiseCell(column.detail(row, clock.now, zone)) : cellText(column, row, clock),
      colour: column.colour?.(row),
      dot: column.dot,
    }))
    .filter(({ text }) => text !== '');
  const width = Math.max(...lines.map(({ heading }) => heading.length));
  const texts = lines.map(({ heading, ...cell }) => `${labelledText(`${paint.dim(heading.padEnd(width))}  `, painted(cell, paint), io.stdout)}\n`);
  await (io.stdout.show ?? io.stdout.write)(texts.join(''));
}
