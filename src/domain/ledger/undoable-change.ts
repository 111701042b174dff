import type { Batch } from '../imports/batch.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record } from '../values/schemas.js';
import { dateTimeText } from '../values/time.js';
import type { ReadTransaction } from '../transaction.js';
import { exampleEntry, ledgerEntry, type LedgerEntry } from './ledger-entry.js';
import type { LedgerFilter } from './ledger-table.js';
import { changesIn, undoOf, type UndoStep } from './undo-of.js';
import * as v from 'valibot';

/** The most changes that are listed. */
export const maximumChanges = 10;
/** The most entries of an actor that are searched, among how many of the newest ids; older changes are undone by hand. */
const searchedEntries = 500;
const searchedIds = 100_000;
const searchedBatches = 50;
/** The most later entries of an order or a hold that are searched for a change that was not undone. */
const laterEntries = 100;

/** A change that its actor can undo, as the contract shows it. */
export const undoableChange = record('UndoableChange', 'A change that its actor can undo.', {
  entryId: field(idNumber, 'ID of the last ledger entry of the change; it identifies the change.'),
  at: field(dateTimeText, 'When it happened, in UTC.'),
  batchId: optional(idNumber, 'ID of the bulk import, if the change is one; undone by `undoBatch`.'),
  rows: optional(wholeNumber, 'Number of rows that the bulk import changed.'),
  entries: field(v.array(ledgerEntry), 'The ledger entries that an undo reverses, in the order in which it does; none for a bulk import.'),
});

/** A change that its actor can undo. */
export type UndoableChange = v.InferOutput<typeof undoableChange>;

/** The change in the examples of the OpenAPI document. */
export const exampleChange: UndoableChange = { entryId: exampleEntry.id, at: exampleEntry.at, entries: [exampleEntry] };

/** An undoable change with the steps that undo it; none for a bulk import. */
export interface UndoCandidate {
  readonly change: UndoableChange;
  readonly steps: readonly UndoStep[];
}

/** The later entries that prevent a step: those of its order, or of the hold of its pet. Movements never prevent one. */
function conflictFilter({ action, entry: { petId, orderId } }: UndoStep): LedgerFilter | undefined {
  if (orderId !== undefined) return { orderId: [orderId] };
  return petId === undefined || action === 'move' ? undefined : { petId: [petId], kind: ['pet.held', 'pet.released'] };
}

/** Whether the pet of a step is gone, or its order or hold was changed since. Changes that were undone do not count, nor do those that are undone `before`. */
async function isBlocked(tx: ReadTransaction, step: UndoStep, before: ReadonlySet<number>): Promise<boolean> {
  const { id, petId } = step.entry;
  if (petId !== undefined && (await tx.stock.get(petId)) === undefined) return true;
  const filter = conflictFilter(step);
  if (filter === undefined) return false;
  const later = await tx.ledger.list({ ...filter, after: id }, { sort: 'id', descending: false, from: undefined, limit: laterEntries });
  const undone = new Set(await tx.ledger.undoneAmong(later.map((entry) => entry.id)));
  return later.length === laterEntries || later.some((entry) => entry.reverses === undefined && !undone.has(entry.id) && !before.has(entry.id));
}

async function candidateOf(tx: ReadTransaction, change: readonly LedgerEntry[], newer: ReadonlySet<number>): Promise<UndoCandidate | undefined> {
  const last = change.at(-1);
  const all = undoOf(change);
  if (all === undefined || last === undefined) return undefined;
  const undone = new Set(await tx.ledger.undoneAmong(all.map(({ entry }) => entry.id)));
  const steps = all.filter(({ entry }) => !undone.has(entry.id));
  if (steps.length === 0) return undefined;
  const before = new Set([...newer, ...change.map(({ id }) => id)]);
  for (const step of steps) if (await isBlocked(tx, step, before)) return undefined;
  return { steps, change: { entryId: last.id, at: last.at, entries: steps.map(({ entry }) => entry) } };
}

async function importCandidate(tx: ReadTransaction, { id, at, applied }: Batch): Promise<UndoCandidate | undefined> {
  const [first] = await tx.ledger.list({ batchId: [id] }, { sort: 'id', descending: false, from: undefined, limit: 1 });
  return first && { steps: [], change: { entryId: first.id, at, batchId: id, rows: applied, entries: [] } };
}

/** The imports of stock by the actor that can be undone, newest first. */
async function importCandidates(tx: ReadTransaction, limit: number): Promise<readonly UndoCandidate[]> {
  const batches = await tx.batches.list({ sort: 'id', descending: true, from: undefined, limit: searchedBatches });
  const own = batches.filter(({ actor, kind, state, applied }) => actor === tx.actor && kind === 'stock' && applied > 0 && /^(?:applied|partial)$/.test(state));
  const found: UndoCandidate[] = [];
  for (const batch of own.slice(0, limit)) {
    const candidate = await importCandidate(tx, batch);
    if (candidate !== undefined) found.push(candidate);
  }
  return found;
}

/** The last changes by the actor that can be undone, newest first. Changes that cannot, or were undone already, are skipped. */
export async function undoCandidates(tx: ReadTransaction, limit: number): Promise<readonly UndoCandidate[]> {
  const newestFirst = { sort: 'id', descending: true, from: undefined } as const;
  const [newest] = await tx.ledger.list({}, { ...newestFirst, limit: 1 });
  const after = (newest?.id ?? 0) - searchedIds;
  const entries = await tx.ledger.list({ actor: tx.actor, withoutBatches: true, after }, { ...newestFirst, limit: searchedEntries });
  const changes = changesIn(entries);
  // The oldest change may have more entries than were read.
  const whole = entries.length < searchedEntries ? changes : changes.slice(0, -1);
  const found: UndoCandidate[] = [];
  // The newer changes of the list are undone first.
  const newer = new Set<number>();
  for (const change of whole) {
    if (found.length === limit) break;
    const candidate = await candidateOf(tx, change, newer);
    if (candidate === undefined) continue;
    found.push(candidate);
    for (const { id } of change) newer.add(id);
  }
  const all = [...found, ...(await importCandidates(tx, limit))];
  return all.toSorted((one, other) => other.change.entryId - one.change.entryId).slice(0, limit);
}
