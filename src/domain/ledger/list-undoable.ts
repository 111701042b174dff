import { readOperation } from '../operation.js';
import { exampleUndoableChange, maximumChanges, undoableChange, undoableChanges, type UndoableChange } from './undoable-change.js';
import * as v from 'valibot';

/** Lists the last changes by the caller that can be undone, newest first. */
export const listUndoable = readOperation({
  id: 'listUndoable',
  summary: 'List your last changes that can be undone',
  description: `Lists the last ${maximumChanges} changes by the caller that can be undone, newest first, of any kind: sales, orders, counts, adjustments, holds, edits, creations and deletions of pets and categories, low-stock levels, and bulk imports of stock. Changes of others, undos, changes that were undone, and changes of records that were changed again since are left out.`,
  tag: 'Store',
  stability: 'beta',
  path: '/store/undo',
  input: v.strictObject({}),
  output: v.array(undoableChange),
  refuses: [],
  example: { answer: [exampleUndoableChange] },
  cost: 'shop',
  run: (tx): Promise<readonly UndoableChange[]> => undoableChanges(tx),
});
