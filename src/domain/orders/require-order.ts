import { type OrderRow, orderRow, type OrderRecord } from './order.js';
import { notFound } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads an order for display, also a cancelled one. Refuses with `order_not_found`. */
export async function readOrderRow(tx: ReadTransaction, id: number): Promise<OrderRow> {
  const found = await tx.orders.get(id);
  if (found === undefined) throw notFound('order', id);
  return orderRow(found, tx);
}

/** Reads an order that is not cancelled. Refuses with `order_not_found`, also for a cancelled one. */
export async function requireOrder(tx: ReadTransaction, id: number): Promise<OrderRecord> {
  const found = await tx.orders.get(id);
  if (found === undefined || found.state === 'cancelled') throw notFound('order', id);
  return found;
}
