import { closeSync, readSync } from 'node:fs';
import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { appendAll, openTempFile } from '../../formats/temp-file.js';

/** The kinds of the ledger rows that a movement across the low-stock level adds. */
export const crossingKinds = ['inventory.low', 'inventory.restocked'] as const satisfies readonly LedgerKind[];

/** A row to write to the ledger: a movement, or the low-level crossing it causes, which has a kind but no quantities. */
export interface StagedRow {
  readonly petId: number;
  readonly before: number | null;
  readonly after: number | null;
  /** The line of the file, or the id of the ledger entry, that the row comes from. */
  readonly lineOrEntry: number;
  /** Whether this is the last movement of its pet. */
  readonly isLast: boolean;
  /** Whether the movement leaves less on hand than reserved. */
  readonly isShortage: boolean;
  readonly kind: (typeof crossingKinds)[number] | null;
  /** The position of the note in the text file; 0 for none. */
  readonly note: number;
}

/** How many rows and movements are staged, and after how many movements a pet has nothing on hand. */
export interface StagedTotals {
  rows: number;
  applied: number;
  toZero: number;
}

/** Rows to write in the order in which they were added, in constant memory. Adding one refuses with `store_full` when there is no room. */
export interface StagedRows {
  /** Adds a movement; those of one pet follow each other. */
  readonly move: (petId: number, before: number, after: number, lineOrEntry: number, note: number, isShortage: boolean) => void;
  /** Adds the crossing that the last movement causes. */
  readonly cross: (kind: (typeof crossingKinds)[number]) => void;
  readonly totals: Readonly<StagedTotals>;
  /**
   * The rows as numbers, `stagedRowWidth` for each, in blocks of at most 2,000 rows; a block is valid until the next one is
   * read. `stagedRowAt` and `stagedRowColumns` read them.
   */
  readonly blocks: () => Generator<Readonly<Float64Array>, void>;
  readonly close: () => void;
}

/** The numbers of a row, in the order of `stagedRowColumns`. */
export const stagedRowWidth = 6;
/** The positions of the numbers of a row. A crossing has `absentQuantity` in place of its quantities. */
export const stagedRowColumns = { petId: 0, before: 1, after: 2, lineOrEntry: 3, note: 4, marks: 5 } as const;
/** In place of the quantities of a crossing. */
export const absentQuantity = -1;

const columns = stagedRowColumns;
const [lastMark, shortageMark, kindMark] = [1, 2, 4];
const blockLength = 2000 * stagedRowWidth;
const rowsPerWrite = 1 << 13;

function quantityOf(number: number | undefined): number | null {
  return number === undefined || number === absentQuantity ? null : number;
}

/** The row whose numbers start at `at`. */
export function stagedRowAt(numbers: Readonly<Float64Array>, at: number): StagedRow {
  const marks = numbers[at + columns.marks] ?? 0;
  return {
    petId: numbers[at + columns.petId] ?? 0,
    before: quantityOf(numbers[at + columns.before]),
    after: quantityOf(numbers[at + columns.after]),
    lineOrEntry: numbers[at + columns.lineOrEntry] ?? 0,
    isLast: (marks & lastMark) !== 0,
    isShortage: (marks & shortageMark) !== 0,
    kind: crossingKinds[Math.floor(marks / kindMark) - 1] ?? null,
    note: numbers[at + columns.note] ?? 0,
  };
}

/** Whether a row is a movement without shortage and without a note, as most are. */
export function isPlainAt(numbers: Readonly<Float64Array>, at: number): boolean {
  return (numbers[at + columns.marks] ?? 0) <= lastMark && numbers[at + columns.note] === 0;
}

function* blocksOf(file: number): Generator<Readonly<Float64Array>, void> {
  const block = new Float64Array(blockLength);
  for (let position = 0; ;) {
    const bytes = readSync(file, block, 0, block.byteLength, position);
    if (bytes === 0) return;
    yield block.subarray(0, bytes / Float64Array.BYTES_PER_ELEMENT);
    position += bytes;
  }
}

/** Collects staged rows; when there are many, they are in a temporary file. */
export function stagedRows(): StagedRows {
  const pending = new Float64Array(rowsPerWrite * stagedRowWidth);
  let filled = 0;
  let file: number | undefined;
  /** Where the last movement starts. */
  let last = -stagedRowWidth;
  const totals: StagedTotals = { rows: 0, applied: 0, toZero: 0 };
  const append = (petId: number, before: number, after: number, lineOrEntry: number, note: number, marks: number): void => {
    pending[filled + columns.petId] = petId;
    pending[filled + columns.before] = before;
    pending[filled + columns.after] = after;
    pending[filled + columns.lineOrEntry] = lineOrEntry;
    pending[filled + columns.note] = note;
    pending[filled + columns.marks] = marks;
    filled += stagedRowWidth;
    totals.rows += 1;
  };
  return {
    totals,
    move: (petId, before, after, lineOrEntry, note, isShortage) => {
      if (totals.applied > 0 && pending[last + columns.petId] === petId) {
        pending[last + columns.marks] = (pending[last + columns.marks] ?? 0) - lastMark;
        if (before === 0) totals.toZero -= 1;
      }
      // Room for a crossing too, so that its movement is still here when the next one comes.
      if (filled > pending.length - 2 * stagedRowWidth) {
        file ??= openTempFile();
        appendAll(file, new Uint8Array(pending.buffer, 0, filled * Float64Array.BYTES_PER_ELEMENT));
        filled = 0;
      }
      last = filled;
      append(petId, before, after, lineOrEntry, note, lastMark + (isShortage ? shortageMark : 0));
      totals.applied += 1;
      if (after === 0) totals.toZero += 1;
    },
    cross: (kind) => {
      const [petId, lineOrEntry, note] = [pending[last + columns.petId], pending[last + columns.lineOrEntry], pending[last + columns.note]];
      append(petId ?? 0, absentQuantity, absentQuantity, lineOrEntry ?? 0, note ?? 0, (crossingKinds.indexOf(kind) + 1) * kindMark);
    },
    blocks: function* blocks() {
      if (file !== undefined) yield* blocksOf(file);
      for (let at = 0; at < filled; at += blockLength) yield pending.subarray(at, Math.min(at + blockLength, filled));
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
