import { batchIdParameter, exampleBatch, batchDetails, type Batch } from './batch.js';
import { flag } from '../values/schemas.js';
import { StoreError } from '../errors.js';
import { customOperation } from '../operation.js';
import * as v from 'valibot';

/** Refuses a batch that cannot be taken back: one of pets, one that changed nothing, or one that was taken back already. */
export function checkUndoable({ id, kind, state }: Batch): void {
  if (state === 'undone') throw new StoreError('already_undone', `Batch ${id} was undone already.`, `petstore log --batch ${id}`);
  if (state === 'refused') throw new StoreError('not_undoable', `Batch ${id} was refused and changed nothing.`, `petstore inventory batch view ${id}`);
  if (kind === 'pets') {
    const line = `petstore log --batch ${id} --kind opening --fields pet | petstore pet delete - --yes`;
    throw new StoreError('not_undoable', `Batch ${id} created pets; delete them instead.`, line);
  }
}

/** Takes a whole bulk import back in one transaction; the shop performs it by `undoBatch`. */
export const undoBatch = customOperation({
  id: 'undoBatch',
  summary: 'Take a bulk import back',
  description: 'Takes a bulk import of stock back in one transaction, on top of what happened since. An import can be taken back once.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports/{batchId}/undo',
  status: 200,
  input: v.strictObject({ batchId: batchIdParameter, allowShortage: flag('Accepts a stock that does not cover what is reserved for open orders.') }),
  output: batchDetails,
  refuses: ['already_undone', 'not_undoable', 'out_of_stock', 'stock_reserved'],
  example: { answer: { ...exampleBatch, state: 'undone', errors: [] } },
  cost: 'shop',
});
