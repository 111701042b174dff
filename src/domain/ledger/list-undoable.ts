import { readOperation } from '../operation.js';
import { exampleChange, maximumChanges, undoableChange, undoCandidates, type UndoableChange } from './undoable-change.js';
import * as v from 'valibot';

/** Lists the last changes by the caller that can be undone, newest first. */
export const listUndoable = readOperation({
  id: 'listUndoable',
  summary: 'List your last changes that can be undone',
  description: `Lists the last ${maximumChanges} changes by the caller that can be undone, newest first: sales, placed, completed and reopened orders, counts, adjustments, holds and bulk imports of stock. Changes of others, changes that were undone, and orders or holds that were changed since are left out.`,
  tag: 'Store',
  stability: 'beta',
  path: '/store/undo',
  input: v.strictObject({}),
  output: v.array(undoableChange),
  refuses: [],
  example: { answer: [exampleChange] },
  cost: 'shop',
  run: async (tx): Promise<readonly UndoableChange[]> => (await undoCandidates(tx, maximumChanges)).map(({ change }) => change),
});
