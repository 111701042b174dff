import { repeatedArgument } from '../../arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { cancelOrder } from '../../../domain/orders/cancel-order.js';
import type { Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';
import { anOrder } from '../../prompts/questions.js';

/** The command `order cancel`. */
export const orderCancel: Command = changeCommand({
  ...orderView,
  path: ['order', 'cancel'],
  arguments: { id: repeatedArgument('openOrder') },
  summary: 'cancel open orders: their units are no longer reserved',
  examples: ['petstore order cancel 12'],
  does: cancelOrder,
  id: idOf('order'),
  asks: { id: anOrder('Which open order?', { complete: false }) },
  input: (id) => ({ orderId: id }),
  sentence: (order) => `Order ${order.id} is cancelled: ${orderUnits(order)}.`,
});
