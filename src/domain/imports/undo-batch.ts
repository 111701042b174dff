import { allowShortageParameter } from '../inventory/check-reserved.js';
import { batchIdParameter, exampleBatch, batchDetails, type Batch, type BatchDetails } from './batch.js';
import { StoreError } from '../errors.js';
import { customOperation } from '../operation.js';
import { wholeNumber } from '../values/numbers.js';
import { field, record } from '../values/schemas.js';
import * as v from 'valibot';

/** Why a batch cannot be undone: `already_undone`, or `not_undoable` for one that created pets or changed nothing. */
export function batchConflict({ id, kind, state }: Batch): StoreError | undefined {
  if (state === 'undone') return new StoreError('already_undone', `Batch ${id} was already undone.`, { details: { batchId: id } });
  if (state === 'refused')
    return new StoreError('not_undoable', `Batch ${id} was refused and changed nothing.`, { details: { batchId: id, reason: 'batch_refused' } });
  if (kind === 'pets') {
    return new StoreError('not_undoable', `Batch ${id} created pets; delete them instead.`, { details: { batchId: id, reason: 'batch_created_pets' } });
  }
  return undefined;
}

/** Refuses a batch that cannot be undone, see `batchConflict`. */
export function checkUndoable(batch: Batch): void {
  const conflict = batchConflict(batch);
  if (conflict) throw conflict;
}

/** The bulk import that was undone, and the number of its rows. */
export const undoReport = record('UndoReport', 'The bulk import that was undone, and the number of its rows.', {
  batch: batchDetails,
  rows: field(wholeNumber, 'Number of rows that were undone, without those undone one by one before.'),
});

/** The bulk import that was undone, and the number of its rows. */
export interface UndoReport {
  readonly batch: BatchDetails;
  readonly rows: number;
}

/** Undoes a whole bulk import in one transaction. Performed by `Shop.undoBatch`. */
export const undoBatch = customOperation({
  id: 'undoBatch',
  summary: 'Undo a bulk import',
  description: 'Undoes a bulk import of stock or of codes in one transaction; later changes are kept. An import can be undone once.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports/{batchId}/undo',
  status: 200,
  input: v.strictObject({ batchId: batchIdParameter, allowShortage: allowShortageParameter }),
  output: batchDetails,
  refuses: ['already_undone', 'not_undoable', 'out_of_stock', 'stock_reserved'],
  example: { answer: { ...exampleBatch, state: 'undone', errors: [] } },
  cost: 'shop',
});
