import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import type { Columns } from '../../output/view.js';
import { statusColours } from '../pet/pet-fields.js';

/** The columns of a list of inventory. */
export const inventoryColumns: Columns<InventoryRow> = {
  all: [
    { name: 'petId', heading: 'ID', value: ({ petId }) => petId, numeric: true },
    { name: 'name', heading: 'Name', least: 12, value: ({ name }) => name },
    { name: 'category', heading: 'Category', least: 8, value: ({ category }) => category },
    { name: 'quantity', heading: 'On hand', leaveOut: 3, value: ({ quantity }) => quantity, numeric: true },
    { name: 'reserved', heading: 'Reserved', leaveOut: 2, value: ({ reserved }) => reserved, numeric: true },
    {
      name: 'available',
      heading: 'Available',
      value: ({ available }) => available,
      numeric: true,
      colour: ({ short }) => (short ? 'red' : undefined),
    },
    { name: 'status', heading: 'Status', leaveOut: 1, dot: true, value: ({ status }) => status, colour: ({ status }) => statusColours[status] },
    { name: 'lowAt', heading: 'Low at', leaveOut: 4, value: ({ lowAt }) => lowAt, numeric: true },
  ],
  shown: ['petId', 'name', 'quantity', 'reserved', 'available', 'status'],
  json: ['petId', 'quantity', 'status', 'reserved', 'available', 'lowAt'],
  id: 'petId',
};

/** The units on hand before and after a change: "37 → 42 on hand". */
export function onHandText({ before, quantity }: InventoryRow): string {
  return `${before === undefined ? '' : `${before} → `}${quantity} on hand`;
}

/** The stock of a pet after a change, in a sentence; `change` is what was asked for, where that says more: "+5". */
export function stockSentence(row: InventoryRow, change?: string): string {
  const { petId: id, name, quantity, before, reserved, available } = row;
  const onHand = before === quantity ? ` still has ${quantity} on hand` : `${change === undefined ? '' : ` ${change}`}: ${onHandText(row)}`;
  return `Pet ${id} (${name})${onHand}${reserved > 0 ? `, ${reserved} reserved, ${available} available` : ''}.`;
}
