import * as v from 'valibot';
import { StoreError } from '../errors.js';
import { batchDetails, type Batch } from './batch.js';
import { idNumber } from '../values/ids.js';
import { performs } from '../operation.js';

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
export const undoBatch = performs({
  id: 'undoBatch',
  summary: 'Take a bulk import back',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports/{batchId}/undo',
  status: 200,
  input: v.strictObject({ batchId: idNumber, allowShortage: v.optional(v.boolean('must be true or false'), false) }),
  output: batchDetails,
});
