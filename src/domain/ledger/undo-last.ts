import { checkConditions } from '../conditions.js';
import { StoreError } from '../errors.js';
import { allowShortageParameter, checkReserved } from '../inventory/check-reserved.js';
import { tooFewOnHand } from '../inventory/too-few-units.js';
import { recordMovement } from '../inventory/record-movement.js';
import { requireStock } from '../inventory/require-stock.js';
import { writeOperation } from '../operation.js';
import { fulfilOrder } from '../orders/fulfil-order.js';
import { reopenOrder } from '../orders/reopen-order.js';
import { requireOrder } from '../orders/require-order.js';
import { withdrawOrder } from '../orders/withdraw-order.js';
import { setHold } from '../pets/write-status.js';
import type { WriteTransaction } from '../transaction.js';
import { idNumber } from '../values/ids.js';
import { optional, requestRecord } from '../values/schemas.js';
import type { LedgerEntry } from './ledger-entry.js';
import type { UndoStep } from './undo-of.js';
import { exampleChange, undoableChange, undoCandidates, type UndoableChange } from './undoable-change.js';
import * as v from 'valibot';

const undoRequest = requestRecord('UndoRequest', 'Which change to undo.', {
  entryId: optional(idNumber, 'The `entryId` of the change that must be the last one; otherwise nothing is undone.'),
});

async function moveBack(tx: WriteTransaction, { id, petId = 0, delta = 0 }: LedgerEntry, allowShortage: boolean): Promise<void> {
  const stock = await requireStock(tx, petId);
  if (stock.quantity < delta) throw await tooFewOnHand(tx, stock, `ledger entry ${id} (+${delta}) cannot be undone`, { entryId: id });
  if (delta > 0) await checkReserved(tx, stock, stock.quantity - delta, allowShortage);
  await recordMovement(tx, stock, -delta, { kind: 'undo', reverses: id });
}

async function takeStep(tx: WriteTransaction, { action, entry }: UndoStep, allowShortage: boolean): Promise<void> {
  const { id, petId = 0, orderId = 0 } = entry;
  if (action === 'move') return moveBack(tx, entry, allowShortage);
  if (action === 'hold' || action === 'release') return void (await setHold(tx, await requireStock(tx, petId), action === 'hold', id));
  const order = await requireOrder(tx, orderId);
  if (action === 'cancel') return withdrawOrder(tx, order, id);
  await (action === 'reopen' ? reopenOrder(tx, order, id) : fulfilOrder(tx, order, id));
}

/** Undoes the last change by the caller that can be undone. A bulk import is refused with `not_undoable`: `undoBatch` undoes it. */
export const undoLast = writeOperation({
  id: 'undoLast',
  summary: 'Undo your last change',
  description:
    'Undoes the last change by the caller that can be undone (see `listUndoable`), in one transaction: a sale is reopened and its order cancelled, a placed order is cancelled, a count or an adjustment is taken back, later changes are kept. With `entryId` it is refused unless that change is still the last one. A bulk import is undone by `undoBatch`.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/undo',
  status: 200,
  input: v.strictObject({ allowShortage: allowShortageParameter, body: undoRequest }),
  output: undoableChange,
  refuses: ['not_undoable', 'out_of_stock', 'stock_reserved', 'precondition_failed'],
  example: { body: { entryId: exampleChange.entryId }, answer: exampleChange },
  cost: 'shop',
  run: async (tx, { allowShortage, body: { entryId } }): Promise<UndoableChange> => {
    checkConditions(tx, 'The last change', undefined);
    const [last] = await undoCandidates(tx, 1);
    if (entryId !== undefined && entryId !== last?.change.entryId) {
      const found = last === undefined ? 'no change can be undone' : `the last one is ledger entry ${last.change.entryId}`;
      throw new StoreError('precondition_failed', `Ledger entry ${entryId} is not the last change of ${tx.actor} that can be undone; ${found}.`);
    }
    if (last === undefined) throw new StoreError('not_undoable', `There is no change of ${tx.actor} to undo.`);
    const { batchId } = last.change;
    if (batchId !== undefined) {
      throw new StoreError('not_undoable', `The last change is bulk import ${batchId}, which is undone as a whole.`, {
        details: { batchId, reason: 'last_change_is_import' },
      });
    }
    for (const step of last.steps) await takeStep(tx, step, allowShortage);
    return last.change;
  },
});
