import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { toggle } from '../../flags.js';
import type { Dialogue } from '../../prompts/prompt.js';

/** Accepts a quantity below what is reserved. */
export const allowShortage = toggle({ long: 'allow-shortage', summary: 'accept stock below the units reserved for open orders' });

/** Reads the stock of the pet that was typed or answered, to show it in a question about its quantity. */
export async function currentStock({ call }: Dialogue, petId: number | undefined): Promise<InventoryRow> {
  if (petId === undefined) throw new Error('The pet must be asked for before its quantity.');
  return call(getInventoryItem, { petId });
}
