import { closeSync, readSync } from 'node:fs';
import { openTempFile, appendAll } from '../../formats/temp-file.js';

/** The default number of rows per run, sorted in memory. */
export const rowsPerRun = 1 << 18;
const rowsAtFirst = 1 << 10;
const rowsPerRead = 1 << 12;
const digitBits = 11;
const digits = 2 ** digitBits;

/** Rows of numbers, sorted by their first number (a whole number from 0), then by insertion order, in constant memory (external merge sort). */
export interface SortedRows {
  /** Adds a copy of a row. */
  readonly add: (row: Readonly<Float64Array>) => void;
  readonly size: () => number;
  /** All rows in chunks; `rowOf` builds a row from the numbers starting at `at`. Each call starts a new pass. */
  readonly chunks: <Row>(rows: number, rowOf: (numbers: Readonly<Float64Array>, at: number) => Row) => Generator<readonly Row[], void>;
  readonly close: () => void;
}

/** A run being merged: its buffered rows, the offset of the current one, and how to read more. */
interface Run {
  readonly buffer: Float64Array;
  held: number;
  at: number;
  readonly refill: () => number;
}

/** Advances to the next row; false at the end of the run. */
function advance(run: Run, width: number): boolean {
  run.at += width;
  if (run.at < run.held) return true;
  run.held = run.refill();
  run.at = 0;
  return run.held > 0;
}

/** Copies rows in their order to the start of `sorted`. */
function sortRun(rows: Float64Array, count: number, width: number, sorted: Float64Array): void {
  const order = orderOf(rows, count, width);
  for (let index = 0; index < count; index += 1) {
    const from = (order[index] ?? 0) * width;
    for (let field = 0; field < width; field += 1) sorted[index * width + field] = rows[from + field] ?? 0;
  }
}

/** The indexes of rows in the order of their keys, whole numbers from 0: a radix sort takes a third of the time of comparing numbers. */
function orderOf(rows: Float64Array, count: number, width: number): Uint32Array {
  const [low, high] = [new Uint32Array(count), new Uint32Array(count)];
  let largest = 0;
  for (let index = 0; index < count; index += 1) {
    const key = rows[index * width] ?? 0;
    low[index] = key % 2 ** 32;
    high[index] = key / 2 ** 32;
    if (key > largest) largest = key;
  }
  let order = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) order[index] = index;
  for (let bits = 0; largest >= 2 ** bits && bits < 32; bits += digitBits) order = sortByDigit(order, low, bits);
  for (let bits = 0; largest >= 2 ** (bits + 32) && bits < 32; bits += digitBits) order = sortByDigit(order, high, bits);
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

function memoryRun(rows: Float64Array, width: number): Run {
  return { buffer: rows, held: rows.length, at: -width, refill: () => 0 };
}

function fileRun(file: number, start: number, end: number, width: number): Run {
  const buffer = new Float64Array(rowsPerRead * width);
  let position = start;
  const refill = (): number => {
    const bytes = Math.min(buffer.byteLength, end - position);
    const read = bytes > 0 ? readSync(file, buffer, 0, bytes, position) : 0;
    position += read;
    return read / Float64Array.BYTES_PER_ELEMENT;
  };
  return { buffer, held: 0, at: 0, refill };
}

/** The run with the smallest next key. Of runs with equal keys it is the earliest, to keep the sort stable. */
function first(runs: readonly Run[]): Run | undefined {
  let least = runs[0];
  for (let index = 1; index < runs.length; index += 1) {
    const run = runs[index];
    if (run && least && (run.buffer[run.at] ?? 0) < (least.buffer[least.at] ?? 0)) least = run;
  }
  return least;
}

/** An external sort of rows with `width` numbers. All runs but the last are in a private temporary file. */
export function sortedRows(width: number, rowsInMemory = rowsPerRun): SortedRows {
  let current = new Float64Array(Math.min(rowsInMemory, rowsAtFirst) * width);
  const ends: number[] = [];
  let file: number | undefined;
  let count = 0;
  /** The rows that are still in memory, sorted. */
  let last: Float64Array | undefined;
  let sorted = new Float64Array(0);
  const sortCurrent = (): Float64Array => {
    // Allocated once: the memory of many short-lived arrays of this size is released late.
    if (sorted.length < count * width) sorted = new Float64Array(current.length);
    sortRun(current, count, width, sorted);
    return sorted.subarray(0, count * width);
  };
  const spill = (): void => {
    const run = sortCurrent();
    file ??= openTempFile();
    appendAll(file, new Uint8Array(run.buffer, 0, run.byteLength));
    ends.push((ends.at(-1) ?? 0) + run.byteLength);
    count = 0;
  };
  const makeRoom = (): void => {
    if (count === rowsInMemory) return spill();
    const larger = new Float64Array(Math.min(current.length * 2, rowsInMemory * width));
    larger.set(current);
    current = larger;
  };
  return {
    add: (row) => {
      last = undefined;
      if ((count + 1) * width > current.length || count === rowsInMemory) makeRoom();
      const at = count * width;
      for (let field = 0; field < width; field += 1) current[at + field] = row[field] ?? 0;
      count += 1;
    },
    size: () => count + (ends.at(-1) ?? 0) / (width * Float64Array.BYTES_PER_ELEMENT),
    chunks: function* chunks<Row>(rows: number, rowOf: (numbers: Readonly<Float64Array>, at: number) => Row) {
      last ??= sortCurrent();
      const spilled = ends.map((end, index) => fileRun(file ?? 0, ends[index - 1] ?? 0, end, width));
      let live = [...spilled, memoryRun(last, width)].filter((run) => advance(run, width));
      let chunk: Row[] = [];
      for (let run = first(live); run !== undefined; run = first(live)) {
        chunk.push(rowOf(run.buffer, run.at));
        if (!advance(run, width)) live = live.filter((one) => one !== run);
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
