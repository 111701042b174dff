import { requireNamedStock } from './reserve-units.js';
import { StoreError } from '../errors.js';
import type { OrderRecord } from './order.js';
import { tooFewOnHand } from '../inventory/too-few-units.js';
import { recordMovement } from '../inventory/record-movement.js';
import type { Stock } from '../inventory/stock.js';
import { formatDateTime } from '../values/time.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

interface Fulfilment extends Undoing {
  /** The present stock of the pet, where the caller has read it. */
  readonly stock?: Stock | undefined;
}

/**
 * Fulfils an open order: removes its units from stock and sets a missing ship date. Refuses with `order_incomplete`, `unknown_pet` or `out_of_stock`.
 */
export async function fulfilOrder(tx: WriteTransaction, open: OrderRecord, { reverses, stock: known }: Fulfilment = {}): Promise<OrderRecord> {
  const { id, petId, quantity } = open;
  if (petId === undefined || quantity === undefined) {
    throw new StoreError('order_incomplete', `Order ${id} has no pet yet.`, { details: { orderId: id } });
  }
  const stock = known ?? (await requireNamedStock(tx, petId));
  if (stock.quantity < quantity) {
    throw tooFewOnHand(stock, `order ${id} needs ${quantity}`, { orderId: id });
  }
  const complete: OrderRecord = { ...open, state: 'complete', shipDate: open.shipDate ?? formatDateTime(tx.now) };
  await tx.orders.update(complete);
  await recordMovement(tx, stock, { kind: 'sale', delta: -quantity, orderId: id, reverses }, { reserved: stock.reserved - quantity });
  return complete;
}
