import type { JSX } from 'preact';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageInput } from '../../parts/lists/pages.js';
import type { Column } from '../../parts/lists/table.js';
import { PetLink } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { inertText, numberText, signedText } from '../../parts/text.js';
import { useCall } from '../../state/live/loaded.js';
import type { InputOf, RowOf } from '../../state/server/contract.js';

const columns: readonly Column<RowOf<'previewCount'>>[] = [
  { heading: 'Pet', cell: ({ petId, name }) => <PetLink id={petId} name={name} />, isHead: true },
  {
    heading: 'Problem',
    cell: ({ problem }) => problem && <span class="refusal">{inertText(problem.message)}</span>,
    onPhone: 'line',
  },
  { heading: 'Counted', cell: ({ counted }) => numberText(counted), isNumber: true },
  { heading: 'Expected', cell: ({ expected }) => numberText(expected), isNumber: true },
  { heading: 'Change', cell: ({ difference }) => signedText(difference), isNumber: true },
  { heading: 'On hand now', cell: ({ before }) => before !== undefined && numberText(before), isNumber: true },
  { heading: 'After', cell: ({ after }) => after !== undefined && numberText(after), isNumber: true },
];

/** What closing a count would change, and what it could not. */
export function CountChanges(policy: Pick<InputOf<'previewCount'>, 'countId' | 'missing' | 'allowShortage'>): JSX.Element {
  const changes = useCall('previewCount', { ...policy, ...pageInput() });
  return (
    <Panel title="What would change">
      <PagedTable
        of={changes}
        caption="What would change"
        columns={columns}
        rowKey={({ petId }) => petId}
        noun="pet"
        empty="Nothing would change: what was counted agrees with the stock."
      />
    </Panel>
  );
}
