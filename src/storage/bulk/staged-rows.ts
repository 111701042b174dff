import { closeSync, readSync } from 'node:fs';
import type { StockRowKind } from '../../domain/imports/stock-change.js';
import type { LedgerKind } from '../../domain/ledger/ledger-entry.js';
import { appendAll, openTempFile } from '../../formats/temp-file.js';
import type { Stamp } from '../tables/ledger-table.js';
import type { TextFile } from './text-file.js';

/** Rows to write to the ledger in the order in which they were added, in constant memory. */
export interface StagedRows {
  /** Adds a movement, or with `absentQuantity` twice the crossing of the low-stock level that it causes. Refuses with `store_full` when there is no room. */
  readonly add: (petId: number, before: number, after: number, lineOrEntry: number, note: number, marks: number) => void;
  /** The rows as numbers, `stagedRowWidth` for each, in blocks of at most 2,000 rows; a block is valid until the next one is read. */
  readonly blocks: () => Generator<Readonly<Float64Array>, void>;
  readonly close: () => void;
}

/** The numbers of a row, in the order of `stagedRowColumns`. */
export const stagedRowWidth = 6;
/** The positions of the numbers of a row: the line of the file or the id of the entry that it comes from, the position of its note or 0, and its marks. */
export const stagedRowColumns = { petId: 0, before: 1, after: 2, lineOrEntry: 3, note: 4, marks: 5 } as const;
/** In place of the quantities of a crossing. */
export const absentQuantity = -1;

/** What a row is besides a movement: one that leaves less on hand than reserved, or a crossing. */
export const stagedMarks = { none: 0, shortage: 1, low: 2, restocked: 3 } as const;
const crossings: Readonly<Record<number, LedgerKind>> = { [stagedMarks.low]: 'inventory.low', [stagedMarks.restocked]: 'inventory.restocked' };

const columns = stagedRowColumns;
const blockLength = 2000 * stagedRowWidth;
const rowsPerWrite = 1 << 13;

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
  return {
    add: (petId, before, after, lineOrEntry, note, marks) => {
      if (filled === pending.length) {
        file ??= openTempFile();
        appendAll(file, new Uint8Array(pending.buffer));
        filled = 0;
      }
      pending[filled + columns.petId] = petId;
      pending[filled + columns.before] = before;
      pending[filled + columns.after] = after;
      pending[filled + columns.lineOrEntry] = lineOrEntry;
      pending[filled + columns.note] = note;
      pending[filled + columns.marks] = marks;
      filled += stagedRowWidth;
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

/** The rows that a bulk stock change writes to the ledger, in their order, and what they are. */
export interface RowsToWrite extends Pick<StagedRows, 'blocks'> {
  readonly kind: StockRowKind;
  /** The notes of rows, by the position stored with them. */
  readonly notes: Pick<TextFile, 'at'>;
}

/** The batch to which new ledger rows belong. Without a stamp they take time and actor from the batch. */
export interface RecordedBatch {
  readonly batchId: number;
  readonly stamp?: Stamp | undefined;
}

/** The cells of ledger rows that their stamp has; the note of a row may follow. */
export function stampCells(stamp: Stamp | undefined) {
  return stamp === undefined ? { note: null } : { at: stamp.at, actor: stamp.actor, source: stamp.source, note: stamp.note ?? null };
}

/** The ledger rows of a block of staged rows, with the ids after `newest`; without it the database gives them the next ones. */
export function ledgerRowsOf(block: Readonly<Float64Array>, { kind, notes }: Omit<RowsToWrite, 'blocks'>, { batchId, stamp }: RecordedBatch, newest?: number) {
  const stamped = stampCells(stamp);
  return Array.from({ length: block.length / stagedRowWidth }, (_, index) => {
    const at = index * stagedRowWidth;
    const marks = block[at + columns.marks] ?? 0;
    const note = block[at + columns.note] ?? 0;
    const after = block[at + columns.after] ?? 0;
    const isMovement = after !== absentQuantity;
    const lineOrEntry = block[at + columns.lineOrEntry] ?? 0;
    return {
      id: newest === undefined ? null : newest + index + 1,
      kind: crossings[marks] ?? kind,
      pet_id: block[at + columns.petId] ?? 0,
      delta: isMovement ? after - (block[at + columns.before] ?? 0) : null,
      quantity_after: isMovement ? after : null,
      // A crossing undoes no entry.
      ...(kind === 'undo' ? { reverses: isMovement ? lineOrEntry : null } : { line: lineOrEntry }),
      shortage: marks === stagedMarks.shortage ? 1 : null,
      batch_id: batchId,
      ...stamped,
      note: note === 0 ? stamped.note : notes.at(note),
    };
  });
}

/** Whether all rows of a block are movements without shortage and without a note, as most are. */
export function isPlain(block: Readonly<Float64Array>): boolean {
  for (let at = 0; at < block.length; at += stagedRowWidth) if (block[at + columns.marks] !== stagedMarks.none || block[at + columns.note] !== 0) return false;
  return true;
}
