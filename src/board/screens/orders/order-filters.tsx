import type { JSX } from 'preact';
import { DayFilter, Filters } from '../../parts/filters.js';
import { pageSize } from '../../parts/pages.js';
import { PetFilter } from '../../parts/pet-filter.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import type { InputOf } from '../../state/contract.js';
import { hrefWith, queryValue } from '../../state/router.js';

type Input = InputOf<'listOrders'>;

interface StateFilter {
  readonly label: string;
  /** What the list says when there is none. */
  readonly empty: string;
  readonly input: () => Partial<Input>;
}

const open = { complete: false, draft: false, sort: 'shipDate' } as const;

/** The filters by state, by their value in the address. */
const states: Readonly<Record<string, StateFilter>> = {
  '': { label: 'All', empty: 'No order matches.', input: () => ({ sort: '-id' }) },
  open: { label: 'Open', empty: 'No order is open.', input: () => open },
  due: { label: 'Due today', empty: 'No order is due today.', input: () => ({ ...open, overdue: false, shipDateTo: dayOf(now()) }) },
  overdue: { label: 'Overdue', empty: 'No order is overdue.', input: () => ({ ...open, overdue: true }) },
  draft: { label: 'Drafts', empty: 'There is no draft.', input: () => ({ complete: false, draft: true, sort: '-id' }) },
  complete: { label: 'Complete', empty: 'No order is complete.', input: () => ({ complete: true, sort: '-id' }) },
};

function chosenState(): StateFilter | undefined {
  return states[queryValue('state') ?? ''];
}

/** The first of the days at or before both, of which one may be missing. */
function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one !== undefined && other !== undefined && other < one ? other : (one ?? other);
}

/** The list that the address asks for. */
export function ordersInput(): Input {
  const { shipDateTo, ...input } = chosenState()?.input() ?? {};
  const pet = Number(queryValue('pet'));
  return {
    limit: pageSize,
    count: true,
    cursor: queryValue('cursor'),
    ...input,
    petId: pet > 0 ? [pet] : undefined,
    shipDateFrom: queryValue('from'),
    shipDateTo: earlier(shipDateTo, queryValue('to')),
    tz: timeZone,
  };
}

/** What the list says when there is no such order. */
export function emptyText(): string {
  const hasOthers = ['pet', 'from', 'to'].some((name) => queryValue(name) !== undefined);
  return hasOthers ? 'No order matches.' : (chosenState()?.empty ?? 'No order matches.');
}

/** The filters of the list, which are kept in the address. */
export function OrderFilters(): JSX.Element {
  const chosen = queryValue('state') ?? '';
  return (
    <Filters>
      <ul class="toggles" aria-label="State">
        {Object.entries(states).map(([state, { label }]) => (
          <li key={state}>
            <a class="toggle" aria-current={chosen === state} href={hrefWith({ state })}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      <PetFilter />
      <DayFilter label="Ships from" name="from" />
      <DayFilter label="Ships to" name="to" />
    </Filters>
  );
}
