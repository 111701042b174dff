import type { Batch } from '../imports/batch.js';
import type { LedgerEntry, LedgerKind } from '../ledger/ledger-entry.js';
import { positionAfter, type LedgerPosition } from '../ledger/ledger-position.js';
import type { HookFilter } from './hook.js';

/** An event to send. */
export interface HookEvent {
  /** Unique within the shop; the same each time that it is sent. It is the id of a ledger entry. */
  readonly id: number;
  readonly type: LedgerKind | 'batch.applied' | 'batch.undone';
  /** When it happened: RFC 3339, UTC. */
  readonly at: string;
  readonly data: unknown;
  /** The position of the hook after the event. */
  readonly next: LedgerPosition;
}

/** A batch and where its entries are in the ledger, which follow each other: those of the import or the closed count, and those of its undo. */
export interface BatchEntries {
  readonly batch: Batch;
  readonly lastApplied: number;
  /** 0 unless it was undone. */
  readonly lastUndone: number;
}

/** What was read of the ledger after the position of a hook. */
export interface LedgerPage {
  /** Oldest first: those of the kinds and pets of the hook at least. */
  readonly entries: readonly LedgerEntry[];
  /** Up to where the ledger was read. */
  readonly end: LedgerPosition;
  /** The batches of these entries, and of the counts that they close, by id. */
  readonly batches: ReadonlyMap<number, BatchEntries>;
  /** The present categories of the pets of these entries. */
  readonly categories: ReadonlyMap<number, number>;
}

/** What a hook has to send, and its position if it sends nothing more. */
export interface DueEvents {
  readonly events: readonly HookEvent[];
  readonly end: LedgerPosition;
}

/** The kinds about low stock. */
export const lowKinds: readonly LedgerKind[] = ['inventory.low', 'inventory.restocked'];

function matches({ kinds, petId, categoryId }: HookFilter, entry: LedgerEntry, categories: LedgerPage['categories']): boolean {
  if (kinds !== undefined && !kinds.includes(entry.kind)) return false;
  if (petId !== undefined && !(entry.petId !== undefined && petId.includes(entry.petId))) return false;
  return categoryId === undefined || entry.categoryId === categoryId || (entry.petId !== undefined && categories.get(entry.petId) === categoryId);
}

/** Whether a hook sends the entry `count.closed` of a closed count, which follows the entries of its batch. */
function wantsClosedCounts({ kinds, petId, categoryId }: HookFilter): boolean {
  return petId === undefined && categoryId === undefined && (kinds === undefined || kinds.includes('count.closed'));
}

function entryEvent(entry: LedgerEntry, batches: LedgerPage['batches']): HookEvent {
  const closed = entry.kind === 'count.closed' ? [...batches.values()].find(({ batch }) => batch.countId === entry.countId) : undefined;
  return { id: entry.id, type: entry.kind, at: entry.at, data: closed ? { ...entry, batch: closed.batch } : entry, next: positionAfter(entry) };
}

/** The event of all entries of a batch, or of its undo. Its id is that of the last one, so that it is the same for every hook. */
function batchEvent(entry: LedgerEntry, { batch, lastApplied, lastUndone }: BatchEntries): HookEvent {
  const isUndo = entry.id > lastApplied;
  const id = isUndo ? lastUndone : lastApplied;
  const data = { ...batch, link: `/store/ledger?batchId=${batch.id}` };
  return { id, type: isUndo ? 'batch.undone' : 'batch.applied', at: entry.at, data, next: { id } };
}

/** The events of a hook in a page of the ledger, in its order. An import, an undo or a closed count is one event unless the hook wants its rows. */
export function dueEvents(filter: HookFilter, { entries, end, batches, categories }: LedgerPage): DueEvents {
  const events: HookEvent[] = [];
  let after = 0;
  for (const entry of entries) {
    if (entry.id <= after || !matches(filter, entry, categories)) continue;
    const found = entry.batchId === undefined || filter.rows ? undefined : batches.get(entry.batchId);
    if (found === undefined) events.push(entryEvent(entry, batches));
    else {
      const event = batchEvent(entry, found);
      after = event.id;
      const isSentLater = event.type === 'batch.applied' && found.batch.countId !== undefined && wantsClosedCounts(filter);
      if (!isSentLater) events.push(event);
    }
  }
  return { events, end: after > end.id ? { id: after } : end };
}
