import { closeSync, readSync } from 'node:fs';
import { openTempFile, appendAll } from '../../formats/temp-file.js';

/** The default number of rows per run, sorted in memory. */
export const rowsPerRun = 1 << 18;
const rowsAtFirst = 1 << 10;
const rowsPerRead = 1 << 12;
const digitBits = 11;
const digits = 2 ** digitBits;

/** The current row of a pass: its numbers start at `at`. */
export interface CurrentRow {
  readonly numbers: Readonly<Float64Array>;
  readonly at: number;
}

/** Rows of numbers, sorted by their first number (a whole number from 0), then by insertion order, in constant memory (external merge sort). */
export interface SortedRows {
  /** Adds a copy of a row. */
  readonly add: (row: Readonly<Float64Array>) => void;
  readonly size: () => number;
  /** Starts a pass over all rows, which must be finished before the next `add`: each call moves to the next row, and returns undefined after the last. */
  readonly pass: () => () => CurrentRow | undefined;
  /** All rows in chunks; `rowOf` builds a row from the numbers starting at `at`. Each call starts a new pass. */
  readonly chunks: <Row>(rows: number, rowOf: (numbers: Readonly<Float64Array>, at: number) => Row) => Generator<readonly Row[], void>;
  readonly close: () => void;
}

/** A sorted run being merged. `advance` moves to its next row, and returns false at its end. */
interface Run extends CurrentRow {
  readonly advance: () => boolean;
}

/** The indexes of rows in the order of their keys, whole numbers from 0: a radix sort takes a third of the time of comparing numbers. */
function orderOf(rows: Float64Array, count: number, width: number): Uint32Array {
  const keys = new Uint32Array(count);
  let order = new Uint32Array(count);
  let largest = 0;
  for (let index = 0; index < count; index += 1) {
    const key = rows[index * width] ?? 0;
    // Keeps the lower 32 bits; an operator of numbers would take several times longer.
    keys[index] = key;
    order[index] = index;
    if (key > largest) largest = key;
  }
  for (let bits = 0; largest >= 2 ** bits && bits < 32; bits += digitBits) order = sortByDigit(order, keys, bits);
  if (largest < 2 ** 32) return order;
  for (let index = 0; index < count; index += 1) keys[index] = (rows[index * width] ?? 0) / 2 ** 32;
  for (let bits = 0; largest >= 2 ** (bits + 32) && bits < 32; bits += digitBits) order = sortByDigit(order, keys, bits);
  return order;
}

/** Sorts indexes by one digit of their keys; of equal digits the order is kept. */
function sortByDigit(order: Uint32Array<ArrayBuffer>, keys: Uint32Array, shift: number): Uint32Array<ArrayBuffer> {
  const count = order.length;
  const starts = new Uint32Array(digits + 1);
  for (let index = 0; index < count; index += 1) {
    const digit = ((keys[index] ?? 0) >>> shift) & (digits - 1);
    starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
  }
  for (let digit = 1; digit <= digits; digit += 1) starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0);
  const sorted = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    const row = order[index] ?? 0;
    const digit = ((keys[row] ?? 0) >>> shift) & (digits - 1);
    const at = starts[digit] ?? 0;
    sorted[at] = row;
    starts[digit] = at + 1;
  }
  return sorted;
}

/** The rows in memory, in their order. */
function memoryRun(numbers: Float64Array, order: Uint32Array, width: number): Run {
  let index = -1;
  const run = {
    numbers,
    at: 0,
    advance: () => {
      index += 1;
      run.at = (order[index] ?? 0) * width;
      return index < order.length;
    },
  };
  return run;
}

/** The rows of a part of the file. */
function fileRun(file: number, start: number, end: number, width: number): Run {
  const numbers = new Float64Array(rowsPerRead * width);
  let position = start;
  let held = 0;
  const refill = (): boolean => {
    const bytes = Math.min(numbers.byteLength, end - position);
    const read = bytes > 0 ? readSync(file, numbers, 0, bytes, position) : 0;
    position += read;
    held = read / Float64Array.BYTES_PER_ELEMENT;
    run.at = 0;
    return held > 0;
  };
  const run = {
    numbers,
    at: 0,
    advance: () => {
      run.at += width;
      return run.at < held || refill();
    },
  };
  return run;
}

/** The run with the smallest next key. Of runs with equal keys it is the earliest, to keep the sort stable. */
function first(runs: readonly Run[]): Run | undefined {
  let least = runs[0];
  for (let index = 1; index < runs.length; index += 1) {
    const run = runs[index];
    if (run && least && (run.numbers[run.at] ?? 0) < (least.numbers[least.at] ?? 0)) least = run;
  }
  return least;
}

/** Merges runs, whose first rows are not read yet. */
function merge(runs: readonly Run[]): () => CurrentRow | undefined {
  let live = runs.filter((run) => run.advance());
  let current: Run | undefined;
  return () => {
    if (current?.advance() === false) live = live.filter((run) => run !== current);
    current = live.length === 1 ? live[0] : first(live);
    return current;
  };
}

/** Appends rows in their order to a file. */
function appendRun(file: number, rows: Float64Array, order: Uint32Array, width: number): void {
  const block = new Float64Array(rowsPerRead * width);
  for (let from = 0; from < order.length; from += rowsPerRead) {
    const to = Math.min(from + rowsPerRead, order.length);
    for (let index = from; index < to; index += 1) {
      const [source, target] = [(order[index] ?? 0) * width, (index - from) * width];
      for (let field = 0; field < width; field += 1) block[target + field] = rows[source + field] ?? 0;
    }
    appendAll(file, new Uint8Array(block.buffer, 0, (to - from) * width * Float64Array.BYTES_PER_ELEMENT));
  }
}

/** An external sort of rows with `width` numbers. All runs but the last are in a private temporary file. */
export function sortedRows(width: number, rowsInMemory = rowsPerRun): SortedRows {
  const rowBytes = width * Float64Array.BYTES_PER_ELEMENT;
  let current = new Float64Array(Math.min(rowsInMemory, rowsAtFirst) * width);
  const ends: number[] = [];
  let file: number | undefined;
  let count = 0;
  /** The order of the rows that are still in memory. */
  let order: Uint32Array | undefined;
  const spill = (): void => {
    file ??= openTempFile();
    appendRun(file, current, orderOf(current, count, width), width);
    ends.push((ends.at(-1) ?? 0) + count * rowBytes);
    count = 0;
  };
  const makeRoom = (): void => {
    if (count === rowsInMemory) return spill();
    const larger = new Float64Array(Math.min(current.length * 2, rowsInMemory * width));
    larger.set(current);
    current = larger;
  };
  const pass = (): (() => CurrentRow | undefined) => {
    order ??= orderOf(current, count, width);
    const spilled = ends.map((end, index) => fileRun(file ?? 0, ends[index - 1] ?? 0, end, width));
    return merge([...spilled, memoryRun(current, order, width)]);
  };
  return {
    add: (row) => {
      order = undefined;
      if ((count + 1) * width > current.length || count === rowsInMemory) makeRoom();
      const at = count * width;
      for (let field = 0; field < width; field += 1) current[at + field] = row[field] ?? 0;
      count += 1;
    },
    size: () => count + (ends.at(-1) ?? 0) / rowBytes,
    pass,
    chunks: function* chunks<Row>(rows: number, rowOf: (numbers: Readonly<Float64Array>, at: number) => Row) {
      const next = pass();
      let chunk: Row[] = [];
      for (let row = next(); row !== undefined; row = next()) {
        chunk.push(rowOf(row.numbers, row.at));
        if (chunk.length < rows) continue;
        yield chunk;
        chunk = [];
      }
      if (chunk.length > 0) yield chunk;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
