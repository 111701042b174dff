import { StoreError } from '../errors.js';
import { available, type Stock } from '../inventory/stock.js';
import { tooFewAvailable } from '../inventory/too-few-units.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads the stock of a pet that a request body names. Refuses with `unknown_pet`. */
export async function requireNamedStock(tx: ReadTransaction, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw new StoreError('unknown_pet', `There is no pet ${petId}.`, { details: { petId } });
  return stock;
}

/** Refuses to reserve `quantity` units with `pet_on_hold` or `insufficient_stock`. `own`: units that the order has reserved already. */
export async function checkAvailable(tx: ReadTransaction, stock: Stock, quantity: number, own: number): Promise<void> {
  if (stock.hold && own === 0) {
    throw new StoreError('pet_on_hold', `Pet ${stock.petId} is on hold.`, { details: { petId: stock.petId } });
  }
  const free = available(stock) + own;
  if (quantity <= free) return;
  throw await tooFewAvailable(tx, stock, quantity, own);
}
