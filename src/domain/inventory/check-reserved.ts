import type { Stock } from './stock.js';
import { StoreError } from '../errors.js';
import { counted, listed } from '../values/text.js';
import type { Reading } from '../transaction.js';

/** Refuses a figure below what open orders were promised, naming the orders; `allowShortage` accepts it. */
export async function checkPromises(tx: Reading, stock: Stock, quantity: number, allowShortage: boolean): Promise<void> {
  if (quantity >= stock.promised || allowShortage) return;
  const orders = await tx.stock.openOrders(stock.petId);
  throw new StoreError(
    'stock_promised',
    `Pet ${stock.petId} has ${counted(stock.promised, 'unit')} promised to ${orders.length === 1 ? 'order' : 'orders'} ${listed(orders)}; ${quantity} on hand would not cover them.`,
    'Cancel or change an order first, or accept the shortage with --allow-shortage.',
  );
}
