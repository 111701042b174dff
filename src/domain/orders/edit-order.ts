import { requireNamedStock, checkAvailable } from './reserve-units.js';
import { orderFields, type OrderRecord } from './order.js';
import { changedValues, pickFields } from '../values/fields.js';
import { recordStockChange } from '../inventory/record-movement.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Changes an open order and its reservation. Units that the order has reserved already count as available to it. */
export async function editOrder(tx: WriteTransaction, before: OrderRecord, after: OrderRecord, { reverses }: Undoing = {}): Promise<OrderRecord> {
  const values = changedValues(pickFields(orderFields, before), pickFields(orderFields, after));
  if (Object.keys(values.previous).length === 0) return before;
  const isSamePet = after.petId === before.petId;
  const [former, quantity] = [before.quantity ?? 0, after.quantity ?? 0];
  /** The units of the pet that this order has reserved. */
  const alreadyReserved = isSamePet ? former : 0;
  const stock = after.petId === undefined ? undefined : await requireNamedStock(tx, after.petId);
  if (stock && (!isSamePet || quantity > former)) await checkAvailable(tx, stock, { quantity, alreadyReserved });
  const previousStock = isSamePet || before.petId === undefined ? undefined : await tx.stock.get(before.petId);
  await tx.orders.update(after);
  const entry = { kind: 'order.updated', orderId: after.id } as const;
  // Where the pet changes, both pets have an entry; the last one holds the values.
  const last = { ...entry, ...values, reverses };
  if (previousStock) await recordStockChange(tx, previousStock, { ...previousStock, reserved: previousStock.reserved - former }, stock ? entry : last);
  if (stock) await recordStockChange(tx, stock, { ...stock, reserved: stock.reserved + quantity - alreadyReserved }, last);
  if (!previousStock && !stock) await tx.ledger.append(last);
  return after;
}
