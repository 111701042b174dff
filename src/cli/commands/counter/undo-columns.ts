import { changeText } from '../../../domain/ledger/change-text.js';
import type { UndoableChange } from '../../../domain/ledger/undoable-change.js';
import type { Call } from '../../../domain/call.js';
import { withNames, type NamedEntry } from '../../output/ledger-names.js';
import { columnsOf } from '../../output/view.js';

/** A change that can be undone, with the names of its pets. */
export interface NamedChange extends Omit<UndoableChange, 'entries'> {
  readonly entries: readonly NamedEntry[];
  readonly text: string;
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
export const undoColumns = columnsOf<NamedChange>(
  {
    entryId: { heading: 'Entry', numeric: true },
    at: { heading: 'When', leaveOut: 1, time: true },
    change: { heading: 'Change', least: 20, wraps: true, value: ({ text }) => text },
    orderIds: { heading: 'Orders', value: orderIds, cell: (change) => orderIds(change).join(' ') },
    batchId: { heading: 'Batch', numeric: true },
    entries: { heading: 'Entries', value: ({ entries }) => entries.map(({ id }) => id), cell: ({ entries }) => entries.map(({ id }) => id).join(' ') },
  },
  { shown: ['entryId', 'at', 'change'] },
);
