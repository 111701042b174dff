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
  summary: 'cancel open orders and release their units',
  arguments: { id: repeated(orderArgument('open')) },
  operation: cancelOrder,
  input: ({ id }) => ({ orderId: id }),
  sentence: (order, verb) => {
    const units = `: ${orderUnits(order)}`;
    return `${verb('Cancelled', 'Would cancel', 'Unchanged:')} order ${order.id}${verb(units, units, ' is cancelled')}.`;
  },
  examples: ['petstore order cancel 12'],
});
