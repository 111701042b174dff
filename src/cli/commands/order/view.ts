import { repeated } from '../../arguments.js';
import { orderArgument } from '../../shared-arguments.js';
import { orderView } from './order-columns.js';
import { getOrder } from '../../../domain/orders/get-order.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';

/** The command `order view`. */
export const orderViewCommand: Command = viewCommand({
  ...orderView,
  path: ['order', 'view'],
  aliases: ['show', 'get'],
  summary: 'show orders',
  arguments: { id: repeated(orderArgument('any')) },
  operation: getOrder,
  input: ({ id }) => ({ orderId: id }),
  examples: ['petstore order view 12', 'petstore order view 12 13 --json'],
});
