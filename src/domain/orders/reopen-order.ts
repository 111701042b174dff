import { StoreError } from '../errors.js';
import type { OrderRecord } from './order.js';
import { recordMovement } from '../inventory/record-movement.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import { pluralize } from '../values/text.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';

/** How many of the last sales are compared: each undo of a reopening adds a sale, and keeps the ship date of an earlier one. */
const comparedSales = 20;

/**
 * The ship date that a reopened order keeps: one that a user set, but not the time of completion, which `fulfilOrder`
 * filled in. That time is the one of a sale of the order in the ledger.
 */
async function keptShipDate(tx: ReadTransaction, { id, shipDate }: OrderRecord): Promise<string | undefined> {
  if (shipDate === undefined) return undefined;
  return (await tx.ledger.lastSales(id, comparedSales)).includes(shipDate) ? undefined : shipDate;
}

/**
 * Reopens a complete order: returns its units to stock, reserves them, and removes a ship date that the completion set. Refuses
 * with `unknown_pet`, and with `order_complete` an order of which units were returned.
 */
export async function reopenOrder(tx: WriteTransaction, complete: OrderRecord, { reverses }: Undoing = {}): Promise<OrderRecord> {
  const { id, petId, quantity = 0 } = complete;
  const open: OrderRecord = { ...complete, shipDate: await keptShipDate(tx, complete), state: 'open' };
  if (petId === undefined) return open;
  if (complete.returned !== undefined) {
    const sentence = `${pluralize(complete.returned, 'unit')} of order ${id} came back already; the order cannot be reopened. Return the others instead.`;
    throw new StoreError('order_complete', sentence, { details: { petId, orderId: id } });
  }
  const stock = await tx.stock.get(petId);
  if (stock === undefined) {
    throw new StoreError('unknown_pet', `Pet ${petId} of order ${id} is no longer in the shop; the order cannot be reopened.`, {
      details: { petId, orderId: id },
    });
  }
  await tx.orders.update(open);
  const previous = open.shipDate === complete.shipDate ? undefined : { shipDate: complete.shipDate ?? null };
  await recordMovement(tx, stock, { kind: 'return', delta: quantity, orderId: id, reverses, previous }, { reserved: stock.reserved + quantity });
  return open;
}
