import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import type { VerbForm } from '../../record-command.js';
import type { Columns } from '../../output/view.js';
import { statusColours } from '../pet/pet-columns.js';

/** The columns of a list of inventory. */
export const inventoryColumns: Columns<InventoryRow> = {
  all: [
    { name: 'petId', heading: 'ID', value: ({ petId }) => petId, numeric: true },
    { name: 'name', heading: 'Name', least: 12, value: ({ name }) => name },
    { name: 'category', heading: 'Category', least: 8, value: ({ category }) => category },
    { name: 'quantity', heading: 'On hand', value: ({ quantity }) => quantity, numeric: true },
    { name: 'reserved', heading: 'Reserved', leaveOut: 2, value: ({ reserved }) => reserved, numeric: true },
    {
      name: 'available',
      heading: 'Available',
      leaveOut: 3,
      value: ({ available }) => available,
      numeric: true,
      colour: ({ available }) => (available < 0 ? 'red' : undefined),
    },
    { name: 'status', heading: 'Status', leaveOut: 1, dot: true, value: ({ status }) => status, colour: ({ status }) => statusColours[status] },
    { name: 'lowAt', heading: 'Low at', value: ({ lowAt }) => lowAt, numeric: true },
  ],
  shown: ['petId', 'name', 'quantity', 'reserved', 'available', 'status'],
  json: ['petId', 'quantity', 'status', 'reserved', 'available', 'lowAt'],
  id: 'petId',
};

/** The stock of a pet in a sentence. */
export function stockSentence({ petId: id, name, quantity, reserved, available }: InventoryRow, verb: VerbForm): string {
  return `Pet ${id} (${name}) ${verb('has', 'would have')} ${quantity} on hand${reserved > 0 ? `, ${reserved} reserved, ${available} available` : ''}.`;
}
