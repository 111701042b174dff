import type { JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { fieldLabels } from '../../../domain/ledger/field-labels.js';
import type { Column } from '../lists/table.js';
import { BatchLink, Name } from '../name.js';
import { inertText, numberText } from '../text.js';
import { instantText, Time } from '../time.js';
import { EntryText } from './entry-text.js';

type Former = NonNullable<NamedEntry['previous']>;

/** A value of a field; null is that of a field that has none. */
function valueText(name: keyof Former, value: Former[keyof Former]): string {
  if (value === null || value === undefined) return 'none';
  if (name === 'shipDate') return instantText(Date.parse(String(value)));
  return typeof value === 'number' ? numberText(value) : inertText(value);
}

/** What the fields were that an entry of the ledger changed, and what they became; nothing for an entry that changed none. */
function FormerValues({ of: { previous, current = {} } }: { readonly of: NamedEntry }): JSX.Element | null {
  const names = Object.keys(previous ?? {}) as (keyof Former)[];
  if (previous === undefined || names.length === 0) return null;
  const changes = names.map((name) => {
    const before = `${fieldLabels[name]} ${valueText(name, previous[name])}`;
    return name in current ? `${before} → ${valueText(name, current[name])}` : `${before} before`;
  });
  const text = changes.join(', ');
  return (
    <bdi class="note">
      {text.charAt(0).toUpperCase()}
      {text.slice(1)}
    </bdi>
  );
}

/** What an entry of the ledger says, what it changed, and its note. */
export function EntryDetails({ of: entry }: { readonly of: NamedEntry }): JSX.Element {
  return (
    <>
      <EntryText of={entry} />
      <FormerValues of={entry} />
      {entry.note !== undefined && (
        <q class="note">
          <Name of={entry.note} />
        </q>
      )}
    </>
  );
}

const change: Column<NamedEntry> = { heading: 'Change', cell: (entry) => <EntryDetails of={entry} />, isHead: true };

const when: Column<NamedEntry> = { heading: 'When', cell: ({ at }) => <Time at={at} /> };

const by: Column<NamedEntry> = { heading: 'By', cell: ({ actor }) => <Name of={actor} /> };

/** The columns of a list of ledger entries. */
export const entryColumns: readonly Column<NamedEntry>[] = [change, when, { heading: 'Entry', cell: ({ id }) => id, isNumber: true }];

/** The columns of the history of one record. */
export const historyColumns: readonly Column<NamedEntry>[] = [change, when, by];

/** The columns of a list in which an entry of an import stands for all of them. */
export const foldedColumns: readonly Column<NamedEntry>[] = [
  {
    ...change,
    cell: (entry) =>
      entry.batchId === undefined ? (
        <EntryDetails of={entry} />
      ) : (
        <span class="entry">
          Changed the stock by <BatchLink id={entry.batchId} />
        </span>
      ),
  },
  when,
  by,
];
