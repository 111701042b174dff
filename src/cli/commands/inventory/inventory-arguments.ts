import { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import { idOf, toggle } from '../../flags.js';
import { aPet } from '../../prompts/questions.js';
import type { Talk } from '../../prompts/prompter.js';

/** Accepts a quantity below what is reserved. */
export const allowShortage = toggle({ long: 'allow-shortage', summary: 'accept a figure that does not cover what is reserved for open orders' });

/** Reads the stock of the pet that was given. */
export async function currentStock({ call, given }: Talk): Promise<InventoryRow> {
  return call(getInventoryItem, { petId: idOf('pet')(String(given['pet'])) });
}

/** Asks for the pet whose stock an argument names. */
export const whichPet = { pet: aPet('Which pet?') };
