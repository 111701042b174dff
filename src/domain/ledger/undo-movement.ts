import { checkReserved } from '../inventory/check-reserved.js';
import { recordMovement } from '../inventory/record-movement.js';
import type { ShortagePolicy, Stock } from '../inventory/stock.js';
import { tooFewOnHand } from '../inventory/too-few-units.js';
import { StoreError } from '../errors.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';
import type { LedgerEntry } from './ledger-entry.js';

/** Whether an entry can be undone alone: a count or an adjustment. An order is reopened or cancelled instead. */
export function isUndoneAlone({ kind, delta }: LedgerEntry): boolean {
  return delta !== undefined && (kind === 'count' || kind === 'adjust');
}

/** Refuses with `already_undone` an entry that was undone. */
export async function checkNotUndone(tx: ReadTransaction, entryId: number): Promise<void> {
  const undoneBy = await tx.ledger.undoneBy(entryId);
  if (undoneBy === undefined) return;
  throw new StoreError('already_undone', `You cannot undo entry ${entryId}: it was already undone by entry ${undoneBy}.`, { details: { entryId } });
}

/** Moves the units of a ledger entry back; later movements are kept. Refuses with `out_of_stock`, `stock_reserved` or `validation_failed`. */
export async function undoMovement(tx: WriteTransaction, stock: Stock, { id, delta = 0 }: LedgerEntry, policy: ShortagePolicy): Promise<void> {
  if (stock.quantity < delta) throw tooFewOnHand(stock, `ledger entry ${id} (+${delta}) cannot be undone`, { entryId: id });
  if (delta > 0) await checkReserved(tx, stock, stock.quantity - delta, policy);
  await recordMovement(tx, stock, { kind: 'undo', delta: -delta, reverses: id });
}
