import type { JSX } from 'preact';
import type { Batch } from '../../../domain/imports/batch.js';
import { rowsText } from '../../../domain/ledger/change-text.js';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { fieldLabels } from '../../../domain/ledger/field-labels.js';
import type { Column } from '../lists/table.js';
import { BatchLink, Name } from '../name.js';
import { countText, inertText, numberText } from '../text.js';
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

/** What an import of each kind did to so many rows. */
const done: Readonly<Record<Batch['kind'], (rows: number) => string>> = {
  stock: (rows) => `Changed the stock in ${countText(rows, 'row')}`,
  pets: (rows) => `Created ${countText(rows, 'pet')}`,
  codes: (rows) => `Added ${countText(rows, 'code')}`,
  count: (rows) => `Changed the stock of ${countText(rows, 'pet')}`,
};

function BatchText({ id, of, isUndo }: { readonly id: number; readonly of: Batch | undefined; readonly isUndo: boolean }): JSX.Element {
  return (
    <>
      <span class="entry">
        {isUndo ? 'Undid' : `${of === undefined ? 'Changed the shop' : done[of.kind](of.applied)} by`} <BatchLink id={id} />
      </span>
      {of !== undefined && of.applied !== of.total && <span class="note">{rowsText(of)}</span>}
    </>
  );
}

/** The columns of a list in which an entry of an import stands for all of them; `batches` are the last imports. */
export const foldedColumns = (batches: readonly Batch[]): readonly Column<NamedEntry>[] => [
  {
    ...change,
    cell: (entry) => {
      const { batchId: id, reverses } = entry;
      if (id === undefined) return <EntryDetails of={entry} />;
      return <BatchText id={id} of={batches.find((one) => one.id === id)} isUndo={reverses !== undefined} />;
    },
  },
  when,
  by,
];
