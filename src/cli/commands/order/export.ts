import { orderListing } from './order-listing.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';

/** The command `order export`. */
export const orderExport: Command = listCommand({
  ...orderListing,
  path: ['order', 'export'],
  summary: 'write all orders as CSV, or in another --format',
  exports: true,
  examples: ['petstore order export', 'petstore order export --complete --format ndjson'],
});
