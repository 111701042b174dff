import { type ErrorDetails, StoreError } from '../errors.js';
import { available } from '../inventory/stock.js';
import { allowShortageParameter } from '../inventory/check-reserved.js';
import { writeOperation } from '../operation.js';
import { mayReadPets } from '../tokens/token.js';
import type { ReadTransaction } from '../transaction.js';
import { idNumber, idOf, requireRecord } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { optional, record, requestRecord } from '../values/schemas.js';
import { nameText } from '../values/text.js';
import type { PetRow } from '../pets/pet.js';
import type { LedgerEntry } from './ledger-entry.js';
import { idsIn, petsOf, withNames } from './names-of-entries.js';
import { checkNotUndone, isUndoneAlone } from './undo-movement.js';
import { derivedKinds } from './undo-steps.js';
import { takeUndoStep } from './take-undo-step.js';
import { exampleUndoableChange, undoableChange, undoCandidates, type UndoableChange, type UndoCandidate } from './undoable-change.js';
import * as v from 'valibot';

const undoRequest = requestRecord('UndoRequest', 'Which change to undo.', {
  entryId: optional(idOf('entry'), 'The `entryId` of the change to undo, from `listUndoable`. Without it, the last change is undone.'),
});

const undoneChange = record('UndoneChange', 'A change that was undone, and what its records are now.', {
  ...undoableChange.entries,
  pets: optional(
    v.array(v.object({ petId: idNumber, name: v.optional(nameText), onHand: v.optional(wholeNumber), available: v.optional(wholeNumber) })),
    'Its pets and their stock now, without figures for a pet that is no longer in the shop; absent for a bulk import.',
  ),
  orders: optional(
    v.array(v.object({ orderId: idNumber, state: v.picklist(['open', 'complete', 'cancelled']) })),
    'The state of its orders now; absent for a bulk import.',
  ),
});

/** A change that was undone, and what its records are now. */
type UndoneChange = v.InferOutput<typeof undoneChange>;

/** What the pets and the orders of a change are now; `before` are its pets before the undo. */
async function stateNow(tx: ReadTransaction, change: UndoableChange, before: readonly PetRow[]): Promise<Pick<UndoneChange, 'pets' | 'orders'>> {
  const { entries } = change;
  const now = await petsOf(tx, entries);
  const gone = before.filter(({ id }) => now.every((pet) => pet.id !== id));
  const orders = [];
  for (const orderId of idsIn(entries, (entry) => entry.orderId)) {
    const order = await tx.orders.get(orderId);
    if (order !== undefined) orders.push({ orderId, state: order.state });
  }
  const pet = ({ id, name }: PetRow) => ({ petId: id, ...(mayReadPets(tx.scopes) && { name }) });
  const pets = now.map((row) => ({ ...pet(row), onHand: row.quantity, available: available(row) }));
  return { pets: [...pets, ...gone.map(pet)], orders };
}

/** Why an entry that was not undone does not identify a recent change of the caller; `changeId` identifies the change that it belongs to. */
function whyRefused(tx: ReadTransaction, entry: LedgerEntry, changeId: number | undefined): ErrorDetails & { readonly because: string } {
  const { id: entryId, actor, batchId, kind, reverses } = entry;
  if (reverses !== undefined) return { because: `it is an undo itself, of entry ${reverses}; make the change again`, entryId };
  if (changeId !== undefined) return { because: `it is part of the change of entry ${changeId}`, entryId: changeId, reason: 'part_of_change' };
  if (batchId !== undefined) return { because: `it is part of bulk import ${batchId}`, entryId, batchId, reason: 'last_change_is_import' };
  if (actor !== tx.actor) {
    return { because: `${actor} made the change, and you are ${tx.actor}`, ...(isUndoneAlone(entry) && { entryId }), reason: 'made_by_another' };
  }
  if (derivedKinds.has(kind)) return { because: 'it follows from another change', entryId, reason: 'not_listed' };
  return { because: 'only your latest changes can be undone', entryId, reason: 'not_listed' };
}

/** Refuses an entry that identifies no recent change of the caller: `entry_not_found`, `already_undone` or `not_undoable`. */
async function refuseEntry(tx: ReadTransaction, entryId: number, changeId: number | undefined): Promise<never> {
  const entry = requireRecord('entry', entryId, await tx.ledger.get(entryId));
  await checkNotUndone(tx, entryId);
  const { because, ...details } = whyRefused(tx, entry, changeId);
  throw new StoreError('not_undoable', `You cannot undo entry ${entryId}: ${because}.`, { details });
}

/** The change of the caller to undo: the last one, or the one of a ledger entry. */
async function changeToUndo(tx: ReadTransaction, entryId: number | undefined): Promise<UndoCandidate> {
  let changeId: number | undefined;
  for await (const candidate of undoCandidates(tx)) {
    if (entryId !== undefined && candidate.ids.includes(entryId)) changeId = candidate.change.entryId;
    if (entryId !== undefined && entryId !== candidate.change.entryId) continue;
    const conflict = await candidate.conflict(new Set());
    if (conflict !== undefined) throw conflict;
    return candidate;
  }
  if (entryId !== undefined) return refuseEntry(tx, entryId, changeId);
  throw new StoreError('not_undoable', `${tx.actor} has no recent change to undo.`);
}

/** Undoes the last change by the caller, or one that it names; a bulk import as a whole. */
export const undoLast = writeOperation({
  id: 'undoLast',
  summary: 'Undo your last change',
  description:
    'Undoes the last change by the caller, or the one of `entryId`, in one transaction: a sale is reopened and its order cancelled, a placed order is cancelled and a cancelled one opened again, a count or an adjustment is taken back while later changes are kept, edited fields get their former values, what was created is deleted, and what was deleted comes back with its id. Undos and changes that were undone are skipped, so a repeated undo goes further back; an undo is not undone. Refused with `not_undoable` where the record was changed again since, or where the former values were not recorded. A bulk import of stock or of codes is undone as a whole, as by `undoBatch`. To undo a change of a pet or a category a token needs `pets:write` too.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/undo',
  status: 200,
  input: v.strictObject({ allowShortage: allowShortageParameter, body: undoRequest }),
  output: undoneChange,
  refuses: [
    'not_undoable',
    'already_undone',
    'entry_not_found',
    'out_of_stock',
    'stock_reserved',
    'insufficient_stock',
    'pet_on_hold',
    'pet_has_open_orders',
    'category_in_use',
    'category_exists',
    'unknown_category',
    'unknown_pet',
  ],
  example: {
    body: { entryId: exampleUndoableChange.entryId },
    answer: { ...exampleUndoableChange, pets: [{ petId: 7, name: 'Rex', onHand: 3, available: 2 }], orders: [] },
  },
  cost: 'shop',
  importToUndo: async (tx, { allowShortage, body: { entryId } }) => {
    const { change } = await changeToUndo(tx, entryId);
    const answer: UndoneChange = change;
    return change.batchId === undefined ? undefined : { batchId: change.batchId, allowShortage, answer };
  },
  run: async (tx, { allowShortage, body: { entryId } }): Promise<UndoneChange> => {
    const { change, steps } = await changeToUndo(tx, entryId);
    const { batchId } = change;
    // An import that was made after `importToUndo` looked.
    if (batchId !== undefined) {
      throw new StoreError('not_undoable', `The last change is bulk import ${batchId}, which is undone as a whole.`, {
        details: { batchId, entryId: change.entryId, reason: 'last_change_is_import' },
      });
    }
    const before = await petsOf(tx, change.entries);
    // Now, because the undo may delete what it names.
    const entries = await withNames(tx, change.entries);
    // Every step has an action: `conflict` refuses the others.
    for (const { action, entry } of steps) if (action !== undefined) await takeUndoStep(tx, action, entry, { allowShortage });
    return { ...change, entries, ...(await stateNow(tx, change, before)) };
  },
});
