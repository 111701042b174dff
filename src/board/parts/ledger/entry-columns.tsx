import type { NamedEntry } from '../../state/server/ledger.js';
import type { Column } from '../lists/table.js';
import { Time } from '../time.js';
import { EntryDetails } from './entry-details.js';

/** The columns of a list of ledger entries. */
export const entryColumns: readonly Column<NamedEntry>[] = [
  { heading: 'Change', cell: (entry) => <EntryDetails of={entry} />, isHead: true },
  { heading: 'When', cell: ({ at }) => <Time at={at} /> },
  { heading: 'Entry', cell: ({ id }) => id, isNumber: true },
];
