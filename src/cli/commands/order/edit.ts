import { repeatedArgument } from '../../arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { orderFlags } from './order-flags.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import { something, type Command } from '../../command.js';
import { changeCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';

/** The command `order edit`. */
export const orderEdit: Command = changeCommand({
  ...orderView,
  path: ['order', 'edit'],
  arguments: { id: repeatedArgument('openOrder') },
  summary: 'change open orders',
  examples: ['petstore order edit 12 --quantity 3', 'petstore order edit 12 --ship-date 2026-12-24T09:00:00Z'],
  does: updateOrder,
  flags: orderFlags,
  id: idOf('order'),
  input: (id, { pet, quantity, shipDate }) => {
    something([pet, quantity, shipDate], '--pet, --quantity or --ship-date');
    return { orderId: id, body: { petId: pet, quantity, shipDate } };
  },
  sentence: (order) => `Order ${order.id} is now ${orderUnits(order)}${order.shipDate === undefined ? '' : `, shipping ${order.shipDate}`}.`,
});
