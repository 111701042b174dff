import * as v from 'valibot';
import { quantityNumber } from '../values/numbers.js';
import { writes } from '../operation.js';

/** Sets the low level of every pet that has none of its own; without a level those pets are never low. */
export const setLowDefault = writes({
  id: 'setLowDefault',
  summary: "Set the store's low-stock level",
  tag: 'Store',
  stability: 'beta',
  method: 'PUT',
  path: '/store/low-at',
  status: 200,
  input: v.strictObject({ body: v.strictObject({ lowAt: v.optional(quantityNumber) }) }),
  output: v.object({ lowAt: v.optional(quantityNumber) }),
  run: async (tx, { body: { lowAt } }) => {
    const [before, after] = [await tx.stock.lowDefault(), lowAt ?? null];
    if (before !== after) {
      await tx.ledger.appendCrossings(before, after);
      await tx.stock.setLowDefault(after);
    }
    return lowAt === undefined ? {} : { lowAt };
  },
});
