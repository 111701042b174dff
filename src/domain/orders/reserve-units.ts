import { StoreError } from '../errors.js';
import { available, type Stock } from '../inventory/stock.js';
import { joinItems } from '../values/text.js';
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
  const orders = await tx.stock.openOrders(stock.petId);
  const reserved = stock.reserved > 0 ? `, ${stock.reserved} of them reserved for ${orders.length === 1 ? 'order' : 'orders'} ${joinItems(orders)}` : '';
  throw new StoreError('insufficient_stock', `Pet ${stock.petId} has ${stock.quantity} on hand${reserved}; ${quantity} requested.`, {
    details: { petId: stock.petId, orderIds: orders },
  });
}
