import type { JSX } from 'preact';
import type { NamedEntry } from '../../state/server/ledger.js';
import { Name } from '../name.js';
import { EntryText } from './entry-text.js';
import { FormerValues } from './former-values.js';

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
