import { requireNamedStock, checkAvailable } from './reserve-units.js';
import type { OrderRecord } from './order.js';
import { recordStockChange } from '../inventory/record-movement.js';
import type { WriteTransaction } from '../transaction.js';

/** Changes an open order and its reservation. Units that the order has reserved already count as available to it. */
export async function editOrder(tx: WriteTransaction, before: OrderRecord, after: OrderRecord): Promise<OrderRecord> {
  if (after.petId === before.petId && after.quantity === before.quantity && after.shipDate === before.shipDate) return before;
  const samePet = after.petId === before.petId;
  const own = before.quantity ?? 0;
  const wanted = after.quantity ?? 0;
  const stock = after.petId === undefined ? undefined : await requireNamedStock(tx, after.petId);
  if (stock && (!samePet || wanted > own)) await checkAvailable(tx, stock, wanted, samePet ? own : 0);
  const previousStock = samePet || before.petId === undefined ? undefined : await tx.stock.get(before.petId);
  await tx.orders.update(after);
  const entry = { kind: 'order.updated', orderId: after.id } as const;
  if (previousStock) await recordStockChange(tx, previousStock, { ...previousStock, reserved: previousStock.reserved - own }, entry);
  if (stock) await recordStockChange(tx, stock, { ...stock, reserved: stock.reserved + wanted - (samePet ? own : 0) }, entry);
  if (!previousStock && !stock) await tx.ledger.append(entry);
  return after;
}
