import { writeOperation } from '../operation.js';
import { notFound } from '../values/ids.js';
import { countIdParameter } from './count.js';
import { addedLine, exampleLine, lineIdParameter, type AddedLine } from './count-line.js';
import { requireOpenCount } from './require-count.js';
import * as v from 'valibot';

/** Takes a line of an open count back; it stays in the record. No effect on a line that was taken back already. */
export const withdrawCountLine = writeOperation({
  id: 'withdrawCountLine',
  summary: 'Take a line of a count back',
  description:
    'Takes a line of an open count back. The line stays in the record, marked as withdrawn, and counts as if it were not there. Has no effect on a line that was taken back already.',
  tag: 'Store',
  stability: 'beta',
  method: 'DELETE',
  path: '/store/counts/{countId}/lines/{lineId}',
  status: 200,
  input: v.strictObject({ countId: countIdParameter, lineId: lineIdParameter }),
  output: addedLine,
  refuses: ['count_not_open'],
  example: { answer: { ...exampleLine, withdrawn: true } },
  cost: 'row',
  run: async (tx, { countId, lineId }): Promise<AddedLine> => {
    await requireOpenCount(tx, countId);
    const line = await tx.counts.line(countId, lineId);
    if (line === undefined) throw notFound('line', lineId);
    const { petId } = line;
    const before = (await tx.counts.petsToCount(countId, [petId])).get(petId)?.tally;
    if (line.withdrawn) return { ...line, ...(before && { countedSoFar: before.counted }) };
    await tx.counts.withdraw(countId, lineId);
    const after = await tx.counts.tally(countId, petId);
    await tx.counts.setTallies(countId, new Map([[petId, { before, after }]]));
    return { ...line, withdrawn: true, ...(after && { countedSoFar: after.counted }) };
  },
});
