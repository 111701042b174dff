import type { JSX } from 'preact';
import { pageSize, Pages } from '../../parts/lists/pages.js';
import { Table, type Column } from '../../parts/lists/table.js';
import { PetLink } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { Shown } from '../../parts/shown.js';
import { inertText, numberText, signedText } from '../../parts/text.js';
import { useCall } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
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
  const changes = useCall('previewCount', { ...policy, limit: pageSize, count: true, cursor: queryValue('cursor') });
  return (
    <Panel title="What would change">
      <Shown of={changes}>
        {(page) => (
          <>
            <Table
              caption="What would change"
              isCaptionHidden
              columns={columns}
              rows={page.items}
              rowKey={({ petId }) => petId}
              empty="Nothing would change: what was counted agrees with the stock."
            />
            <Pages page={page} noun="pet" />
          </>
        )}
      </Shown>
    </Panel>
  );
}
