import { closeSync, readSync } from 'node:fs';
import { openTempFile, appendAll } from '../../formats/temp-file.js';

/** The most rows per run, sorted in memory. */
export const rowsPerRun = 1 << 18;
const rowsAtFirst = 1 << 10;
const rowsPerRead = 1 << 12;
/** The blocks of a pass that are valid at the same time. */
const blocksAtOnce = 3;
/** From this key on, a key and the index of a row do not fit into the 53 bits of a number. */
const largestPacked = 2 ** 53 / rowsPerRun;

/** Room for a row, which starts at `at`. */
export interface RowRoom {
  readonly numbers: Float64Array;
  readonly at: number;
}

/** Consecutive rows: the numbers of each start at one of `starts`. */
export interface RowBlock {
  readonly numbers: Readonly<Float64Array>;
  readonly starts: Readonly<Uint32Array>;
}

/** Whether a pass includes the row that starts at `at`. */
export type RowFilter = (numbers: Readonly<Float64Array>, at: number) => boolean;

/** Rows of numbers, sorted by their first number (a whole number from 0), then by insertion order, in constant memory (external merge sort). */
export interface SortedRows {
  /** Adds a row; the caller writes its numbers before the next call. */
  readonly append: () => RowRoom;
  readonly size: () => number;
  /**
   * The rows, optionally only those that `isWanted` returns true for, in blocks of this many. Each call starts a new pass. A block is
   * valid until the third one after it is read.
   */
  readonly blocks: (rows: number, isWanted?: RowFilter) => Generator<RowBlock, void>;
  readonly close: () => void;
}

/** A sorted run being merged. `advance` moves to its next row, and returns false at its end. */
interface Run extends RowRoom {
  readonly advance: () => boolean;
}

/** Where the rows start, in the order of their keys and then of their insertion. */
function sortedStarts(rows: Float64Array, count: number, width: number): Uint32Array {
  // Key and index in one number, which the built-in sort compares without a function.
  const packed = new Float64Array(count);
  let largest = 0;
  for (let index = 0; index < count; index += 1) {
    const key = rows[index * width] ?? 0;
    packed[index] = key * rowsPerRun + index;
    if (key > largest) largest = key;
  }
  if (largest >= largestPacked) {
    const starts = Uint32Array.from(packed, (_, index) => index * width);
    return starts.toSorted((left, right) => (rows[left] ?? 0) - (rows[right] ?? 0) || left - right);
  }
  packed.sort();
  return Uint32Array.from(packed, (one) => (one - Math.floor(one / rowsPerRun) * rowsPerRun) * width);
}

/** The rows in memory. */
function memoryRun({ numbers, starts }: RowBlock): Run {
  let index = -1;
  const run = {
    numbers,
    at: 0,
    advance: () => {
      index += 1;
      if (index >= starts.length) return false;
      run.at = starts[index] ?? 0;
      return true;
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

/** Merges runs into blocks. Of equal keys the one of the earliest run is first, which keeps the sort stable. */
function* merged(runs: readonly Run[], width: number, rows: number, isWanted: RowFilter | undefined): Generator<RowBlock, void> {
  const keys = new Float64Array(runs.length);
  const moveOn = (run: Run, index: number): void => {
    keys[index] = run.advance() ? (run.numbers[run.at] ?? 0) : Number.POSITIVE_INFINITY;
  };
  runs.forEach(moveOn);
  const buffers = Array.from({ length: blocksAtOnce }, () => new Float64Array(rows * width));
  const starts = Uint32Array.from({ length: rows }, (_, index) => index * width);
  for (let turn = 0; ; turn = (turn + 1) % blocksAtOnce) {
    const numbers = buffers[turn] ?? new Float64Array(0);
    let to = 0;
    while (to < numbers.length) {
      let least = 0;
      for (let index = 1; index < keys.length; index += 1) if ((keys[index] ?? 0) < (keys[least] ?? 0)) least = index;
      const run = runs[least];
      if (run === undefined || keys[least] === Number.POSITIVE_INFINITY) break;
      if (isWanted?.(run.numbers, run.at) !== false) {
        for (let field = 0; field < width; field += 1) numbers[to + field] = run.numbers[run.at + field] ?? 0;
        to += width;
      }
      moveOn(run, least);
    }
    if (to > 0) yield { numbers, starts: starts.subarray(0, to / width) };
    if (to < numbers.length) return;
  }
}

/** Appends rows in their order to a file. */
function appendRun(file: number, { numbers, starts }: RowBlock, width: number): void {
  const block = new Float64Array(rowsPerRead * width);
  for (let from = 0; from < starts.length; from += rowsPerRead) {
    const to = Math.min(from + rowsPerRead, starts.length);
    for (let index = from; index < to; index += 1) {
      const [source, target] = [starts[index] ?? 0, (index - from) * width];
      for (let field = 0; field < width; field += 1) block[target + field] = numbers[source + field] ?? 0;
    }
    appendAll(file, new Uint8Array(block.buffer, 0, (to - from) * width * Float64Array.BYTES_PER_ELEMENT));
  }
}

/** An external sort of rows with `width` numbers. All runs but the last are in a private temporary file. */
export function sortedRows(width: number, rowsInMemory = rowsPerRun): SortedRows {
  const rowBytes = width * Float64Array.BYTES_PER_ELEMENT;
  const ends: number[] = [];
  let file: number | undefined;
  let numbers = new Float64Array(Math.min(rowsInMemory, rowsAtFirst) * width);
  let filled = 0;
  /** Where the rows that are still in memory start, in their order. */
  let starts: Uint32Array | undefined;
  const spill = (): void => {
    file ??= openTempFile();
    appendRun(file, { numbers, starts: sortedStarts(numbers, filled / width, width) }, width);
    ends.push((ends.at(-1) ?? 0) + filled * Float64Array.BYTES_PER_ELEMENT);
    filled = 0;
  };
  const makeRoom = (): void => {
    if (filled === rowsInMemory * width) return spill();
    const larger = new Float64Array(Math.min(numbers.length * 2, rowsInMemory * width));
    larger.set(numbers);
    numbers = larger;
  };
  return {
    append: () => {
      starts = undefined;
      if (filled === numbers.length) makeRoom();
      const at = filled;
      filled += width;
      return { numbers, at };
    },
    size: () => filled / width + (ends.at(-1) ?? 0) / rowBytes,
    blocks: function* blocks(rows, isWanted) {
      starts ??= sortedStarts(numbers, filled / width, width);
      const inMemory = { numbers, starts };
      if (ends.length > 0) {
        const spilled = ends.map((end, index) => fileRun(file ?? 0, ends[index - 1] ?? 0, end, width));
        return yield* merged([...spilled, memoryRun(inMemory)], width, rows, isWanted);
      }
      const wanted = isWanted ? inMemory.starts.filter((at) => isWanted(inMemory.numbers, at)) : inMemory.starts;
      for (let from = 0; from < wanted.length; from += rows) yield { numbers: inMemory.numbers, starts: wanted.subarray(from, from + rows) };
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
