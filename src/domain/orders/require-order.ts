import { type OrderRow, orderRow, type OrderWithPet } from './order.js';
import { requireRecord } from '../values/ids.js';
import type { ReadTransaction } from '../transaction.js';

/** Reads an order in any state. Refuses with `order_not_found`. */
export async function requireAnyOrder(tx: ReadTransaction, id: number): Promise<OrderWithPet> {
  return requireRecord('order', id, await tx.orders.get(id));
}

/** Reads an order for display, also a cancelled one. Refuses with `order_not_found`. */
export async function readOrderRow(tx: ReadTransaction, id: number): Promise<OrderRow> {
  return orderRow(await requireAnyOrder(tx, id), tx);
}

/** Reads an order that is not cancelled. Refuses with `order_not_found`, also for a cancelled one. */
export async function requireOrder(tx: ReadTransaction, id: number): Promise<OrderWithPet> {
  const found = await tx.orders.get(id);
  return requireRecord('order', id, found?.state === 'cancelled' ? undefined : found);
}
