import { type OrderRow, orderRow, type OrderRecord } from './order.js';
import { notFound } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** The order as people read it, cancelled or not; or the refusal `order_not_found`. */
export async function readOrderRow(tx: ReadTransaction, id: number): Promise<OrderRow> {
  const found = await tx.orders.get(id);
  if (found === undefined) throw notFound('order', id);
  return orderRow(found);
}

/** An order that can still be worked on, or the refusal `order_not_found` (also when cancelled). */
export async function requireOrder(tx: ReadTransaction, id: number): Promise<OrderRecord> {
  const found = await tx.orders.get(id);
  if (found === undefined || found.state === 'cancelled') throw notFound('order', id);
  return found;
}
