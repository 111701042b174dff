import type { ShortagePolicy, Stock } from './stock.js';
import { StoreError } from '../errors.js';
import { flag } from '../values/schemas.js';
import { pluralize } from '../values/text.js';
import { ordersText } from './open-orders.js';
import type { ReadTransaction } from '../transaction.js';

/** The parameter that accepts a shortage. */
export const allowShortageParameter = flag('Accepts a stock below the units reserved for open orders.');

/** Refuses with `stock_reserved` a quantity below what is reserved for open orders, unless `allowShortage`. */
export async function checkReserved(tx: ReadTransaction, stock: Stock, quantity: number, { allowShortage }: ShortagePolicy): Promise<void> {
  if (quantity >= stock.reserved || allowShortage) return;
  const orders = await tx.stock.openOrders(stock.petId);
  throw new StoreError(
    'stock_reserved',
    `Pet ${stock.petId} has ${pluralize(stock.reserved, 'unit')} reserved for ${ordersText(orders)}; ${quantity} on hand would not be enough.`,
    { details: { petId: stock.petId, orderIds: orders.first } },
  );
}
