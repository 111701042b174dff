import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import { listInventory } from '../../../domain/inventory/list-inventory.js';
import { repeated } from '../../arguments.js';
import type { Command } from '../../command.js';
import { actionNeededExitCode } from '../../exit-codes.js';
import { asOf, timeFlag, toggle } from '../../flags.js';
import { listCommand } from '../../list-command.js';
import { viewCommand } from '../../record-command.js';
import { petArgument } from '../../shared-arguments.js';
import { petFilterFlags, petFilterInput, searchFlag } from '../pet/pet-filter.js';
import { inventoryBatchList, inventoryBatchView, inventoryUndo } from './batch-commands.js';
import { inventoryAdjust, inventoryLowAt, inventorySet } from './change-stock.js';
import { inventoryEdit } from './edit.js';
import { inventoryDiff, inventoryExport, inventoryImport } from './import-commands.js';
import { inventoryColumns } from './inventory-columns.js';

const inventoryList = listCommand({
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
  columns: {
    ...inventoryColumns,
    shown: [...inventoryColumns.shown, 'lowAt'],
    table: inventoryColumns.shown,
    json: inventoryColumns.json.toSpliced(1, 0, 'name'),
  },
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

const inventoryView = viewCommand({
  path: ['inventory', 'view'],
  aliases: ['show', 'get'],
  summary: 'show the stock of pets',
  arguments: { pet: repeated(petArgument) },
  operation: getInventoryItem,
  input: ({ pet }) => ({ petId: pet }),
  columns: inventoryColumns,
  record: ({ petId: id, quantity, status, reserved, available, lowAt: level }) => ({
    petId: id,
    quantity,
    status,
    reserved,
    available,
    ...(level !== undefined && { lowAt: level }),
  }),
  examples: ['petstore inventory view 7', 'petstore inventory view 7 8 --json'],
});

/** The commands of inventory. */
export const inventoryCommands: readonly Command[] = [
  inventoryList,
  inventoryView,
  inventorySet,
  inventoryAdjust,
  inventoryEdit,
  inventoryLowAt,
  inventoryImport,
  inventoryDiff,
  inventoryExport,
  inventoryBatchList,
  inventoryBatchView,
  inventoryUndo,
];
