import type { ComponentChildren, JSX } from 'preact';
import type { NamedEntry } from '../state/ledger.js';
import { EntryText } from './entry-text.js';
import { Name } from './name.js';
import { inertText } from './text.js';
import { Time } from './time.js';

/** Entries of the ledger as a list of sentences. */
export function Changes({ of, empty }: { readonly of: readonly NamedEntry[]; readonly empty: ComponentChildren }): JSX.Element {
  if (of.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ol class="changes">
      {of.map((entry) => (
        <li key={entry.id}>
          <Time at={entry.at} />
          <span>
            <EntryText of={entry} />
            {entry.note !== undefined && (
              <q class="note">
                <Name of={entry.note} />
              </q>
            )}
          </span>
          <span class="actor">{inertText(entry.actor)}</span>
        </li>
      ))}
    </ol>
  );
}
