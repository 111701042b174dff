import * as v from 'valibot';
import { quantityNumber } from '../values/numbers.js';
import { idNumber } from '../values/ids.js';
import type { Versioned } from '../values/version.js';
import type { PetRow } from '../pets/pet.js';
import { available } from './stock.js';
import { petStatus } from '../pets/pet-status.js';

/** The specification's InventoryItem. */
export const inventoryItem = v.object({ petId: idNumber, quantity: quantityNumber, status: petStatus });

/** The specification's InventoryUpdate. */
export const inventoryUpdate = v.strictObject({ quantity: quantityNumber });

/** An inventory entry as people read it: the contract's item and the figures around it. */
export interface InventoryRow extends v.InferOutput<typeof inventoryItem>, Versioned {
  readonly name: string;
  readonly category: string;
  readonly reserved: number;
  readonly available: number;
  readonly lowAt?: number;
}

/** A pet's inventory entry with the figures around it. */
export function inventoryRow(row: PetRow): InventoryRow {
  const { id, name, category, status, quantity, reserved, lowAt, version } = row;
  return {
    petId: id,
    name,
    category,
    quantity,
    status,
    reserved,
    available: available(row),
    ...(lowAt !== undefined && { lowAt }),
    ...(version !== undefined && { version }),
  };
}
