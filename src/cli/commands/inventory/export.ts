import { listInventory } from '../../../domain/inventory/list-inventory.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import type { Columns } from '../../output/view.js';
import { petFilterFlags, petFilterInput } from '../pet/pet-filter.js';

// `expected` is the exported quantity: an import of the edited file finds pets whose stock has changed since.
const exportColumns: Columns<InventoryRow> = {
  all: [
    { name: 'petId', heading: 'ID', value: ({ petId }) => petId, numeric: true },
    { name: 'name', heading: 'Name', least: 8, value: ({ name }) => name },
    { name: 'category', heading: 'Category', least: 8, leaveOut: 1, value: ({ category }) => category },
    { name: 'status', heading: 'Status', leaveOut: 2, value: ({ status }) => status },
    { name: 'reserved', heading: 'Reserved', leaveOut: 3, value: ({ reserved }) => reserved, numeric: true },
    { name: 'expected', heading: 'Expected', value: ({ quantity }) => quantity, numeric: true },
    { name: 'quantity', heading: 'On hand', value: ({ quantity }) => quantity, numeric: true },
  ],
  shown: ['petId', 'name', 'category', 'status', 'reserved', 'expected', 'quantity'],
  json: ['petId', 'name', 'category', 'status', 'reserved', 'expected', 'quantity'],
  id: 'petId',
};

/** The command `inventory export`. */
export const inventoryExport: Command = listCommand({
  path: ['inventory', 'export'],
  summary: 'write the stock as CSV for editing and importing',
  flags: petFilterFlags,
  operation: listInventory,
  input: ({ status, category }, call) => petFilterInput({ status, category }, call),
  columns: exportColumns,
  exports: true,
  examples: ['petstore inventory export', 'petstore inventory export --category Fish --spreadsheet', 'petstore inventory export --format ndjson'],
});
