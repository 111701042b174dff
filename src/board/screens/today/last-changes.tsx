import type { JSX } from 'preact';
import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import { foldedColumns } from '../../parts/ledger/entry-columns.js';
import { Table } from '../../parts/lists/table.js';
import { Panel } from '../../parts/screen.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';

/** The changes with one line for each import: its first entry stands for all that follow it. */
function foldBatches(entries: readonly NamedEntry[]): readonly NamedEntry[] {
  return entries.filter(({ batchId }, index) => batchId === undefined || entries[index - 1]?.batchId !== batchId);
}

/** The newest entries of the ledger, as they are written. */
export function LastChanges({ of: { lastEntries = [] } }: { readonly of: AnswerOf<'getSummary'> }): JSX.Element {
  return (
    <Panel title="Last changes" aside={<a href={href('/ledger')}>Ledger</a>}>
      <Table
        caption="Last changes"
        isCaptionHidden
        columns={foldedColumns}
        rows={foldBatches(lastEntries)}
        rowKey={({ id }) => id}
        empty="Nothing has happened yet."
      />
    </Panel>
  );
}
