import { StoreError } from '../errors.js';
import { batchConflict } from '../imports/undo-batch.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { field, optional, record } from '../values/schemas.js';
import { dateTimeText } from '../values/time.js';
import type { ReadTransaction } from '../transaction.js';
import { exampleEntry, type LedgerEntry } from './ledger-entry.js';
import { namedEntry } from './named-entry.js';
import { withNames } from './names-of-entries.js';
import { undoConflict } from './undo-conflict.js';
import { changesIn, undoStepsOf, type UndoStep } from './undo-steps.js';
import { newestRows, oldestRows } from '../values/pages.js';
import * as v from 'valibot';

/** The most changes that are listed. */
export const maximumChanges = 10;
/** The most entries of an actor that are searched, among how many of the newest ids; older changes and imports are undone by hand. */
const searchedEntries = 500;
const searchedIds = 100_000;
const searchedBatches = 50;
const checkedRows = 20;

/** A change that its actor can undo, as the contract shows it. */
export const undoableChange = record('UndoableChange', 'A change that its actor can undo.', {
  entryId: field(idNumber, 'ID of the last ledger entry that an undo of the change reverses; it identifies the change.'),
  at: field(dateTimeText, 'When it happened, in UTC.'),
  batchId: optional(idNumber, 'ID of the bulk import, if the change is one.'),
  countId: optional(idNumber, 'ID of the count whose close made the changes, if the change is one.'),
  rows: optional(wholeNumber, 'Number of rows that the bulk import changed.'),
  entries: field(v.array(namedEntry), 'The ledger entries that an undo reverses, in the order in which it does; none for a bulk import.'),
});

/** A change that its actor can undo. */
export type UndoableChange = v.InferOutput<typeof undoableChange>;

/** The change in the examples of the OpenAPI document. */
export const exampleUndoableChange: UndoableChange = { entryId: exampleEntry.id, at: exampleEntry.at, entries: [exampleEntry] };

/** A change of the caller, whether it can be undone or not. */
export interface UndoCandidate {
  readonly change: UndoableChange;
  /** The ids of all its ledger entries; none for a bulk import. */
  readonly ids: readonly number[];
  /** The steps that undo it; none for a bulk import. */
  readonly steps: readonly UndoStep[];
  /** Why it cannot be undone, as a refusal; `undoneFirst` are the ids of entries that are undone before it. */
  readonly conflict: (undoneFirst: ReadonlySet<number>) => Promise<StoreError | undefined>;
}

/** A change of the ledger that is neither an undo nor undone. */
async function candidateOf(tx: ReadTransaction, change: readonly LedgerEntry[]): Promise<UndoCandidate | undefined> {
  const all = undoStepsOf(change);
  const undone = new Set(await tx.ledger.undoneAmong(all.map(({ entry }) => entry.id)));
  const steps = all.filter(({ entry }) => !undone.has(entry.id));
  const last = steps[0]?.entry;
  if (last === undefined) return undefined;
  const ids = change.map(({ id }) => id);
  return {
    ids,
    steps,
    change: { entryId: last.id, at: last.at, entries: steps.map(({ entry }) => entry) },
    conflict: (undoneFirst) => undoConflict(tx, steps, new Set([...undoneFirst, ...ids])),
  };
}

/** The candidate for the oldest change, which was read in part, and for all before it. Without it an undo would go on to an older import. */
function unreadCandidate(tx: ReadTransaction, { id, at }: LedgerEntry, isLastChange: boolean): UndoCandidate {
  const sentence = isLastChange
    ? `The last change of ${tx.actor} has ${searchedEntries} ledger entries or more, too many to undo.`
    : `No other change among the last ${searchedEntries} ledger entries of ${tx.actor} can be undone.`;
  return { change: { entryId: id, at, entries: [] }, ids: [], steps: [], conflict: async () => new StoreError('not_undoable', sentence) };
}

/** The changes of the caller after an entry that are not imports, newest first. */
async function* ledgerCandidates(tx: ReadTransaction, after: number): AsyncGenerator<UndoCandidate> {
  const entries = await tx.ledger.list({ actor: tx.actor, withoutBatches: true, after }, newestRows(searchedEntries));
  const changes = changesIn(entries, await tx.ledger.changesOf(entries.map(({ id }) => id)));
  // The oldest change may have more entries than were read.
  const isCut = entries.length === searchedEntries;
  const whole = isCut ? changes.slice(0, -1) : changes;
  for (const change of whole) {
    const candidate = await candidateOf(tx, change);
    if (candidate !== undefined) yield candidate;
  }
  const last = isCut ? changes.at(-1)?.at(-1) : undefined;
  if (last !== undefined) yield unreadCandidate(tx, last, whole.length === 0);
}

/** The imports of the caller with entries after an entry, newest first. An older one is left out: a change after it may not have been searched. */
async function* importCandidates(tx: ReadTransaction, after: number): AsyncGenerator<UndoCandidate> {
  const batches = await tx.batches.list(newestRows(searchedBatches));
  for (const batch of batches) {
    const { id, actor, state, applied, at, countId } = batch;
    if (actor !== tx.actor || applied === 0 || state === 'undone' || state === 'refused') continue;
    const entries = await tx.ledger.list({ batchId: [id] }, oldestRows(checkedRows));
    const [first] = entries;
    if (first === undefined) continue;
    // Each applied row has an entry at least, and they follow each other.
    if (first.id + applied <= after) break;
    // A small import, of which every row was undone by itself, has nothing left to undo.
    const undone = await tx.ledger.undoneAmong(entries.map((entry) => entry.id));
    if (entries.length < checkedRows && undone.length === entries.length) continue;
    const change = { entryId: first.id, at, batchId: id, ...(countId !== undefined && { countId }), rows: applied, entries: [] };
    yield { ids: [], steps: [], change, conflict: async () => batchConflict(batch) };
  }
}

/** The latest changes of the caller, newest first; those that were undone, and undos, are left out. */
export async function* undoCandidates(tx: ReadTransaction): AsyncGenerator<UndoCandidate> {
  const [newest] = await tx.ledger.list({}, newestRows(1));
  const after = (newest?.id ?? 0) - searchedIds;
  const imports = importCandidates(tx, after);
  let head = await imports.next();
  for await (const candidate of ledgerCandidates(tx, after)) {
    for (; head.done !== true && head.value.change.entryId > candidate.change.entryId; head = await imports.next()) yield head.value;
    yield candidate;
  }
  for (; head.done !== true; head = await imports.next()) yield head.value;
}

/** The last changes by the caller that can be undone one after the other, newest first. */
export async function undoableChanges(tx: ReadTransaction): Promise<readonly UndoableChange[]> {
  const found: UndoableChange[] = [];
  const undoneFirst = new Set<number>();
  for await (const { change, ids, conflict } of undoCandidates(tx)) {
    if ((await conflict(undoneFirst)) !== undefined) continue;
    found.push({ ...change, entries: await withNames(tx, change.entries) });
    if (found.length === maximumChanges) break;
    // The newer changes of the list are undone first.
    for (const id of ids) undoneFirst.add(id);
  }
  return found;
}
