import type { JSX } from 'preact';
import { foldedColumns } from '../../parts/ledger/entry-columns.js';
import { Table } from '../../parts/lists/table.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { useLoaded } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import { readLedger, type NamedEntry } from '../../state/server/ledger.js';

const shownEntries = 12;

/** The changes with one line for each import: its first entry stands for all that follow it. */
function foldBatches(entries: readonly NamedEntry[]): readonly NamedEntry[] {
  return entries.filter(({ batchId }, index) => batchId === undefined || entries[index - 1]?.batchId !== batchId);
}

/** The newest entries of the ledger, as they are written. */
export function LastChanges(): JSX.Element {
  const changes = useLoaded((signal) => readLedger({ sort: '-id', limit: shownEntries }, signal), 'last changes');
  return (
    <Panel title="Last changes" aside={<a href={href('/ledger')}>Ledger</a>}>
      <Shown of={changes}>
        {({ items }) => (
          <Table
            caption="Last changes"
            isCaptionHidden
            columns={foldedColumns}
            rows={foldBatches(items)}
            rowKey={({ id }) => id}
            empty="Nothing has happened yet."
          />
        )}
      </Shown>
    </Panel>
  );
}
