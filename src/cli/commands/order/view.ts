import { repeatedArgument } from '../../arguments.js';
import { orderView } from './order-columns.js';
import { getOrder } from '../../../domain/orders/get-order.js';
import type { Command } from '../../command.js';
import { viewCommand } from '../../record-command.js';
import { idOf } from '../../flags.js';
import { anOrder } from '../../prompts/questions.js';

/** The command `order view`. */
export const orderViewCommand: Command = viewCommand({
  ...orderView,
  path: ['order', 'view'],
  arguments: { id: repeatedArgument('order') },
  summary: 'show orders',
  examples: ['petstore order view 12', 'petstore order view 12 13 --json'],
  does: getOrder,
  id: idOf('order'),
  asks: { id: anOrder('Which order?') },
  input: (id) => ({ orderId: id }),
});
