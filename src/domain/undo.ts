import * as v from 'valibot';
import { checkConditions } from './conditions.js';
import { StoreError } from './errors.js';
import { batchDetails, type Batch } from './imports.js';
import { ledgerEntry, type LedgerEntry } from './ledger.js';
import { idNumber, notFound } from './numbers.js';
import { performs, writes } from './operation.js';
import { checkPromises, move } from './stock.js';

/** Refuses a batch that cannot be taken back: one of pets, one that changed nothing, or one that was taken back already. */
export function checkUndoable({ id, kind, state }: Batch): void {
  if (state === 'undone') throw new StoreError('already_undone', `Batch ${id} was undone already.`, `petstore log --batch ${id}`);
  if (state === 'refused') throw new StoreError('not_undoable', `Batch ${id} was refused and changed nothing.`, `petstore inventory batch view ${id}`);
  if (kind === 'pets') {
    const line = `petstore log --batch ${id} --kind opening --fields pet | petstore pet delete - --yes`;
    throw new StoreError('not_undoable', `Batch ${id} created pets; delete them instead.`, line);
  }
}

/** The change to take back, or the refusal of a row that no undo fits: an order or a new row says it better. */
function undoableDelta({ id, kind, delta }: LedgerEntry): number {
  if (delta !== undefined && (kind === 'count' || kind === 'adjust')) return delta;
  throw new StoreError('not_undoable', `Ledger entry ${id} is ${kind}; only count and adjust can be undone.`);
}

/** Takes one ledger row back with a row of its own, on top of what happened since; once. */
export const undoEntry = writes({
  id: 'undoEntry',
  summary: 'Take a ledger entry back',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/ledger/{entryId}/undo',
  status: 201,
  input: v.strictObject({ entryId: idNumber, allowShortage: v.optional(v.boolean('must be true or false'), false) }),
  output: ledgerEntry,
  run: async (tx, { entryId, allowShortage }): Promise<LedgerEntry> => {
    const entry = await tx.ledger.get(entryId);
    if (entry === undefined) throw notFound('entry', entryId);
    checkConditions(tx, `Ledger entry ${entryId}`, undefined);
    const delta = undoableDelta(entry);
    const undoneBy = await tx.ledger.undoneBy(entryId);
    if (undoneBy !== undefined) throw new StoreError('already_undone', `Ledger entry ${entryId} was undone already by entry ${undoneBy}.`);
    const petId = entry.petId ?? 0;
    const stock = await tx.stock.get(petId);
    if (stock === undefined) throw new StoreError('not_undoable', `Pet ${petId} of ledger entry ${entryId} is no longer in the shop.`);
    if (stock.quantity - delta < 0) {
      throw new StoreError(
        'out_of_stock',
        `Pet ${petId} has ${stock.quantity} on hand; taking back the ${delta} of ledger entry ${entryId} is not possible.`,
        `petstore log --pet ${petId}`,
      );
    }
    if (delta > 0) await checkPromises(tx, stock, stock.quantity - delta, allowShortage);
    await move(tx, stock, -delta, { kind: 'undo', reverses: entryId });
    const written = await tx.ledger.get((await tx.ledger.undoneBy(entryId)) ?? 0);
    return written ?? entry;
  },
});

/** Takes a whole bulk import back in one transaction; the shop performs it by `undoBatch`. */
export const undoBatch = performs({
  id: 'undoBatch',
  summary: 'Take a bulk import back',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports/{batchId}/undo',
  status: 200,
  input: v.strictObject({ batchId: idNumber, allowShortage: v.optional(v.boolean('must be true or false'), false) }),
  output: batchDetails,
});
