import { statusChange, type PetStatus } from './pet-status.js';
import type { PetRow } from './pet.js';
import { requirePet } from './require-pet.js';
import { StoreError } from '../errors.js';
import { requireStock } from '../inventory/require-stock.js';
import { checkVersion } from '../ledger/check-version.js';
import { afterWrite } from '../values/version.js';
import type { Stock } from '../inventory/stock.js';
import { recordMovement, recordStockChange } from '../inventory/record-movement.js';
import { ordersText } from '../inventory/open-orders.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Sets or clears the hold flag and writes its ledger row; no effect where it is set so already. */
export async function setHold(tx: WriteTransaction, stock: Stock, hold: boolean, { reverses }: Undoing = {}): Promise<Stock> {
  if (stock.hold === hold) return stock;
  await tx.pets.setHold(stock.petId, hold);
  return recordStockChange(tx, stock, { ...stock, hold }, { kind: hold ? 'pet.held' : 'pet.released', reverses });
}

/** Puts a pet on hold, or back on sale. Refuses with `pet_not_found` or `precondition_failed`. */
export async function changeHold(tx: WriteTransaction, petId: number, hold: boolean): Promise<PetRow> {
  const before = await requirePet(tx, petId);
  await checkVersion(tx, `Pet ${petId}`, { petId });
  await setHold(tx, await requireStock(tx, petId), hold);
  return afterWrite(before, await requirePet(tx, petId));
}

/** Sets the status of a pet by changing its hold flag and stock. Refuses with `status_conflict`. */
export async function writeStatus(tx: WriteTransaction, stock: Stock, wanted: PetStatus): Promise<void> {
  const change = statusChange(stock, wanted);
  if (change.conflict === 'many') {
    throw new StoreError('status_conflict', `Pet ${stock.petId} has ${stock.quantity} on hand; a status can only be set for a single pet.`, {
      details: { petId: stock.petId },
    });
  }
  if (change.conflict === 'reserved') {
    const orders = await tx.stock.openOrders(stock.petId);
    throw new StoreError(
      'status_conflict',
      `Pet ${stock.petId} cannot become ${wanted}: ${stock.reserved} of its ${stock.quantity} on hand ${stock.reserved === 1 ? 'is' : 'are'} reserved for ${ordersText(orders)}.`,
      { details: { petId: stock.petId, orderIds: orders.first } },
    );
  }
  const held = await setHold(tx, stock, change.hold);
  if (change.delta !== 0) await recordMovement(tx, held, { kind: change.delta > 0 ? 'return' : 'sale', delta: change.delta });
}
