import type { JSX } from 'preact';
import { Changes } from '../../parts/changes.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { readLedger } from '../../state/ledger.js';
import { useLoaded } from '../../state/loaded.js';
import { href } from '../../state/router.js';

const shownEntries = 12;

/** The newest entries of the ledger, as they are written. */
export function LastChanges(): JSX.Element {
  const changes = useLoaded((signal) => readLedger({ sort: '-id', limit: shownEntries }, signal), 'last changes');
  return (
    <Panel title="Last changes" aside={<a href={href('/ledger')}>Ledger</a>}>
      <Shown of={changes}>{({ items }) => <Changes of={items} empty="Nothing has happened yet." />}</Shown>
    </Panel>
  );
}
