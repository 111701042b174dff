import { requireNamedStock } from './reserve-units.js';
import type { OrderRecord } from './order.js';
import { recordStockChange } from '../inventory/record-movement.js';
import { unreserved } from '../inventory/stock.js';
import { tooFewAvailable } from '../inventory/too-few-units.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Cancels an open order, releases its units and writes the ledger entry. */
export async function writeCancellation(tx: WriteTransaction, open: OrderRecord, { reverses }: Undoing = {}): Promise<void> {
  const { id: orderId, petId, quantity = 0 } = open;
  const stock = petId === undefined ? undefined : await tx.stock.get(petId);
  await tx.orders.update({ ...open, state: 'cancelled' });
  const entry = { kind: 'order.cancelled', orderId, reverses } as const;
  if (stock) await recordStockChange(tx, stock, { ...stock, reserved: stock.reserved - quantity }, entry);
  else await tx.ledger.append(entry);
}

/**
 * Opens a cancelled order again and reserves its units. A hold of the pet does not prevent it, because the order may be older than
 * the hold. Refuses with `unknown_pet` or `insufficient_stock`.
 */
export async function restoreOrder(tx: WriteTransaction, cancelled: OrderRecord, { reverses }: Required<Undoing>): Promise<void> {
  const { id: orderId, petId, quantity = 0 } = cancelled;
  const stock = petId === undefined ? undefined : await requireNamedStock(tx, petId);
  if (stock && quantity > unreserved(stock)) throw await tooFewAvailable(tx, stock, { quantity });
  await tx.orders.update({ ...cancelled, state: 'open' });
  const entry = { kind: 'order.restored', orderId, reverses } as const;
  if (stock) await recordStockChange(tx, stock, { ...stock, reserved: stock.reserved + quantity }, entry);
  else await tx.ledger.append(entry);
}
