import type { ComponentChildren, JSX } from 'preact';
import type { NamedEntry } from '../../state/server/ledger.js';
import { BatchLink } from '../name.js';
import { inertText } from '../text.js';
import { Time } from '../time.js';
import { EntryDetails } from './entry-details.js';

interface EntryListProps {
  readonly of: readonly NamedEntry[];
  readonly empty: ComponentChildren;
  /** Whether an entry of an import stands for all of them. */
  readonly areBatchesFolded?: boolean;
}

/** Entries of the ledger as a list of sentences. */
export function EntryList({ of, empty, areBatchesFolded = false }: EntryListProps): JSX.Element {
  if (of.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ol class="changes">
      {of.map((entry) => (
        <li key={entry.id}>
          <Time at={entry.at} />
          <span>
            {areBatchesFolded && entry.batchId !== undefined ? (
              <>
                Changed the stock by <BatchLink id={entry.batchId} />
              </>
            ) : (
              <EntryDetails of={entry} />
            )}
          </span>
          <span class="actor">{inertText(entry.actor)}</span>
        </li>
      ))}
    </ol>
  );
}
