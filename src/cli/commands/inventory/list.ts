import { actionNeededExitCode } from '../../exit-codes.js';
import { inventoryColumns } from './inventory-columns.js';
import { listInventory } from '../../../domain/inventory/list-inventory.js';
import { type Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import { asOf, timeFlag, toggle } from '../../flags.js';
import { petFilterFlags, petFilterInput, searchFlag } from '../pet/pet-filter.js';

/** The command `inventory list`. */
export const inventoryList: Command = listCommand({
  path: ['inventory', 'list'],
  aliases: ['ls'],
  summary: 'list the stock of every pet',
  flags: {
    low: toggle({ long: 'low', summary: 'only pets at or below their low-stock level' }),
    short: toggle({ long: 'short', summary: 'only pets with more units reserved than on hand' }),
    ...petFilterFlags,
    search: searchFlag,
    notCountedSince: timeFlag('start', { long: 'not-counted-since', summary: 'only pets not counted since this day or time' }),
    at: asOf,
    exitStatus: toggle({ long: 'exit-status', summary: `exit with ${actionNeededExitCode} if anything is listed, for cron` }),
  },
  operation: listInventory,
  input: async ({ low, short, notCountedSince, at, status, category, search }, call) => ({
    ...(await petFilterInput({ status, category }, call)),
    q: search,
    low: low === true,
    short: short === true,
    notCountedSince,
    at,
  }),
  columns: inventoryColumns,
  table: ({ low }) => (low === true ? ['petId', 'name', 'quantity', 'lowAt', 'reserved', 'available', 'status'] : undefined),
  exitCode: ({ exitStatus }) => (exitStatus === true ? actionNeededExitCode : undefined),
  examples: [
    'petstore inventory list --low',
    'petstore inventory list --low --exit-status --format csv',
    'petstore inventory list --category Fish --json',
    'petstore inventory list --not-counted-since 90d',
    'petstore inventory list --at 2026-11-20',
  ],
});
