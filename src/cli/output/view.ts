import { rowWriter, type OutputFormat, type WriterOptions } from '../../formats/writer.js';
import { StoreError } from '../../domain/errors.js';
import type { Lines } from '../../domain/values/pages.js';
import { didYouMean } from '../../domain/values/suggest.js';
import { isJson, type Format } from '../../settings/output-format.js';
import type { Output } from '../io.js';
import { painted, type Paint } from './colours.js';
import { sanitiseCell } from './sanitise.js';
import type { Heading } from './table.js';

/** One column of a list: its field name, what a terminal calls it, and its value in a row. */
export interface Column<Row> extends Heading {
  /** The name in --fields, JSON, CSV and TSV. */
  readonly name: string;
  readonly value: (row: Row) => unknown;
  /** How a person reads the value in a terminal; otherwise as it is. */
  readonly text?: (row: Row, now: number) => string;
  /** The id of what the text names, shown after it in parentheses. */
  readonly idAfter?: (row: Row) => number | undefined;
  /** How it reads where the record stands alone and there is room. */
  readonly detail?: (row: Row, now: number) => string;
  readonly colour?: (row: Row) => keyof Paint | undefined;
  /** Whether the colour is that of a dot before the text, as with a status. */
  readonly dot?: boolean;
  /** A text that this column has room for in a list that goes on, although none of its first rows needs it. */
  readonly usual?: string;
}

/** What a terminal view may use: colours, the present instant, and standard error for what it leaves out. */
export interface Look {
  readonly paint: Paint;
  readonly now: number;
  readonly note: (line: string) => Promise<void>;
}

/** The columns of a noun: all of them, those shown by default, and those of its JSON record. */
export interface Columns<Row> {
  readonly all: readonly Column<Row>[];
  readonly shown: readonly string[];
  /** Those of a table, where people are shown others than a pipe. */
  readonly table?: readonly string[];
  readonly json: readonly string[];
  /** The column `--format ids` prints. */
  readonly id: string;
}

/** The columns asked for with --fields, or the default ones; refuses an `unknown_field`. */
export function chosen<Row>(columns: Columns<Row>, fields: readonly string[] | undefined, format: Format): readonly Column<Row>[] {
  const usual = format === 'table' ? (columns.table ?? columns.shown) : columns.shown;
  const names = fields ?? (isJson(format) ? columns.json : usual);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined && columns.all.some(({ name }) => name === twice)) throw new StoreError('usage', `The field "${twice}" is asked for twice.`);
  return names.map((name) => {
    const found = columns.all.find((column) => column.name === name);
    // What somebody asks for is shown, filled or not.
    if (found) return fields === undefined ? found : { ...found, onlyFilled: false };
    const known = columns.all.map((column) => column.name);
    throw new StoreError('unknown_field', `"${name}" is not a field here${didYouMean(name, known)}`, { advice: `The fields are ${known.join(', ')}.` });
  });
}

function sanitised(cell: unknown): unknown {
  return typeof cell === 'string' ? sanitiseCell(cell) : cell;
}

/** Writes rows as they come in one of the formats that stream. */
export async function writeRows<Row>(
  out: Output,
  format: OutputFormat,
  columns: readonly Column<Row>[],
  chunks: AsyncIterable<readonly Row[]>,
  options: WriterOptions = {},
): Promise<void> {
  const writer = rowWriter(
    format,
    columns.map(({ name }) => name),
    options,
  );
  const values = columns.map(({ value }) => value);
  const cells =
    (format === 'tsv' || format === 'csv') && out.isTerminal
      ? (row: Row) => values.map((value) => sanitised(value(row)))
      : (row: Row) => values.map((value) => value(row));
  let head = writer.head();
  for await (const rows of chunks) {
    await out.write(head + writer.rows(rows.map(cells)));
    head = '';
  }
  await out.write(head + writer.tail());
}

/** Writes the lines of a list, and answers how many there were. */
export async function writeLines(out: Output, lines: AsyncIterable<Lines>): Promise<number> {
  let written = 0;
  for await (const { text, count } of lines) {
    await out.write(text);
    written += count;
  }
  return written;
}

/** Writes one id a line. */
export async function writeIds<Row>(out: Output, { all, id }: Columns<Row>, chunks: AsyncIterable<readonly Row[]>): Promise<void> {
  const column = all.find(({ name }) => name === id);
  for await (const rows of chunks) {
    if (rows.length > 0) await out.write(`${rows.map((row) => String(column?.value(row))).join('\n')}\n`);
  }
}

function cellText<Row>({ value, text }: Column<Row>, row: Row, now: number): string {
  if (text) return sanitiseCell(text(row, now));
  const cell = value(row);
  return sanitiseCell(cell === undefined || cell === null ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell));
}

function cellsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], now: number) {
  return rows.map((row) =>
    columns.map((column) => ({ text: cellText(column, row, now), colour: column.colour?.(row), dot: column.dot, id: column.idAfter?.(row) })),
  );
}

/** Writes what people read from the top, page by page where there is a pager. */
async function show(out: Output, texts: Iterable<string>): Promise<void> {
  if (out.show) return out.show(texts);
  for (const text of texts) await out.write(text);
}

function leftOut(headings: readonly string[]): string {
  return `Not shown: ${headings.join(', ')}; use a wider terminal or --fields.`;
}

/** Writes an aligned table that fits the terminal, and notes the columns without room; an empty list writes nothing. */
export async function writeTable<Row>(out: Output, columns: readonly Column<Row>[], rows: readonly Row[], { paint, now, note }: Look): Promise<void> {
  if (rows.length === 0) return;
  const { drawTable } = await import('./table.js');
  const { texts, notShown } = drawTable(columns, cellsOf(columns, rows, now), { columns: out.columns, paint });
  await show(out, texts);
  if (notShown.length > 0) await note(leftOut(notShown));
}

/** Writes rows below one another as they come, aligned by the first of them and by the usual text of a column. */
export async function writeGrowingTable<Row>(
  out: Output,
  columns: readonly Column<Row>[],
  chunks: AsyncIterable<readonly Row[]>,
  { paint, now, note }: Omit<Look, 'now'> & { readonly now: () => number },
): Promise<void> {
  const { growingTable } = await import('./table.js');
  const usual = columns.map((column) => ({ text: column.usual ?? '', dot: column.dot }));
  const draw = growingTable(columns, usual, { columns: out.columns, paint });
  for await (const rows of chunks) {
    const { text, notShown } = draw(cellsOf(columns, rows, now()));
    await out.write(text);
    if (notShown.length > 0) await note(leftOut(notShown));
  }
}

/** Writes one record as lines of heading and value. */
export async function writeRecord<Row>(out: Output, columns: readonly Column<Row>[], row: Row, look: Omit<Look, 'note'>): Promise<void> {
  const lines = columns
    .map((column) => ({
      heading: column.heading,
      text: column.detail ? sanitiseCell(column.detail(row, look.now)) : cellText(column, row, look.now),
      colour: column.colour?.(row),
      dot: column.dot,
    }))
    .filter(({ text }) => text !== '');
  const width = Math.max(...lines.map(({ heading }) => heading.length));
  await show(
    out,
    lines.map(({ heading, ...cell }) => `${look.paint.dim(heading.padEnd(width))}  ${painted(cell, look.paint)}\n`),
  );
}

/** A yes or no as people read it. */
export function yesNoText(value: boolean): string {
  return value ? 'yes' : 'no';
}

const units = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A past or coming instant as a person says it. */
export function relativeTime(at: string, now: number): string {
  const seconds = Math.round((now - Date.parse(at)) / 1000);
  const found = units.find(([, size]) => Math.abs(seconds) >= size);
  if (found === undefined) return seconds < -1 ? 'in a moment' : 'just now';
  const count = Math.floor(Math.abs(seconds) / found[1]);
  const span = `${count} ${found[0]}${count === 1 ? '' : 's'}`;
  return seconds > 0 ? `${span} ago` : `in ${span}`;
}
