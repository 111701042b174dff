import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { columnsOf } from '../../output/view.js';
import { statusColours } from '../pet/pet-fields.js';

/** The columns of a list of inventory. */
export const inventoryColumns = columnsOf<InventoryRow>(
  {
    petId: { heading: 'ID', numeric: true },
    name: { heading: 'Name', least: 12 },
    category: { heading: 'Category', least: 8 },
    quantity: { heading: 'On hand', leaveOut: 3, numeric: true },
    reserved: { heading: 'Reserved', leaveOut: 2, numeric: true },
    available: { heading: 'Available', numeric: true, colour: ({ short }) => (short ? 'red' : undefined) },
    status: { heading: 'Status', leaveOut: 1, dot: true, colour: ({ status }) => statusColours[status] },
    lowAt: { heading: 'Low at', leaveOut: 4, numeric: true },
  },
  {
    shown: ['petId', 'name', 'quantity', 'reserved', 'available', 'status'],
    json: ['petId', 'quantity', 'status', 'reserved', 'available', 'lowAt'],
  },
);

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
