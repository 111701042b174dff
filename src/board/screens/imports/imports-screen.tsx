import type { JSX } from 'preact';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageInput } from '../../parts/lists/pages.js';
import type { Column } from '../../parts/lists/table.js';
import { BatchLink, Name } from '../../parts/name.js';
import { Panel, Screen } from '../../parts/screen.js';
import { Status } from '../../parts/status.js';
import { inertText, numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useCall } from '../../state/live/loaded.js';
import type { RowOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';
import { ImportPanel } from './import-panel.js';

const columns: readonly Column<RowOf<'listBatches'>>[] = [
  { heading: 'Batch', cell: ({ id }) => <BatchLink id={id} />, isHead: true },
  { heading: 'File', cell: ({ fileName }) => fileName !== undefined && <Name of={fileName} />, onPhone: 'line' },
  { heading: 'Kind', cell: ({ kind }) => kind },
  { heading: 'Rows', cell: ({ total }) => numberText(total), isNumber: true, onPhone: 'none' },
  { heading: 'Applied', cell: ({ applied }) => numberText(applied), isNumber: true },
  { heading: 'Unchanged', cell: ({ unchanged }) => numberText(unchanged), isNumber: true, onPhone: 'none' },
  { heading: 'Refused', cell: ({ rejected }) => numberText(rejected), isNumber: true },
  { heading: 'When', cell: ({ at }) => <Time at={at} /> },
  { heading: 'By', cell: ({ actor }) => <bdi>{inertText(actor)}</bdi> },
  { heading: 'State', cell: ({ state }) => <Status of={state} />, onPhone: 'corner' },
];

/** The imports of the shop, newest first. */
function ImportList(): JSX.Element {
  const imports = useCall('listBatches', { sort: '-id', ...pageInput() });
  return (
    <Panel title="Imports so far">
      <PagedTable of={imports} caption="Imports" columns={columns} rowKey={({ id }) => id} noun="import" empty="No file was imported yet." />
    </Panel>
  );
}

/** The screen Imports. */
export function ImportsScreen(): JSX.Element {
  return (
    <Screen title="Imports">
      <div class="panels">
        {(may('importInventory') || may('importPets')) && <ImportPanel />}
        <ImportList />
      </div>
    </Screen>
  );
}
