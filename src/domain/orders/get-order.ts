import { order, orderIdParameter, orderRow, exampleOrder } from './order.js';
import { requireOrder } from './require-order.js';
import { readOperation } from '../operation.js';
import * as v from 'valibot';

/** Reads one order that is not cancelled. */
export const getOrder = readOperation({
  id: 'getOrder',
  summary: 'Read an order',
  description: 'Reads one order that is not cancelled.',
  tag: 'Store',
  path: '/store/orders/{orderId}',
  input: v.strictObject({ orderId: orderIdParameter }),
  output: order,
  refuses: [],
  example: { answer: exampleOrder },
  cost: 'row',
  run: async (tx, { orderId }) => orderRow(await requireOrder(tx, orderId), tx),
});
