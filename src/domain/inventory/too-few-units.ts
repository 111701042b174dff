import { StoreError } from '../errors.js';
import { type Stock, unreserved } from './stock.js';
import { ordersText, type OpenOrders } from './open-orders.js';
import type { ReadTransaction } from '../transaction.js';

/** "8 on hand, 5 reserved for order 12"; empty if nothing is reserved. */
function reservedText({ quantity, reserved }: Stock, orders: OpenOrders): string {
  return reserved === 0 ? '' : ` (${quantity} on hand, ${reserved} reserved for ${ordersText(orders)})`;
}

/** The units of an order. */
export interface OrderedUnits {
  readonly quantity: number;
  /** Those of the same pet that the order has reserved already. Default: 0. */
  readonly alreadyReserved?: number;
}

/** The refusal `insufficient_stock` of an order for more units than are available to it. */
export async function tooFewAvailable(tx: ReadTransaction, stock: Stock, { quantity, alreadyReserved = 0 }: OrderedUnits): Promise<StoreError> {
  const { petId, name } = stock;
  const orders = await tx.stock.openOrders(petId);
  const free = unreserved(stock) + alreadyReserved;
  const named = `${name} (pet ${petId})`;
  const reserved = reservedText(stock, orders);
  const sentence =
    stock.quantity === 0 && stock.reserved === 0
      ? `${named} is out of stock.`
      : free <= 0
        ? `No ${named} available${reserved}; ${quantity} requested.`
        : `Only ${free} × ${name} available${reserved}; ${quantity} requested.`;
  return new StoreError('insufficient_stock', sentence, { details: { petId, orderIds: orders.first } });
}

/** The refusal `out_of_stock` of a change that removes more units than are on hand; `rest` ends its sentence, such as "order 12 needs 3". */
export function tooFewOnHand(
  { petId, name, quantity }: Stock,
  rest: string,
  details: { readonly orderId?: number; readonly entryId?: number } = {},
): StoreError {
  const sentence = quantity === 0 ? `${name} (pet ${petId}) is out of stock` : `Only ${quantity} × ${name} (pet ${petId}) on hand`;
  return new StoreError('out_of_stock', `${sentence}; ${rest}.`, { details: { petId, ...details } });
}
