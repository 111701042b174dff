import { closeSync, readSync } from 'node:fs';
import { appendAll, openTempFile } from '../../formats/temp-file.js';
import { crossingKinds, type StagedRow } from './stage-stock.js';

/** How many movements are staged, and after how many of them a pet has nothing on hand. */
export interface StagedCounts {
  applied: number;
  toZero: number;
}

/** Counts a staged row. */
export function countRow(counts: StagedCounts, { after, isLast }: StagedRow): void {
  if (after === null) return;
  counts.applied += 1;
  if (after === 0 && isLast) counts.toZero += 1;
}

/** Staged rows in the order in which they were added, in constant memory. */
export interface StagedRows {
  /** Adds a row. Refuses with `store_full` when there is no room. */
  readonly add: (row: StagedRow) => void;
  readonly counts: Readonly<StagedCounts>;
  readonly each: (visit: (row: StagedRow) => void) => void;
  readonly close: () => void;
}

/** The numbers of a row: pet, quantities before and after, origin, position of the note, and marks. */
const width = 6;
const rowsTogether = 1 << 13;
/** In place of a quantity that the row does not have. */
const absent = -1;
const [lastMark, shortageMark, kindMark] = [1, 2, 4];

function writeRow(numbers: Float64Array, at: number, row: StagedRow): void {
  numbers[at] = row.petId;
  numbers[at + 1] = row.before ?? absent;
  numbers[at + 2] = row.after ?? absent;
  numbers[at + 3] = row.origin;
  numbers[at + 4] = row.note;
  const kind = row.kind === null ? 0 : crossingKinds.indexOf(row.kind) + 1;
  numbers[at + 5] = (row.isLast ? lastMark : 0) + (row.isShortage ? shortageMark : 0) + kind * kindMark;
}

function quantityOf(number: number | undefined): number | null {
  return number === undefined || number === absent ? null : number;
}

function readRow(numbers: Readonly<Float64Array>, at: number): StagedRow {
  const marks = numbers[at + 5] ?? 0;
  return {
    petId: numbers[at] ?? 0,
    before: quantityOf(numbers[at + 1]),
    after: quantityOf(numbers[at + 2]),
    origin: numbers[at + 3] ?? 0,
    isLast: (marks & lastMark) !== 0,
    isShortage: (marks & shortageMark) !== 0,
    kind: crossingKinds[Math.floor(marks / kindMark) - 1] ?? null,
    note: numbers[at + 4] ?? 0,
  };
}

function eachIn(numbers: Readonly<Float64Array>, end: number, visit: (row: StagedRow) => void): void {
  for (let at = 0; at < end; at += width) visit(readRow(numbers, at));
}

/** Reads a file of full blocks. */
function eachBlock(file: number, visit: (block: Readonly<Float64Array>) => void): void {
  const block = new Float64Array(rowsTogether * width);
  for (let position = 0; readSync(file, block, 0, block.byteLength, position) > 0; position += block.byteLength) visit(block);
}

/** Collects staged rows; when there are many, they are in a temporary file. */
export function stagedRows(): StagedRows {
  const pending = new Float64Array(rowsTogether * width);
  let filled = 0;
  let file: number | undefined;
  const counts: StagedCounts = { applied: 0, toZero: 0 };
  return {
    counts,
    add: (row) => {
      countRow(counts, row);
      if (filled === pending.length) {
        file ??= openTempFile();
        appendAll(file, new Uint8Array(pending.buffer));
        filled = 0;
      }
      writeRow(pending, filled, row);
      filled += width;
    },
    each: (visit) => {
      if (file !== undefined) eachBlock(file, (block) => eachIn(block, block.length, visit));
      eachIn(pending, filled, visit);
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}
