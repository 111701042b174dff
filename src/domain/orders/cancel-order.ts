import { order, orderRow, orderIdParameter, exampleOrder } from './order.js';
import { readOrderRow, requireAnyOrder } from './require-order.js';
import { StoreError } from '../errors.js';
import { checkVersion } from '../ledger/check-version.js';
import { writeOperation } from '../operation.js';
import { writeCancellation } from './write-cancellation.js';
import * as v from 'valibot';

/** Cancels an open order; its units are no longer reserved. */
export const cancelOrder = writeOperation({
  id: 'cancelOrder',
  summary: 'Cancel an order',
  description: 'Cancels an open order and releases its units. Has no effect on an order that is cancelled already.',
  tag: 'Store',
  method: 'DELETE',
  path: '/store/orders/{orderId}',
  status: 204,
  input: v.strictObject({ orderId: orderIdParameter }),
  output: order,
  refuses: ['order_complete'],
  example: { answer: exampleOrder },
  cost: 'row',
  run: async (tx, { orderId }) => {
    const before = await requireAnyOrder(tx, orderId);
    if (before.state === 'cancelled') return { ...orderRow(before, tx), unchanged: true as const };
    await checkVersion(tx, `Order ${orderId}`, { orderId });
    if (before.state === 'complete') {
      throw new StoreError('order_complete', `Order ${orderId} is complete and cannot be cancelled.`, { details: { orderId } });
    }
    await writeCancellation(tx, before);
    return readOrderRow(tx, orderId);
  },
});
