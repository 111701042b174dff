import { orderListing } from './order-listing.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';

/** The command `order list`. */
export const orderList: Command = listCommand({
  ...orderListing,
  path: ['order', 'list'],
  aliases: ['ls'],
  summary: 'list orders that are not cancelled',
  examples: ['petstore order list --open', 'petstore order list --pet 7 --json', 'petstore order list --from 2026-11-01 --to 2026-11-30'],
});
