import { repeatedArgument } from '../../arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';
import { anOrder } from '../../prompts/questions.js';

/** The command `order complete`. */
export const orderComplete: Command = changeCommand({
  ...orderView,
  path: ['order', 'complete'],
  arguments: { id: repeatedArgument('reservedOrder') },
  summary: 'fulfil open orders: their units leave the shop',
  examples: ['petstore order complete 12 15'],
  does: updateOrder,
  id: idOf('order'),
  asks: { id: anOrder('Which open order?', { complete: false, draft: false }) },
  input: (id) => ({ orderId: id, body: { complete: true } }),
  sentence: (order) => `Order ${order.id} is complete: ${orderUnits(order)}.`,
});
