import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.js';

/** One number per field: the pet, the figure, the expected quantity (or −1), the line or ledger row it comes from, and its place. */
const width = 5;
const rowsPerRun = 1 << 18;
const rowsPerRead = 1 << 12;
/** A key holds the pet and the place within the run in the 53 bits of a number: pets up to 2^35. */
const largestPacked = 2 ** 35;

/** A figure for one pet, as it stands in a file or in the ledger. */
export interface Figure {
  readonly petId: number;
  /** A counted quantity or a change, as the whole file has it. */
  readonly value: number;
  /** The quantity the row expects to find, or undefined. */
  readonly expected: number | undefined;
  /** The line of the file, or the ledger row, that gave it. */
  readonly origin: number;
  /** Its place among the rows of the file, from 0; rows of a JSON file can share a line. */
  readonly place: number;
}

/** Figures sorted by pet, then by origin, with the same memory for a thousand and for many millions. */
export interface SortedFigures {
  readonly add: (petId: number, value: number, expected: number | undefined, origin: number, place: number) => void;
  readonly size: () => number;
  /** All figures in chunks; may be called again for another pass. */
  readonly chunks: (rows: number) => Generator<readonly Figure[], void>;
  readonly close: () => void;
}

/** A run being read: the figures in memory, the place of the present one, and where the rest comes from. */
interface Run {
  readonly buffer: Float64Array;
  held: number;
  at: number;
  readonly refill: () => number;
}

/** Moves on to the next figure; false at the end. */
function advance(run: Run): boolean {
  run.at += width;
  if (run.at < run.held) return true;
  run.held = run.refill();
  run.at = 0;
  return run.held > 0;
}

function sortRun(rows: Float64Array, count: number): Float64Array {
  const sorted = new Float64Array(count * width);
  const order = orderOf(rows, count);
  for (let place = 0; place < count; place += 1) {
    const from = (order[place] ?? 0) * width;
    for (let field = 0; field < width; field += 1) sorted[place * width + field] = rows[from + field] ?? 0;
  }
  return sorted;
}

// Sorting packed keys as plain numbers takes a tenth of the time of a comparison function.
function orderOf(rows: Float64Array, count: number): ArrayLike<number> {
  const keys = new Float64Array(count);
  let packed = true;
  for (let index = 0; index < count; index += 1) {
    const petId = rows[index * width] ?? 0;
    packed &&= petId < largestPacked;
    keys[index] = petId * rowsPerRun + index;
  }
  if (!packed) {
    const petOf = (index: number): number => rows[index * width] ?? 0;
    return Array.from({ length: count }, (_, index) => index).toSorted((left, right) => petOf(left) - petOf(right) || left - right);
  }
  return keys.toSorted().map((key) => key % rowsPerRun);
}

function memoryRun(rows: Float64Array): Run {
  return { buffer: rows, held: rows.length, at: -width, refill: () => 0 };
}

function fileRun(file: number, start: number, end: number): Run {
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

function figureOf({ buffer, at }: Run): Figure {
  const expected = buffer[at + 2] ?? -1;
  return {
    petId: buffer[at] ?? 0,
    value: buffer[at + 1] ?? 0,
    expected: expected < 0 ? undefined : expected,
    origin: buffer[at + 3] ?? 0,
    place: buffer[at + 4] ?? 0,
  };
}

/** The run whose next figure comes first; runs were filled in turn, so the earlier one wins a tie. */
function first(runs: readonly Run[]): Run | undefined {
  let least = runs[0];
  for (let index = 1; index < runs.length; index += 1) {
    const run = runs[index];
    if (run && least && (run.buffer[run.at] ?? 0) < (least.buffer[least.at] ?? 0)) least = run;
  }
  return least;
}

/** Collects figures in runs sorted in memory, of 2^18 at most; all but the last are kept in a private temporary file without a name. */
export function sortedFigures(rowsInMemory = rowsPerRun): SortedFigures {
  const current = new Float64Array(rowsInMemory * width);
  const ends: number[] = [];
  let file: number | undefined;
  let count = 0;
  let last: Float64Array | undefined;
  const spill = (): void => {
    const run = sortRun(current, count);
    file ??= namelessFile();
    const start = ends.at(-1) ?? 0;
    writeWhole(file, new Uint8Array(run.buffer));
    ends.push(start + run.byteLength);
    count = 0;
  };
  return {
    add: (petId, value, expected, origin, place) => {
      if (count === rowsInMemory) spill();
      const at = count * width;
      current[at] = petId;
      current[at + 1] = value;
      current[at + 2] = expected ?? -1;
      current[at + 3] = origin;
      current[at + 4] = place;
      count += 1;
    },
    size: () => count + (ends.at(-1) ?? 0) / (width * Float64Array.BYTES_PER_ELEMENT),
    chunks: function* chunks(rows) {
      last ??= sortRun(current, count);
      const spilled = ends.map((end, index) => fileRun(file ?? 0, ends[index - 1] ?? 0, end));
      let live = [...spilled, memoryRun(last)].filter(advance);
      let chunk: Figure[] = [];
      for (let run = first(live); run !== undefined; run = first(live)) {
        chunk.push(figureOf(run));
        if (!advance(run)) live = live.filter((one) => one !== run);
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

const noRoom = new Set(['ENOSPC', 'EFBIG', 'EDQUOT']);

/** Adds bytes to the end of a temporary file; `store_full` where the disk has no room for them. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && noRoom.has(String(error.code)))) throw error;
    throw new StoreError(
      'store_full',
      `There is no room left for temporary files in ${tmpdir()}; nothing was changed.`,
      'Free some disk space, or set TMPDIR to another folder.',
    );
  }
}

/** Opens a private temporary file that has no name any more: nothing is left behind, however the process ends. */
export function namelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'));
  const file = openSync(join(folder, 'runs'), 'wx+', 0o600);
  rmSync(folder, { recursive: true, force: true });
  return file;
}
