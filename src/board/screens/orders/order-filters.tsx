import type { JSX } from 'preact';
import { DayFilter, Filters, Toggles } from '../../parts/lists/filters.js';
import { pageInput } from '../../parts/lists/pages.js';
import { PetFilter } from '../../parts/lists/pet-filter.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';

type Input = InputOf<'listOrders'>;

const open = { complete: false, draft: false, sort: 'shipDate' } as const;

/** The filters by state, in their order on the screen: the value in the address, and what each asks for. */
const states: readonly { readonly label: string; readonly value?: string; readonly input?: () => Partial<Input> }[] = [
  { label: 'All' },
  { label: 'Open', value: 'open', input: () => open },
  { label: 'Due today', value: 'due', input: () => ({ ...open, overdue: false, shipDateTo: dayOf(now()) }) },
  { label: 'Overdue', value: 'overdue', input: () => ({ ...open, overdue: true }) },
  { label: 'Drafts', value: 'draft', input: () => ({ complete: false, draft: true }) },
  { label: 'Complete', value: 'complete', input: () => ({ complete: true }) },
];

/** The first of the days at or before both, of which one may be missing. */
function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one !== undefined && other !== undefined && other < one ? other : (one ?? other);
}

/** The list that the address asks for. */
export function ordersInput(): Input {
  const { shipDateTo, ...input } = states.find(({ value }) => value === queryValue('state'))?.input?.() ?? {};
  const pet = Number(queryValue('pet'));
  return {
    ...pageInput(),
    sort: '-id',
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
