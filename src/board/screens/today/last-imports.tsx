import type { JSX } from 'preact';
import { Table, type Column } from '../../parts/lists/table.js';
import { BatchLink, Name } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { Status } from '../../parts/status.js';
import { numberText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { href } from '../../state/router.js';
import type { AnswerOf } from '../../state/server/contract.js';

type Batch = AnswerOf<'getSummary'>['lastBatches'][number];

const columns: readonly Column<Batch>[] = [
  { heading: 'Batch', cell: ({ id }) => <BatchLink id={id} />, isHead: true },
  { heading: 'File', cell: ({ fileName, kind }) => <Name of={fileName ?? kind} />, onPhone: 'line' },
  { heading: 'Applied', cell: ({ applied }) => numberText(applied), isNumber: true },
  { heading: 'Refused', cell: ({ rejected }) => numberText(rejected), isNumber: true },
  { heading: 'When', cell: ({ at }) => <Time at={at} /> },
  { heading: 'State', cell: ({ state }) => <Status of={state} />, onPhone: 'corner' },
];

/** The last bulk imports. */
export function LastImports({ of }: { readonly of: readonly Batch[] }): JSX.Element {
  return (
    <Panel title="Last imports" aside={<a href={href('/imports')}>All imports</a>}>
      <Table caption="Last imports" isCaptionHidden columns={columns} rows={of} rowKey={({ id }) => id} empty="No file was imported yet." />
    </Panel>
  );
}
