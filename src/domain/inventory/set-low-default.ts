import { lowLevel } from './stock.js';
import * as v from 'valibot';
import { writeOperation } from '../operation.js';

/** Sets the low level of every pet that has none of its own; without a level those pets are never low. */
export const setLowDefault = writeOperation({
  id: 'setLowDefault',
  summary: "Set the store's low-stock level",
  description: 'Sets the low-stock level of all pets that have none of their own. Without `lowAt` those pets are never low.',
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/low-at',
  status: 200,
  input: v.strictObject({ body: lowLevel }),
  output: lowLevel,
  refuses: [],
  example: { body: { lowAt: 2 }, answer: { lowAt: 2 } },
  cost: 'shop',
  run: async (tx, { body: { lowAt } }) => {
    const [before, after] = [await tx.stock.lowDefault(), lowAt ?? null];
    if (before !== after) {
      await tx.ledger.appendCrossings(before, after);
      await tx.stock.setLowDefault(after);
    }
    return lowAt === undefined ? {} : { lowAt };
  },
});
