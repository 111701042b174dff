import { repeated } from '../../arguments.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { cancelOrder } from '../../../domain/orders/cancel-order.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `order cancel`. */
export const orderCancel: Command = changeEachCommand({
  ...orderView,
  path: ['order', 'cancel'],
  arguments: { id: repeated(orderArgument('open')) },
  summary: 'cancel open orders and release their units',
  examples: ['petstore order cancel 12'],
  operation: cancelOrder,
  input: ({ id }) => ({ orderId: id }),
  sentence: (order) => `Cancelled order ${order.id}: ${orderUnits(order)}.`,
});
