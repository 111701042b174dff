import { writeOperation } from '../operation.js';
import { count, countIdParameter, exampleCount } from './count.js';
import { requireCount, requireOpenCount } from './require-count.js';
import * as v from 'valibot';

/** Ends an open count without a change of the stock; its lines stay in the record. */
export const cancelCount = writeOperation({
  id: 'cancelCount',
  summary: 'Cancel a count of the stock',
  description: 'Ends an open count without a change of the stock. Its lines stay in the record, and its pets can be counted again.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/counts/{countId}/cancel',
  status: 200,
  input: v.strictObject({ countId: countIdParameter }),
  output: count,
  refuses: ['count_not_open'],
  example: { answer: { ...exampleCount, state: 'cancelled', endedBy: 'ana', endedAt: '2026-11-20T18:00:00.000Z' } },
  cost: 'shop',
  run: async (tx, { countId }) => {
    await requireOpenCount(tx, countId);
    await tx.counts.end(countId, { state: 'cancelled' });
    await tx.ledger.append({ kind: 'count.cancelled', countId });
    return requireCount(tx, countId);
  },
});
