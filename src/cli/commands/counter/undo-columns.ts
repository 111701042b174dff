import { changeText } from '../../../domain/ledger/change-text.js';
import type { UndoableChange } from '../../../domain/ledger/undoable-change.js';
import type { Call } from '../../../domain/call.js';
import { isJson, type Format } from '../../../settings/output-format.js';
import { withNames, type NamedEntry } from '../../output/ledger-names.js';
import { listTime } from '../../output/time-text.js';
import type { Columns } from '../../output/view.js';

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

/** The columns of a list of changes. Ids are a list in JSON, otherwise a text. */
export function undoColumns(format: Format | undefined): Columns<NamedChange> {
  const idList = (ids: readonly number[]): unknown => (isJson(format) ? ids : ids.join(' '));
  return {
    all: [
      { name: 'entryId', heading: 'Entry', value: ({ entryId }) => entryId, numeric: true },
      { name: 'at', heading: 'When', leaveOut: 1, value: ({ at }) => at, text: ({ at }, now, zone) => listTime(at, now, zone) },
      { name: 'change', heading: 'Change', least: 20, wraps: true, value: ({ text }) => text },
      { name: 'orderIds', heading: 'Orders', value: (change) => idList(orderIds(change)) },
      { name: 'batchId', heading: 'Batch', value: ({ batchId }) => batchId, numeric: true },
      { name: 'entries', heading: 'Entries', value: ({ entries }) => idList(entries.map(({ id }) => id)) },
    ],
    shown: ['entryId', 'at', 'change'],
    json: ['entryId', 'at', 'change', 'orderIds', 'batchId', 'entries'],
    id: 'entryId',
  };
}
