import type { Stock } from './stock.js';
import { notFound } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** The figures of a pet, or the refusal `pet_not_found`. */
export async function requireStock(tx: ReadTransaction, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw notFound('pet', petId);
  return stock;
}
