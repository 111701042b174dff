import { checkConditions } from '../conditions.js';
import { entryIdParameter, exampleEntry, ledgerEntry, type LedgerEntry } from './ledger-entry.js';
import { StoreError } from '../errors.js';
import { requireRecord } from '../values/ids.js';
import { writeOperation } from '../operation.js';
import { allowShortageParameter } from '../inventory/check-reserved.js';
import { checkNotUndone, isUndoneAlone, undoMovement } from './undo-movement.js';
import * as v from 'valibot';

/** Undoes one ledger entry with a new entry; later changes are kept. An entry can be undone once. */
export const undoEntry = writeOperation({
  id: 'undoEntry',
  summary: 'Undo a ledger entry',
  description: 'Undoes a count or an adjustment with a new entry; later changes are kept. An entry can be undone once.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/ledger/{entryId}/undo',
  status: 201,
  input: v.strictObject({ entryId: entryIdParameter, allowShortage: allowShortageParameter }),
  output: ledgerEntry,
  refuses: ['already_undone', 'not_undoable', 'out_of_stock', 'stock_reserved', 'validation_failed'],
  example: {
    answer: { id: 1209, at: exampleEntry.at, actor: 'ana', source: 'http', kind: 'undo', petId: 7, delta: -2, quantityAfter: 3, reverses: 1208 },
  },
  cost: 'row',
  run: async (tx, { entryId, allowShortage }): Promise<LedgerEntry> => {
    const entry = requireRecord('entry', entryId, await tx.ledger.get(entryId));
    checkConditions(tx, `Ledger entry ${entryId}`, undefined);
    if (!isUndoneAlone(entry)) {
      const because = `it is ${entry.kind}; only count and adjust can be undone`;
      throw new StoreError('not_undoable', `You cannot undo entry ${entryId}: ${because}.`, { details: { entryId } });
    }
    await checkNotUndone(tx, entryId);
    const petId = entry.petId ?? 0;
    const stock = await tx.stock.get(petId);
    if (stock === undefined)
      throw new StoreError('not_undoable', `You cannot undo entry ${entryId}: pet ${petId} is no longer in the shop.`, { details: { petId, entryId } });
    await undoMovement(tx, stock, entry, { allowShortage });
    const written = await tx.ledger.get((await tx.ledger.undoneBy(entryId)) ?? 0);
    return written ?? entry;
  },
});
