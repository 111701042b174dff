import { closeSync, readSync } from 'node:fs';
import { appendAll, openTempFile } from '../../formats/temp-file.js';
import { crossingKinds, type StagedRow } from './stage-stock.js';

/** Staged rows in the order in which they were added, in constant memory. */
export interface StagedRows {
  /** Adds a row. Refuses with `store_full` when there is no room. */
  readonly add: (row: StagedRow) => void;
  readonly each: (visit: (row: StagedRow) => void) => void;
  readonly close: () => void;
}

/** The numbers of a row in the file; a quantity that the row does not have is −1, and `kind` is 0 for a movement. */
const fields = ['petId', 'before', 'after', 'origin', 'isLast', 'isShortage', 'kind', 'note'] as const;
const width = fields.length;
const rowsTogether = 1 << 13;
const absent = -1;

function writeRow(numbers: Float64Array, at: number, row: StagedRow): void {
  numbers[at] = row.petId;
  numbers[at + 1] = row.before ?? absent;
  numbers[at + 2] = row.after ?? absent;
  numbers[at + 3] = row.origin;
  numbers[at + 4] = row.isLast ? 1 : 0;
  numbers[at + 5] = row.isShortage ? 1 : 0;
  numbers[at + 6] = row.kind === null ? 0 : crossingKinds.indexOf(row.kind) + 1;
  numbers[at + 7] = row.note;
}

function quantityOf(number: number | undefined): number | null {
  return number === undefined || number === absent ? null : number;
}

function readRow(numbers: Readonly<Float64Array>, at: number): StagedRow {
  return {
    petId: numbers[at] ?? 0,
    before: quantityOf(numbers[at + 1]),
    after: quantityOf(numbers[at + 2]),
    origin: numbers[at + 3] ?? 0,
    isLast: numbers[at + 4] === 1,
    isShortage: numbers[at + 5] === 1,
    kind: crossingKinds[(numbers[at + 6] ?? 0) - 1] ?? null,
    note: numbers[at + 7] ?? 0,
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
  return {
    add: (row) => {
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
