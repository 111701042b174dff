import { repeated } from '../../arguments.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView, saleSentence } from './order-columns.js';
import { updateOrder } from '../../../domain/orders/update-order.js';
import type { Command } from '../../command.js';
import { changeEachCommand } from '../../record-command.js';

/** The command `order complete`. */
export const orderComplete: Command = changeEachCommand({
  ...orderView,
  path: ['order', 'complete'],
  summary: 'complete open orders and remove their units from stock',
  arguments: { id: repeated(orderArgument('reserved')) },
  operation: updateOrder,
  input: ({ id }) => ({ orderId: id, body: { complete: true } }),
  sentence: saleSentence,
  examples: ['petstore order complete 12 15'],
});
