import type { LedgerEntry } from '../../../domain/ledger/ledger-entry.js';
import type { UndoableChange } from '../../../domain/ledger/undoable-change.js';
import type { Call } from '../../../domain/call.js';
import { withNames, type NamedEntry } from '../../output/ledger-names.js';
import { listTime } from '../../output/time-text.js';
import type { Columns } from '../../output/view.js';

/** A change that can be undone, with the names of its pets. */
export interface NamedChange extends Omit<UndoableChange, 'entries'> {
  readonly entries: readonly NamedEntry[];
  readonly text: string;
}

const petOf = ({ petName, petId }: NamedEntry): string => petName ?? `pet ${petId}`;

/** What an entry changed, as the object of "undo". */
function entryText(entry: NamedEntry): string {
  const { kind, orderId, delta = 0, quantityAfter = 0 } = entry;
  const order = orderId === undefined ? '' : ` (order ${orderId})`;
  if (kind === 'sale') return `the sale of ${-delta} × ${petOf(entry)}${order}`;
  if (kind === 'return') return `the return of ${delta} × ${petOf(entry)}${order}`;
  if (kind === 'order.placed') return `order ${orderId}${entry.petId === undefined ? '' : ` for ${petOf(entry)}`}`;
  if (kind === 'count') return `the count of ${petOf(entry)} (${quantityAfter - delta} → ${quantityAfter})`;
  if (kind === 'adjust') return `the change of ${petOf(entry)} by ${delta > 0 ? '+' : ''}${delta}`;
  return kind === 'pet.held' ? `the hold of ${petOf(entry)}` : `the release of ${petOf(entry)}`;
}

/** The order of a sale is not named twice: its sale says it. */
function isOrderOfSale(entry: LedgerEntry, entries: readonly LedgerEntry[]): boolean {
  return entry.kind === 'order.placed' && entries.some(({ kind, orderId }) => kind === 'sale' && orderId === entry.orderId);
}

const namedEntries = 3;

/** What a change did, as the object of "undo": "the sale of 2 × Rex (order 5)". */
function changeText({ batchId, rows = 0 }: UndoableChange, entries: readonly NamedEntry[]): string {
  if (batchId !== undefined) return `import ${batchId} (${rows} ${rows === 1 ? 'row' : 'rows'})`;
  // The entries are newest first.
  const texts = entries
    .filter((entry) => !isOrderOfSale(entry, entries))
    .map(entryText)
    .toReversed();
  const more = texts.length > namedEntries ? `, and ${texts.length - namedEntries} more` : '';
  return `${texts.slice(0, namedEntries).join(', ')}${more}`;
}

/** The changes with the names of their pets, in one request. */
export async function namedChanges(call: Call, changes: readonly UndoableChange[]): Promise<readonly NamedChange[]> {
  const named = await withNames(
    call,
    changes.flatMap(({ entries }) => entries),
  );
  const byId = new Map(named.map((entry) => [entry.id, entry]));
  return changes.map((change) => {
    const entries = change.entries.map((entry) => byId.get(entry.id) ?? entry);
    return { ...change, entries, text: changeText(change, entries) };
  });
}

function orderIds({ entries }: NamedChange): readonly number[] {
  return [...new Set(entries.flatMap(({ orderId }) => orderId ?? []))];
}

/** The columns of a list of changes. */
export const undoColumns: Columns<NamedChange> = {
  all: [
    { name: 'entryId', heading: 'Entry', value: ({ entryId }) => entryId, numeric: true },
    { name: 'at', heading: 'When', leaveOut: 1, value: ({ at }) => at, text: ({ at }, now, zone) => listTime(at, now, zone) },
    { name: 'change', heading: 'Change', least: 30, value: ({ text }) => text },
    { name: 'orderIds', heading: 'Orders', value: (change) => orderIds(change).join(' ') },
    { name: 'batchId', heading: 'Batch', value: ({ batchId }) => batchId, numeric: true },
    { name: 'entries', heading: 'Entries', value: ({ entries }) => entries.map(({ id }) => id).join(' ') },
  ],
  shown: ['entryId', 'at', 'change'],
  json: ['entryId', 'at', 'change', 'orderIds', 'batchId', 'entries'],
  id: 'entryId',
};
