import type { JSX } from 'preact';
import { EntryText } from '../../parts/entry-text.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { inertText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { readLedger } from '../../state/ledger.js';
import { useLoaded } from '../../state/loaded.js';
import { href } from '../../state/router.js';

const shownEntries = 12;

/** The newest entries of the ledger, as they are written. */
export function LastChanges(): JSX.Element {
  const changes = useLoaded((signal) => readLedger({ sort: '-id', limit: shownEntries }, signal), 'last changes');
  return (
    <Panel title="Last changes" aside={<a href={href('/ledger')}>Ledger</a>}>
      <Shown of={changes}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">Nothing has happened yet.</p>
          ) : (
            <ol class="changes">
              {items.map((entry) => (
                <li key={entry.id}>
                  <Time at={entry.at} />
                  <EntryText of={entry} />
                  <span class="actor">{inertText(entry.actor)}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
    </Panel>
  );
}
