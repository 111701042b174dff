import { orderListing } from './order-listing.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';

/** The command `order list`. */
export const orderList: Command = listCommand({
  ...orderListing,
  path: ['order', 'list'],
  aliases: ['ls'],
  // The state of an overdue order is known, its ship date is not.
  table: ({ overdue }) => (overdue === true ? ['id', 'pet', 'quantity', 'shipDate'] : undefined),
  summary: 'list orders that are not cancelled',
  examples: ['petstore order list --open', 'petstore order list --pet 7 --json', 'petstore order list --from 2026-11-01 --to 2026-11-30'],
});
