import type { OrderRecord } from './order.js';
import { recordStockChange } from '../inventory/record-movement.js';
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
