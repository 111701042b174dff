import { order } from './order.js';
import { readOrder, orderOf } from './require-order.js';
import { idNumber } from '../values/ids.js';
import { reads } from '../operation.js';
import * as v from 'valibot';

/** Reads one order that is not cancelled. */
export const getOrder = reads({
  id: 'getOrder',
  summary: 'Read an order',
  tag: 'Store',
  path: '/store/orders/{orderId}',
  input: v.strictObject({ orderId: idNumber }),
  output: order,
  run: async (tx, { orderId }) => {
    await orderOf(tx, orderId);
    return readOrder(tx, orderId);
  },
});
