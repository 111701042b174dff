import { repeatedArgument } from '../../arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';
import { anOrder } from '../../prompts/questions.js';

/** The command `order reopen`. */
export const orderReopen: Command = changeCommand({
  ...orderView,
  path: ['order', 'reopen'],
  arguments: { id: repeatedArgument('completeOrder') },
  summary: 'take complete orders back: their units return',
  examples: ['petstore order reopen 12 --note "customer changed her mind"'],
  does: updateOrder,
  id: idOf('order'),
  asks: { id: anOrder('Which complete order?', { complete: true }) },
  input: (id) => ({ orderId: id, body: { complete: false } }),
  sentence: (order) => `Order ${order.id} is open again: ${orderUnits(order)}.`,
});
