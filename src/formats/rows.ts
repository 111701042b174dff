import { maximumRows } from '../domain/imports/import-file.js';
import { pluralize } from '../domain/values/text.js';
import { inputFault } from './fault.js';
import { type ColumnOptions, duplicateColumn, type Header, unknownColumn } from './columns.js';
import type { CellRecord } from './delimited.js';
import type { JsonRecord } from './json.js';
import { guardedMark, unguard } from './spreadsheet.js';

/** One row of a file. */
export interface Row {
  readonly line: number;
  /** One cell per wanted column: a string for CSV and TSV, a parsed value for JSON; undefined when absent. */
  readonly cells: readonly unknown[];
  /** Why the row cannot be read (malformed_row), worded as the end of a sentence. */
  readonly problem?: string;
  /** Set for a JSON record. */
  readonly isJson?: true;
  /** The row as in the file: all cells, or the JSON object; a JSON value that is not an object is wrapped in `{ record }`. */
  readonly original: readonly string[] | Readonly<Record<string, unknown>>;
}

const rowsPerChunk = 2000;
/** Limits the memory for wide rows; a block is about 64 KiB of text, at most 1 MiB. */
const blocksPerChunk = 16;
/** Limits the memory for the names of unknown keys; a message shows only a few. */
const maximumNames = 100;

/** Makes rows of the records below a header. */
export function rowReader({ positions, guarded, names }: Header): (record: CellRecord) => Row {
  const width = names.length;
  return ({ line, cells: original }) => {
    const isGuarded = guarded >= 0 && original[guarded]?.trim() === guardedMark;
    const cells = positions.map((position) => {
      const cell = position < 0 ? undefined : original[position];
      return isGuarded && cell !== undefined ? unguard(cell) : cell;
    });
    if (original.length === width) return { line, cells, original };
    return { line, cells, original, problem: `has ${pluralize(original.length, 'cell')}, the header has ${width}` };
  };
}

/** Makes rows of JSON records; refuses with unknown_column and duplicate_column and the line. Unknown names are added to `unknown`. */
export function jsonRowReader(options: ColumnOptions, unknown: Set<string>, name: string): (record: JsonRecord) => Row {
  const indexes = columnIndexes(options);
  return (record) => {
    const { line, value } = record;
    const unknownKeys = isObject(value) ? Object.keys(value).filter((key) => !indexes.has(key)) : [];
    if (unknownKeys[0] !== undefined && options.unknownColumns === 'refuse') throw unknownColumn(unknownKeys[0], options, { name, line });
    for (const key of unknownKeys) if (unknown.size < maximumNames) unknown.add(key);
    return jsonRow(record, options.columns, indexes, name);
  };
}

function jsonRow({ line, value }: JsonRecord, columns: readonly string[], indexes: ReadonlyMap<string, number>, name: string): Row {
  const cells: unknown[] = columns.map(() => undefined);
  if (!isObject(value)) return { line, cells, problem: notAnObject(value), isJson: true, original: { record: value } };
  const keys = Object.keys(value);
  for (const key of keys) {
    const index = indexes.get(key) ?? -1;
    if (index < 0) continue;
    if (cells[index] !== undefined) {
      const first = keys.find((other) => indexes.get(other) === index) ?? key;
      throw duplicateColumn(columns[index] ?? key, [first, key], { name, line });
    }
    cells[index] = value[key];
  }
  return { line, cells, isJson: true, original: value };
}

/** Refuses too many rows with `payload_too_large`. */
export function checkRowCount(count: number, name: string): void {
  if (count <= maximumRows) return;
  throw inputFault('payload_too_large', name, `has more than ${maximumRows.toLocaleString('en')} rows`, 'Split it into several files.');
}

/** The rows of blocks in chunks of up to 2,000, fewer when the rows are wide. Refuses too many rows with `payload_too_large`. */
export async function* chunked<Block>(
  blocks: AsyncIterable<Block>,
  rowsOf: (block: Block) => readonly Row[],
  name: string,
): AsyncGenerator<readonly Row[], void> {
  let count = 0;
  let chunk: Row[] = [];
  let blockCount = 0;
  for await (const block of blocks) {
    const rows = rowsOf(block);
    blockCount += 1;
    checkRowCount((count += rows.length), name);
    for (const row of rows) {
      chunk.push(row);
      if (chunk.length < rowsPerChunk) continue;
      yield chunk;
      chunk = [];
      blockCount = 0;
    }
    if (blockCount < blocksPerChunk || chunk.length === 0) continue;
    yield chunk;
    chunk = [];
    blockCount = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** The column index of each known key; -1 for a key that is ignored. */
function columnIndexes({ map, columns, ignored }: ColumnOptions): ReadonlyMap<string, number> {
  return new Map([
    ...ignored.map((column) => [column, -1] as const),
    ...columns.map((column, index) => [column, index] as const),
    ...[...map].map(([theirs, ours]) => [theirs, columns.indexOf(ours)] as const),
  ]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnObject(value: unknown): string {
  if (value === null) return 'is null, not an object';
  if (Array.isArray(value)) return 'is an array, not an object';
  return `is a ${typeof value}, not an object`;
}
