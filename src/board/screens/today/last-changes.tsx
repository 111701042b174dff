import type { JSX } from 'preact';
import { EntryList } from '../../parts/ledger/entry-list.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { useLoaded } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import { readLedger } from '../../state/server/ledger.js';

const shownEntries = 12;

/** The newest entries of the ledger, as they are written. */
export function LastChanges(): JSX.Element {
  const changes = useLoaded((signal) => readLedger({ sort: '-id', limit: shownEntries }, signal), 'last changes');
  return (
    <Panel title="Last changes" aside={<a href={href('/ledger')}>Ledger</a>}>
      <Shown of={changes}>{({ items }) => <EntryList of={items} empty="Nothing has happened yet." />}</Shown>
    </Panel>
  );
}
