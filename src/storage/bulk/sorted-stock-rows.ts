import { closeSync, readSync } from 'node:fs';
import { openTempFile, appendAll } from '../../formats/temp-file.js';

/** Rows sorted by pet, then by insertion order, in constant memory (external merge sort). */
export interface SortedStockRows {
  readonly add: (petId: number, value: number | undefined, expected: number | undefined, lineOrEntry: number, rowIndex: number, note?: number) => void;
  /** The rows in blocks of this many: `stockRowWidth` numbers for each row, at `stockRowColumns`. Each call starts a new pass. */
  readonly blocks: (rowsTogether: number) => Generator<Readonly<Float64Array>, void>;
  readonly close: () => void;
}

/** The numbers of a row of a stock file, or of an undo. */
export const stockRowWidth = 6;
/** Their positions. */
export const stockRowColumns = {
  petId: 0,
  /** A counted quantity or a change, depending on the file; `absentNumber` for a row that was refused but still names its pet. */
  value: 1,
  /** The expected quantity on hand; `absentNumber` if the row gives none. */
  expected: 2,
  /** The line of the file, or the id of the ledger entry, that the row comes from. */
  lineOrEntry: 3,
  /** The index of the row in the file, from 0; rows of a JSON file can share a line. */
  rowIndex: 4,
  /** The position of the note in the text file; 0 for none. */
  note: 5,
} as const;
/** In place of a value or expected quantity that the row does not have: both lie between −2^31 and 2^31. */
export const absentNumber = -(2 ** 40);

const columns = stockRowColumns;
/** The most rows per run, sorted in memory. */
const rowsPerRun = 1 << 18;
const rowsAtFirst = 1 << 10;
const rowsPerRead = 1 << 12;
/** From this key on, a key and the index of a row do not fit into the 53 bits of a number. */
const largestPacked = 2 ** 53 / rowsPerRun;

/** Copies the row at `from` of one array to `to` of another. */
function copyRow(source: Readonly<Float64Array>, from: number, target: Float64Array, to: number): void {
  for (let field = 0; field < stockRowWidth; field += 1) target[to + field] = source[from + field] ?? 0;
}

/** A copy of rows in the order of their pets, and then of their insertion. */
function sortedCopy(rows: Readonly<Float64Array>): Float64Array {
  const count = rows.length / stockRowWidth;
  // Key and index in one number, which the built-in sort compares without a function.
  const order = new Float64Array(count);
  let largest = 0;
  for (let index = 0; index < count; index += 1) {
    const petId = rows[index * stockRowWidth] ?? 0;
    order[index] = petId * rowsPerRun + index;
    if (petId > largest) largest = petId;
  }
  const isPacked = largest < largestPacked;
  // Positive numbers have the order of their bits, which are compared in half the time.
  if (isPacked) new BigUint64Array(order.buffer).sort();
  else
    order.set(order.map((_, index) => index).toSorted((left, right) => (rows[left * stockRowWidth] ?? 0) - (rows[right * stockRowWidth] ?? 0) || left - right));
  const sorted = new Float64Array(rows.length);
  for (let index = 0; index < count; index += 1) {
    const one = order[index] ?? 0;
    copyRow(rows, (isPacked ? one - Math.floor(one / rowsPerRun) * rowsPerRun : one) * stockRowWidth, sorted, index * stockRowWidth);
  }
  return sorted;
}

/** A sorted run being merged: numbers in memory, and the part of the file that follows them. */
interface Run {
  readonly numbers: Float64Array;
  /** Where the present row starts. */
  at: number;
  /** The end of the numbers that are in memory. */
  held: number;
  position: number;
  readonly end: number;
}

/** Moves a run to its next row and returns the pet of that; infinity at its end. */
function advance(run: Run, file: number): number {
  run.at += stockRowWidth;
  if (run.at >= run.held) {
    const bytes = Math.min(run.numbers.byteLength, run.end - run.position);
    if (bytes === 0) return Number.POSITIVE_INFINITY;
    const read = readSync(file, run.numbers, 0, bytes, run.position);
    run.position += read;
    run.held = read / Float64Array.BYTES_PER_ELEMENT;
    run.at = 0;
  }
  return run.numbers[run.at] ?? 0;
}

/** Merges runs into blocks. Of equal pets the one of the earliest run is first, which keeps the sort stable. */
function* merged(runs: readonly Run[], file: number, rowsTogether: number): Generator<Readonly<Float64Array>, void> {
  const pets = Float64Array.from(runs, (run) => advance(run, file));
  for (;;) {
    const block = new Float64Array(rowsTogether * stockRowWidth);
    let to = 0;
    while (to < block.length) {
      let least = 0;
      for (let index = 1; index < pets.length; index += 1) if ((pets[index] ?? 0) < (pets[least] ?? 0)) least = index;
      const run = runs[least];
      if (run === undefined || pets[least] === Number.POSITIVE_INFINITY) break;
      copyRow(run.numbers, run.at, block, to);
      to += stockRowWidth;
      pets[least] = advance(run, file);
    }
    if (to > 0) yield block.subarray(0, to);
    if (to < block.length) return;
  }
}

/** Collects rows and sorts them by pet. All runs but the last are in a private temporary file. */
export function sortedStockRows(rowsInMemory = rowsPerRun): SortedStockRows {
  const ends: number[] = [];
  let file = -1;
  let numbers = new Float64Array(Math.min(rowsInMemory, rowsAtFirst) * stockRowWidth);
  let filled = 0;
  let sorted: Float64Array | undefined;
  const makeRoom = (): void => {
    if (filled < rowsInMemory * stockRowWidth) {
      const larger = new Float64Array(Math.min(numbers.length * 2, rowsInMemory * stockRowWidth));
      larger.set(numbers);
      numbers = larger;
      return;
    }
    if (file < 0) file = openTempFile();
    appendAll(file, new Uint8Array(sortedCopy(numbers).buffer));
    ends.push((ends.at(-1) ?? 0) + numbers.byteLength);
    filled = 0;
  };
  const runs = (): readonly Run[] => {
    sorted ??= sortedCopy(numbers.subarray(0, filled));
    const inFile = ends.map((end, index): Run => {
      const room = new Float64Array(rowsPerRead * stockRowWidth);
      return { numbers: room, at: 0, held: 0, position: ends[index - 1] ?? 0, end };
    });
    return [...inFile, { numbers: sorted, at: -stockRowWidth, held: filled, position: 0, end: 0 }];
  };
  return {
    add: (petId, value, expected, lineOrEntry, rowIndex, note = 0) => {
      sorted = undefined;
      if (filled === numbers.length) makeRoom();
      numbers[filled + columns.petId] = petId;
      numbers[filled + columns.value] = value ?? absentNumber;
      numbers[filled + columns.expected] = expected ?? absentNumber;
      numbers[filled + columns.lineOrEntry] = lineOrEntry;
      numbers[filled + columns.rowIndex] = rowIndex;
      numbers[filled + columns.note] = note;
      filled += stockRowWidth;
    },
    blocks: (rowsTogether) => merged(runs(), file, rowsTogether),
    close: () => {
      if (file >= 0) closeSync(file);
    },
  };
}
