import type { Stock } from './stock.js';
import { notFound } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads the stock of a pet. Refuses with `pet_not_found`. */
export async function requireStock(tx: ReadTransaction, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw notFound('pet', petId);
  return stock;
}
