import { repeated } from '../../arguments.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, orderUnits } from './order-columns.js';
import { StoreError } from '../../../domain/errors.js';
import { HintedError } from '../../../settings/hint.js';
import { cancelOrder } from '../../../domain/orders/cancel-order.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

const cancel = changeEachCommand({
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

/** The command `order cancel`. Its hint for a complete order is how to cancel that. */
export const orderCancel: Command = {
  ...cancel,
  run: (...given) =>
    cancel.run(...given).catch((error: unknown) => {
      if (!(error instanceof StoreError) || error.code !== 'order_complete') throw error;
      const id = String(error.details.orderId);
      throw new HintedError(error.code, error.message, { command: ['order', 'reopen', id], next: ['order', 'cancel', id] });
    }),
};
