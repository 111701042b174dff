import { writeOperation } from '../operation.js';
import { requireRecord } from '../values/ids.js';
import { countIdParameter } from './count.js';
import { addedLine, exampleLine, lineIdParameter, type AddedLine } from './count-line.js';
import { addedLineOf } from './count-rules.js';
import { requireOpenCount } from './require-count.js';
import * as v from 'valibot';

/** Undoes a line of an open count; it stays in the record. No effect on a line that was undone already. */
export const undoCountLine = writeOperation({
  id: 'undoCountLine',
  summary: 'Undo a line of a count',
  description:
    'Undoes a line of an open count. The line stays in the record, marked as undone, and counts as if it were not there. Has no effect on a line that was undone already.',
  tag: 'Store',
  alsoRequires: 'pets:read',
  stability: 'beta',
  method: 'DELETE',
  path: '/store/counts/{countId}/lines/{lineId}',
  status: 200,
  input: v.strictObject({ countId: countIdParameter, lineId: lineIdParameter }),
  output: addedLine,
  refuses: ['count_not_open'],
  example: { answer: { ...exampleLine, undone: true } },
  cost: 'row',
  run: async (tx, { countId, lineId }): Promise<AddedLine> => {
    await requireOpenCount(tx, countId);
    const line = requireRecord('line', lineId, await tx.counts.line(countId, lineId));
    const { petId } = line;
    const before = (await tx.counts.petsToCount(countId, [petId])).get(petId)?.tally;
    if (line.undone) return addedLineOf(line, before);
    await tx.counts.undoLine(countId, lineId);
    const after = await tx.counts.tally(countId, petId);
    await tx.counts.setTallies(countId, new Map([[petId, { before, after }]]));
    return addedLineOf({ ...line, undone: true }, after);
  },
});
