import { requireNamedStock, checkAvailable } from './reserve-units.js';
import type { OrderRecord } from './order.js';
import { formerValues } from '../values/fields.js';
import { recordStockChange } from '../inventory/record-movement.js';
import type { WriteTransaction } from '../transaction.js';

const editedFields = ({ petId, quantity, shipDate }: OrderRecord) => ({ petId, quantity, shipDate });

/**
 * Changes an open order and its reservation. Units that the order has reserved already count as available to it. `reverses` is
 * the ledger entry that this undoes, if any.
 */
export async function editOrder(tx: WriteTransaction, before: OrderRecord, after: OrderRecord, reverses?: number): Promise<OrderRecord> {
  const previous = formerValues(editedFields(before), editedFields(after));
  if (Object.keys(previous).length === 0) return before;
  const samePet = after.petId === before.petId;
  const own = before.quantity ?? 0;
  const wanted = after.quantity ?? 0;
  const stock = after.petId === undefined ? undefined : await requireNamedStock(tx, after.petId);
  if (stock && (!samePet || wanted > own)) await checkAvailable(tx, stock, wanted, samePet ? own : 0);
  const previousStock = samePet || before.petId === undefined ? undefined : await tx.stock.get(before.petId);
  await tx.orders.update(after);
  const entry = { kind: 'order.updated', orderId: after.id } as const;
  // Where the pet changes, both pets have an entry; the last one holds the former values.
  const last = { ...entry, previous, reverses };
  if (previousStock) await recordStockChange(tx, previousStock, { ...previousStock, reserved: previousStock.reserved - own }, stock ? entry : last);
  if (stock) await recordStockChange(tx, stock, { ...stock, reserved: stock.reserved + wanted - (samePet ? own : 0) }, last);
  if (!previousStock && !stock) await tx.ledger.append(last);
  return after;
}
