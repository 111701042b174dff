import type { JSX } from 'preact';
import { Filters, TextFilter, Toggles } from '../../parts/lists/filters.js';
import { PagedTable } from '../../parts/lists/paged-table.js';
import { pageInput } from '../../parts/lists/pages.js';
import type { Column } from '../../parts/lists/table.js';
import { Name, PetLink } from '../../parts/name.js';
import { Panel } from '../../parts/screen.js';
import { numberText, signedText } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { useCall } from '../../state/live/loaded.js';
import { queryValue } from '../../state/router.js';
import { showsExpected, type Count, type CountPet } from './count-text.js';

const stateLabels = { 'not-counted': 'Not counted', counted: 'Counted', agreeing: 'Agreeing', differing: 'Differing' } as const;
type PetState = keyof typeof stateLabels;
const states = Object.keys(stateLabels) as readonly PetState[];

const number = (value: number | undefined): string => (value === undefined ? '' : numberText(value));

const columns: readonly Column<CountPet>[] = [
  { heading: 'Pet', cell: ({ petId, name }) => <PetLink id={petId} name={name} />, isHead: true },
  { heading: 'ID', cell: ({ petId }) => petId, isNumber: true },
  { heading: 'Category', cell: ({ category }) => <Name of={category} />, onPhone: 'line' },
  { heading: 'Counted', cell: ({ counted }) => (counted === undefined ? '–' : numberText(counted)), isNumber: true },
];

const figureColumns: readonly Column<CountPet>[] = [
  { heading: 'Expected', cell: ({ expected }) => number(expected), isNumber: true },
  { heading: 'Difference', cell: ({ difference }) => difference !== undefined && signedText(difference), isNumber: true },
  { heading: 'On hand now', cell: ({ onHand }) => number(onHand), isNumber: true },
];

const by: Column<CountPet> = {
  heading: 'By',
  cell: ({ countedBy, countedAt }) =>
    countedBy !== undefined &&
    countedAt !== undefined && (
      <>
        <Name of={countedBy} />, <Time at={countedAt} />
      </>
    ),
};

/** The pets of a count: what is left to count, and what was found. */
export function CountPets({ of: count }: { readonly of: Count }): JSX.Element {
  const isExpectedShown = showsExpected(count);
  const state = states.find((one) => one === queryValue('state'));
  const pets = useCall('listCountPets', { countId: count.id, state, q: queryValue('q'), ...pageInput() });
  const offered = isExpectedShown ? states : states.slice(0, 2);
  const choices = [{ label: 'All' }, ...offered.map((one) => ({ value: one, label: stateLabels[one] }))];
  return (
    <Panel title="Pets">
      <Filters>
        <TextFilter label="Search by name, ID or code" name="q" isSearch />
        <Toggles label="State" name="state" choices={choices} />
      </Filters>
      <PagedTable
        of={pets}
        caption="Pets"
        columns={[...columns, ...(isExpectedShown ? figureColumns : []), by]}
        rowKey={({ petId }) => petId}
        noun="pet"
        empty="No pet matches."
      />
    </Panel>
  );
}
