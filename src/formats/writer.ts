import { escapeTsv } from './tsv.js';
import { stringify } from 'csv-stringify/sync';
import { guard } from './spreadsheet.js';

/** The formats an export or a piped list writes. */
export type OutputFormat = 'tsv' | 'csv' | 'json' | 'ndjson';

/** Formats records in parts: call `head` once, `rows` any number of times, `tail` once. */
export interface RowWriter {
  head(): string;
  /** Records in the order of the columns; an undefined cell is empty, or left out of JSON. */
  rows(records: readonly (readonly unknown[])[]): string;
  tail(): string;
}

/** How the text formats are written. */
export interface WriterOptions {
  /** Guard CSV cells that a spreadsheet would run as a formula. */
  readonly spreadsheet?: boolean | undefined;
  /** Whether a line with the column names comes first: by default in CSV only. */
  readonly header?: boolean | undefined;
}

/** A writer for records with these columns. CSV follows RFC 4180 with "\n" line ends; JSON has one record per line. */
export function rowWriter(format: OutputFormat, columns: readonly string[], options: WriterOptions = {}): RowWriter {
  if (format === 'json') return arrayWriter(columns);
  if (format === 'ndjson') return linesWriter(columns);
  const { header = format === 'csv', spreadsheet = false } = options;
  const text = format === 'tsv' ? tsvText : (records: readonly (readonly unknown[])[]) => csvText(records, spreadsheet);
  return { head: () => (header ? text([columns]) : ''), rows: text, tail: () => '' };
}

function arrayWriter(columns: readonly string[]): RowWriter {
  let empty = true;
  return {
    head: () => '[',
    rows: (records) => {
      if (records.length === 0) return '';
      const text = records.map((record) => `\n${jsonObject(columns, record)}`).join(',');
      const separator = empty ? '' : ',';
      empty = false;
      return separator + text;
    },
    tail: () => (empty ? ']\n' : '\n]\n'),
  };
}

function linesWriter(columns: readonly string[]): RowWriter {
  return { head: () => '', rows: (records) => records.map((record) => `${jsonObject(columns, record)}\n`).join(''), tail: () => '' };
}

/** A record as JSON, without its undefined cells. */
function jsonObject(columns: readonly string[], record: readonly unknown[]): string {
  return JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, record[index]])));
}

function tsvText(records: readonly (readonly unknown[])[]): string {
  return records.map((record) => `${record.map((cell) => escapeTsv(textOf(cell))).join('\t')}\n`).join('');
}

function csvText(records: readonly (readonly unknown[])[], spreadsheet: boolean): string {
  if (records.length === 0) return '';
  const cells = records.map((record) => record.map((cell) => (spreadsheet && typeof cell === 'string' ? guard(cell) : textOf(cell))));
  // `quote_record_delimiter` also quotes a lone CR, which would otherwise end the row.
  return stringify(cells, { record_delimiter: '\n', quote_record_delimiter: true });
}

function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}
