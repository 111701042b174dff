import { type InventoryRow, inventoryRow } from './inventory-item.js';
import { notFound } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads the inventory entry of a pet. Refuses with `pet_not_found`. */
export async function requireInventoryItem(tx: ReadTransaction, petId: number): Promise<InventoryRow> {
  const row = await tx.pets.get(petId);
  if (row === undefined) throw notFound('pet', petId);
  return inventoryRow(row, tx);
}
