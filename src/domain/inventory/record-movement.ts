import { type Stock, levelCrossing, unreserved } from './stock.js';
import { StoreError } from '../errors.js';
import type { LedgerDraft } from '../ledger/ledger-entry.js';
import { maximumQuantity } from '../values/numbers.js';
import type { WriteTransaction } from '../transaction.js';

/** Writes a change of the stock and its ledger row, and a second row where it crosses the low-stock level. Checks no rule. */
export async function recordStockChange(tx: WriteTransaction, before: Stock, after: Stock, entry: LedgerDraft): Promise<Stock> {
  if (after.quantity !== before.quantity) await tx.stock.setQuantity(after.petId, after.quantity);
  await tx.ledger.append({ ...entry, petId: after.petId, ...(unreserved(after) < 0 && { shortage: true }) });
  const crossing = levelCrossing(before, after);
  if (crossing) await tx.ledger.append(crossing);
  return after;
}

/** A ledger entry that moves units, without the quantity after it. */
type MovementDraft = Omit<LedgerDraft, 'quantityAfter'> & { readonly delta: number };

/**
 * Adds the units of a movement to the stock of a pet; `changes` are those that it makes to the stock besides. Refuses with
 * `validation_failed` above the maximum quantity; the caller checks all other rules.
 */
export async function recordMovement(
  tx: WriteTransaction,
  stock: Stock,
  movement: MovementDraft,
  changes: Partial<Pick<Stock, 'reserved'>> = {},
): Promise<Stock> {
  const { delta } = movement;
  const quantity = stock.quantity + delta;
  if (quantity > maximumQuantity) {
    throw new StoreError(
      'validation_failed',
      `quantity: pet ${stock.petId} has ${stock.quantity} on hand; ${delta} more would exceed the maximum of ${maximumQuantity}.`,
    );
  }
  return recordStockChange(tx, stock, { ...stock, ...changes, quantity }, { ...movement, quantityAfter: quantity });
}
