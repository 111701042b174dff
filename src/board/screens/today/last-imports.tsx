import type { JSX } from 'preact';
import { Table, type Column } from '../../parts/lists/table.js';
import { BatchLink, Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useCall } from '../../state/live/loaded.js';
import { href } from '../../state/router.js';
import type { RowOf } from '../../state/server/contract.js';

type Batch = RowOf<'listBatches'>;

const shownImports = 5;

const columns: readonly Column<Batch>[] = [
  { heading: 'Batch', cell: ({ id }) => <BatchLink id={id} />, isHead: true },
  { heading: 'File', cell: ({ fileName, kind }) => <Name of={fileName ?? kind} />, onPhone: 'line' },
  { heading: 'Applied', cell: ({ applied }) => numberText(applied), isNumber: true },
  { heading: 'Refused', cell: ({ rejected }) => numberText(rejected), isNumber: true },
  { heading: 'When', cell: ({ at }) => <Time at={at} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} />, onPhone: 'corner' },
];

/** The last bulk imports. */
export function LastImports(): JSX.Element {
  const imports = useCall('listBatches', { sort: '-id', limit: shownImports });
  return (
    <Panel title="Last imports" aside={<a href={href('/imports')}>All imports</a>}>
      <Shown of={imports}>
        {({ items }) => (
          <Table caption="Last imports" isCaptionHidden columns={columns} rows={items} rowKey={({ id }) => id} empty="No file was imported yet." />
        )}
      </Shown>
    </Panel>
  );
}
