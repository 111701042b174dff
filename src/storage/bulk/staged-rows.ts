import { closeSync, readSync } from 'node:fs';
import { appendAll, openTempFile } from '../../formats/temp-file.js';
import { crossingKinds, type AddStagedRow, type StagedRow } from './stage-stock.js';

/** How many rows and movements are staged, and after how many movements a pet has nothing on hand. */
export interface StagedTotals {
  rows: number;
  applied: number;
  toZero: number;
}

/** Adds a staged row. */
export function addToTotals(totals: StagedTotals, { after, isLast }: StagedRow): void {
  totals.rows += 1;
  if (after === null) return;
  totals.applied += 1;
  if (after === 0 && isLast) totals.toZero += 1;
}

/** Staged rows in the order in which they were added, in constant memory. Adding one refuses with `store_full` when there is no room. */
export interface StagedRows {
  readonly add: AddStagedRow;
  readonly totals: Readonly<StagedTotals>;
  /** The rows as numbers, `stagedRowWidth` for each, in blocks; a block is valid until the next one is read. `stagedRowAt` and `stagedRowColumns` read them. */
  readonly blocks: () => Generator<Readonly<Float64Array>, void>;
  readonly close: () => void;
}

/** The numbers of a row, in the order of `stagedRowColumns`. */
export const stagedRowWidth = 6;
/** The positions of the numbers of a row. A crossing has `absentQuantity` in place of its quantities. */
export const stagedRowColumns = { petId: 0, before: 1, after: 2, lineOrEntry: 3, note: 4, marks: 5 } as const;
const columns = stagedRowColumns;
const rowsTogether = 1 << 13;
/** In place of the quantities of a crossing. */
export const absentQuantity = -1;
const [lastMark, shortageMark, kindMark] = [1, 2, 4];

function writeRow(numbers: Float64Array, at: number, row: StagedRow): void {
  numbers[at + columns.petId] = row.petId;
  numbers[at + columns.before] = row.before ?? absentQuantity;
  numbers[at + columns.after] = row.after ?? absentQuantity;
  numbers[at + columns.lineOrEntry] = row.lineOrEntry;
  numbers[at + columns.note] = row.note;
  const kind = row.kind === null ? 0 : crossingKinds.indexOf(row.kind) + 1;
  numbers[at + columns.marks] = (row.isLast ? lastMark : 0) + (row.isShortage ? shortageMark : 0) + kind * kindMark;
}

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

/** Reads a file of full blocks. */
function* blocksOf(file: number): Generator<Readonly<Float64Array>, void> {
  const block = new Float64Array(rowsTogether * stagedRowWidth);
  for (let position = 0; readSync(file, block, 0, block.byteLength, position) > 0; position += block.byteLength) yield block;
}

/** Collects staged rows; when there are many, they are in a temporary file. */
export function stagedRows(): StagedRows {
  const pending = new Float64Array(rowsTogether * stagedRowWidth);
  let filled = 0;
  let file: number | undefined;
  const totals: StagedTotals = { rows: 0, applied: 0, toZero: 0 };
  /** Makes room for a row, and returns where it starts. */
  const append = (): number => {
    if (filled === pending.length) {
      file ??= openTempFile();
      appendAll(file, new Uint8Array(pending.buffer));
      filled = 0;
    }
    filled += stagedRowWidth;
    return filled - stagedRowWidth;
  };
  return {
    totals,
    add: (row) => {
      addToTotals(totals, row);
      writeRow(pending, append(), row);
    },
    blocks: function* blocks() {
      if (file !== undefined) yield* blocksOf(file);
      yield pending.subarray(0, filled);
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
