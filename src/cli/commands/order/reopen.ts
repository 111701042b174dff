import { repeated } from '../../arguments.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `order reopen`. */
export const orderReopen: Command = changeEachCommand({
  ...orderView,
  path: ['order', 'reopen'],
  summary: 'reopen completed orders and return their units',
  arguments: { id: repeated(orderArgument('complete')) },
  operation: updateOrder,
  input: ({ id }) => ({ orderId: id, body: { complete: false } }),
  sentence: (order, verb) => `${verb('Reopened', 'Would reopen', 'Unchanged:')} order ${order.id}: ${orderUnits(order)}.`,
  examples: ['petstore order reopen 12 --note "customer changed her mind"'],
});
