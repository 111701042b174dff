import { StoreError } from '../domain/errors.js';
import { prepend, textBlocks, type ByteLimits } from './bytes.js';
import { checkMap, type ColumnOptions, headerOf } from './columns.js';
import { firstRecord, recordBlocks, recordOfLine, type CellRecord, type Dialect, type RecordBlock } from './delimited.js';
import { excerpt, inputFault, standardInput } from './fault.js';
import { arrayRecords, ndjsonRecords } from './json.js';
import { splitLines, type TextLines } from './lines.js';
import { separatesNumbers } from './number-lines.js';
import { chunked, jsonRowReader, rowReader, type Row } from './rows.js';

export type { Row } from './rows.js';

/** The formats an import reads. TSV has no quotes: tabs, line ends and backslashes in a cell are `\t \n \r \\`. */
export type InputFormat = 'csv' | 'tsv' | 'ndjson' | 'json';

/** What to read from an input, and how. */
export interface RowOptions extends ColumnOptions, ByteLimits {
  /** The file's name, for messages and for its extension; undefined is standard input. */
  readonly name?: string | undefined;
  /** The format; by default it follows from the extension, then from the first character. */
  readonly format?: InputFormat | undefined;
  /** The separator of a CSV file, one character; by default ",", ";", a tab or "|", whichever the header has first in this order. */
  readonly delimiter?: string | undefined;
}

/** An open input whose header or first record was accepted. */
export interface RowFile {
  readonly format: InputFormat;
  /** The wanted columns in the header of a CSV or TSV file, or in the first record of a JSON file. */
  readonly present: readonly string[];
  /** Unknown columns, which are not read; for JSON complete (up to 100) after the last chunk. */
  readonly unknown: readonly string[];
  /** The original column names: the header, or the keys of the first JSON record. */
  readonly header: readonly string[];
  /** The physical line of the header, or of the first JSON record. */
  readonly line: number;
  /** The rows in chunks of up to 2,000. Can be read once; refuses like `openRows` when a later part of the file is invalid. */
  chunks(): AsyncIterable<readonly Row[]>;
  /** The lines of a CSV or TSV file, for a reader that is faster than `chunks`; undefined where a line does not show its cells. */
  readonly lines?: RowLines | undefined;
}

/** The rows of a CSV or TSV file as lines. */
export interface RowLines {
  /** The delimiter, as a character code. */
  readonly delimiter: number;
  /** The number of columns. */
  readonly width: number;
  /** For each wanted column its index in the file's rows, or -1. */
  readonly positions: readonly number[];
  /** The index of the column that marks guarded rows, or -1. */
  readonly guarded: number;
  /** In place of `chunks`: lines without quotes and escapes, and the rows of other parts of the file, also of lines that `needsCells` names. The caller limits their number. */
  blocks(needsCells: (text: string) => boolean): AsyncIterable<TextLines | readonly Row[]>;
  /** The row of one line; undefined for a blank one. */
  rowOf(content: string, line: number): Row | undefined;
}

/**
 * Opens bytes as rows, in constant memory. Refuses, naming the file and the physical line, with not_utf8,
 * malformed_csv, malformed_json, empty_file, missing_column, unknown_column, duplicate_column, payload_too_large, or
 * usage for an invalid delimiter.
 */
export async function openRows(source: AsyncIterable<Uint8Array>, options: RowOptions): Promise<RowFile> {
  const name = options.name ?? standardInput;
  const plan = { ...options, map: new Map([...options.map].map(([theirs, ours]) => [theirs.trim(), ours.trim()] as const)) };
  checkMap(plan);
  checkDelimiter(options.delimiter);
  const expected = options.format ?? formatOfName(name);
  const texts = textBlocks(source, name, expected === 'json' || expected === 'ndjson' ? 'malformed_json' : 'malformed_csv', options);
  try {
    const head = await firstText(texts);
    if (head === undefined) throw inputFault('empty_file', name, 'is empty');
    const format = expected ?? formatOfText(head, options.delimiter);
    if (format !== 'csv' && options.delimiter !== undefined) {
      throw new StoreError('usage', `--delimiter is for CSV, and ${name} is read as ${format}.`);
    }
    const text = prepend(head, texts);
    if (format === 'json' || format === 'ndjson') return await openJson(text, format, plan, name);
    const dialect: Dialect = { delimiter: delimiterOf(format, head, options.delimiter), style: format === 'csv' ? 'quotes' : 'backslashes' };
    return await openCells(text, dialect, plan, name);
  } catch (error) {
    await texts.return();
    throw error;
  }
}

async function openCells(text: AsyncIterable<string>, dialect: Dialect, plan: ColumnOptions, name: string): Promise<RowFile> {
  const { delimiter, style } = dialect;
  const blocks = recordBlocks(text, dialect, name);
  const firstOf = (block: RecordBlock) => firstRecord(block, dialect, name);
  const head = await firstFound(blocks, firstOf);
  if (head === undefined) throw inputFault('empty_file', name, 'contains only blank lines');
  const { top, below } = head;
  const header = headerOf(top, plan, name);
  const hasRecords = (block: RecordBlock) => firstOf(block) && block;
  const first = hasRecords(below) ?? (await firstFound(blocks, hasRecords));
  if (first === undefined) throw inputFault('empty_file', name, `has a header (line ${top.line}) but no rows below it`);
  const all = prepend(first, blocks);
  const rowOf = rowReader(header);
  return {
    format: style === 'quotes' ? 'csv' : 'tsv',
    line: top.line,
    header: header.names,
    present: header.present,
    unknown: header.unknown,
    chunks: () => chunked(all, (block) => block.records().map(rowOf), name),
    lines: separatesNumbers(delimiter)
      ? {
          delimiter: delimiter.charCodeAt(0),
          positions: header.positions,
          guarded: header.guarded,
          width: header.names.length,
          blocks: (needsCells) => linesOrRows(all, rowOf, needsCells),
          rowOf: (content, line) => {
            const record = recordOfLine(content, line, dialect);
            return record && rowOf(record);
          },
        }
      : undefined,
  };
}

/** What is found first in the blocks; those after it are left. */
async function firstFound<Found>(blocks: AsyncGenerator<RecordBlock, void>, find: (block: RecordBlock) => Found | undefined): Promise<Found | undefined> {
  for (let next = await blocks.next(); next.done !== true; next = await blocks.next()) {
    const found = find(next.value);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function* linesOrRows(
  blocks: AsyncIterable<RecordBlock>,
  rowOf: (record: CellRecord) => Row,
  needsCells: (text: string) => boolean,
): AsyncGenerator<TextLines | readonly Row[], void> {
  for await (const block of blocks) {
    if (block.plain !== undefined && !needsCells(block.plain.text)) yield block.plain;
    else yield block.records().map(rowOf);
  }
}

async function openJson(text: AsyncIterable<string>, format: 'json' | 'ndjson', plan: ColumnOptions, name: string): Promise<RowFile> {
  const unknown = new Set<string>();
  const records = format === 'json' ? arrayRecords(text, name) : ndjsonRecords(text, name);
  const rowOf = jsonRowReader(plan, unknown, name);
  const rows = chunked(records, (block) => block.map(rowOf), name);
  const first = await rows.next();
  if (first.done === true) throw inputFault('empty_file', name, 'contains no records');
  const top = first.value[0];
  const header = top === undefined || top.problem !== undefined ? [] : Object.keys(top.original);
  const present = plan.columns.filter((_, index) => top?.cells[index] !== undefined);
  const chunks = prepend(first.value, rows);
  return {
    format,
    line: top?.line ?? 1,
    header,
    present,
    get unknown() {
      return [...unknown];
    },
    chunks: () => chunks,
  };
}

/** The first text that is not empty, as that of a byte order mark alone would be; undefined without one. */
async function firstText(texts: AsyncGenerator<string, void>): Promise<string | undefined> {
  let next = await texts.next();
  while (next.value === '') next = await texts.next();
  return next.done === true ? undefined : next.value;
}

function formatOfName(name: string): InputFormat | undefined {
  const extension = /\.(csv|tsv|ndjson|jsonl|json)(?:\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  return extension === 'jsonl' ? 'ndjson' : (extension as InputFormat | undefined);
}

function formatOfText(head: string, delimiter: string | undefined): InputFormat {
  const start = head.trimStart()[0];
  if (start === '[') return 'json';
  if (start === '{') return 'ndjson';
  const header = headerLine(head);
  return delimiter === undefined && header.includes('\t') && !header.includes(',') ? 'tsv' : 'csv';
}

function delimiterOf(format: InputFormat, head: string, delimiter: string | undefined): string {
  if (format === 'tsv') return '\t';
  if (delimiter !== undefined) return delimiter;
  const header = headerLine(head);
  return [',', ';', '\t', '|'].find((candidate) => header.includes(candidate)) ?? ',';
}

/** The first non-blank line, without quoted text. */
function headerLine(head: string): string {
  return splitLines(head.replaceAll(/"[^"]*"/g, '""')).find((line) => line.trim() !== '') ?? '';
}

function checkDelimiter(delimiter: string | undefined): void {
  if (delimiter === undefined || ([...delimiter].length === 1 && !/["\r\n]/.test(delimiter))) return;
  throw new StoreError('usage', `--delimiter takes one character other than a quote or a line end, not "${excerpt(delimiter)}".`);
}
