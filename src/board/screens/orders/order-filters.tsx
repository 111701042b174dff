import type { JSX } from 'preact';
import { DayFilter, Filters, Toggles } from '../../parts/lists/filters.js';
import { pageInput } from '../../parts/lists/pages.js';
import { PetFilter } from '../../parts/lists/pet-filter.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';

type Input = InputOf<'listOrders'>;

interface StateFilter {
  /** Its value in the address; none for all orders. */
  readonly value?: string;
  readonly label: string;
  readonly input: () => Partial<Input>;
}

const open = { complete: false, draft: false, sort: 'shipDate' } as const;

const all: StateFilter = { label: 'All', input: () => ({ sort: '-id' }) };

/** The filters by state, in their order on the screen. */
const states: readonly StateFilter[] = [
  all,
  { value: 'open', label: 'Open', input: () => open },
  { value: 'due', label: 'Due today', input: () => ({ ...open, overdue: false, shipDateTo: dayOf(now()) }) },
  { value: 'overdue', label: 'Overdue', input: () => ({ ...open, overdue: true }) },
  { value: 'draft', label: 'Drafts', input: () => ({ complete: false, draft: true, sort: '-id' }) },
  { value: 'complete', label: 'Complete', input: () => ({ complete: true, sort: '-id' }) },
];

/** The filter that the address names; all orders for a state that does not exist. */
function chosenState(): StateFilter {
  const chosen = queryValue('state');
  return states.find(({ value }) => value === chosen) ?? all;
}

/** The first of the days at or before both, of which one may be missing. */
function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one !== undefined && other !== undefined && other < one ? other : (one ?? other);
}

/** The list that the address asks for. */
export function ordersInput(): Input {
  const { shipDateTo, ...input } = chosenState().input();
  const pet = Number(queryValue('pet'));
  return {
    ...pageInput(),
    ...input,
    petId: pet > 0 ? [pet] : undefined,
    shipDateFrom: queryValue('from'),
    shipDateTo: earlier(shipDateTo, queryValue('to')),
    tz: timeZone,
  };
}

/** The filters of the list, which are kept in the address. */
export function OrderFilters(): JSX.Element {
  return (
    <Filters>
      <Toggles label="State" name="state" choices={states} />
      <PetFilter />
      <DayFilter label="Ship date from" name="from" />
      <DayFilter label="Ship date to" name="to" />
    </Filters>
  );
}
