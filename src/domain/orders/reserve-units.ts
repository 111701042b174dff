import { StoreError } from '../errors.js';
import { available, type Stock } from '../inventory/stock.js';
import { joinItems } from '../values/text.js';
import type { ReadTransaction } from '../transaction.js';

/** The stock of a pet that a body names, or the refusal `unknown_pet`. */
export async function requireNamedStock(tx: ReadTransaction, petId: number): Promise<Stock> {
  const stock = await tx.stock.get(petId);
  if (stock === undefined) throw new StoreError('unknown_pet', `There is no pet ${petId}.`, 'petstore pet list');
  return stock;
}

/** Refuses a reservation of `quantity` units: a hold is named before the stock. `own` units are the order's already. */
export async function checkAvailable(tx: ReadTransaction, stock: Stock, quantity: number, own: number): Promise<void> {
  if (stock.hold && own === 0) {
    throw new StoreError('pet_on_hold', `Pet ${stock.petId} is on hold.`, `petstore pet release ${stock.petId}`);
  }
  const free = available(stock) + own;
  if (quantity <= free) return;
  const orders = await tx.stock.openOrders(stock.petId);
  const reserved = stock.reserved > 0 ? `, ${stock.reserved} of them reserved for ${orders.length === 1 ? 'order' : 'orders'} ${joinItems(orders)}` : '';
  throw new StoreError(
    'insufficient_stock',
    `Pet ${stock.petId} has ${stock.quantity} on hand${reserved}; ${quantity} ${quantity === 1 ? 'was' : 'were'} asked for.`,
    `petstore inventory view ${stock.petId}`,
  );
}
