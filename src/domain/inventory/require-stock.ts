import type { Stock } from './stock.js';
import { requireRecord } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads the stock of a pet. Refuses with `pet_not_found`. */
export async function requireStock(tx: ReadTransaction, petId: number): Promise<Stock> {
  return requireRecord('pet', petId, await tx.stock.get(petId));
}
