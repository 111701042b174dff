import { record, field, requestRecord } from '../values/schemas.js';
import { quantityNumber } from '../values/numbers.js';
import { idNumber } from '../values/ids.js';
import type { Versioned } from '../values/version.js';
import type { PetRow } from '../pets/pet.js';
import { available, isLow } from './stock.js';
import { petStatus } from '../pets/pet-status.js';
import * as v from 'valibot';

/** The specification's InventoryItem. */
export const inventoryItem = record('InventoryItem', 'The stock of one pet.', {
  petId: field(idNumber, 'ID of the animal this entry tracks.'),
  quantity: field(quantityNumber, 'Current stock count.'),
  status: field(petStatus, 'Status of the pet.'),
});

/** The specification's InventoryUpdate. */
export const inventoryUpdate = requestRecord('InventoryUpdate', 'A counted stock.', {
  quantity: field(quantityNumber, 'The new stock count.'),
});

/** The inventory entry in the examples of the OpenAPI document. */
export const exampleItem: v.InferOutput<typeof inventoryItem> = { petId: 7, quantity: 3, status: 'available' };

/** An inventory entry for display: the item of the contract, with name, category, hold, reserved and available units, and whether it is low or short. */
export interface InventoryRow extends v.InferOutput<typeof inventoryItem>, Versioned {
  readonly name: string;
  readonly category: string;
  readonly hold: boolean;
  readonly reserved: number;
  readonly available: number;
  readonly lowAt?: number;
  readonly low: boolean;
  /** Whether more units are reserved than on hand. */
  readonly short: boolean;
  /** The units on hand before a change of the stock, in the answer to it. */
  readonly before?: number;
}

/** Makes the inventory entry of a pet. */
export function inventoryRow(row: PetRow): InventoryRow {
  const { id, name, category, hold, status, quantity, reserved, lowAt, version } = row;
  return {
    petId: id,
    name,
    category,
    hold,
    quantity,
    status,
    reserved,
    available: available(row),
    ...(lowAt !== undefined && { lowAt }),
    low: isLow({ quantity, reserved, lowAt: lowAt ?? null }),
    short: quantity < reserved,
    ...(version !== undefined && { version }),
  };
}
