import { clockText } from '../../output/time-text.js';
import { unprompted, repeated } from '../../arguments.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { orderFlags } from './order-flags.js';
import { findPet } from '../../../domain/pets/find-pet.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import { requireChange } from '../../declare-command.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `order edit`. */
export const orderEdit: Command = changeEachCommand({
  ...orderView,
  path: ['order', 'edit'],
  aliases: ['update'],
  summary: 'change open orders',
  arguments: { id: repeated(unprompted(orderArgument('open'))) },
  flags: orderFlags,
  operation: updateOrder,
  input: async ({ id, pet, quantity, shipDate }, call) => {
    requireChange([pet, quantity, shipDate], '--pet, --quantity or --ship-date');
    const petId = pet === undefined ? undefined : await findPet(call, pet, 'unknown_pet');
    return { orderId: id, body: { petId, quantity, shipDate } };
  },
  sentence: (order, verb, zone) => {
    const shipping = order.shipDate === undefined ? '' : `, shipping ${clockText(order.shipDate, zone)}`;
    return `${verb('Changed', 'Would change')} order ${order.id}: ${orderUnits(order)}${shipping}.`;
  },
  examples: ['petstore order edit 12 --quantity 3', 'petstore order edit 12 --ship-date 2026-12-24T09:00:00Z'],
});
