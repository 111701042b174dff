import type { JSX } from 'preact';
import { useCategoryChoices } from '../../parts/forms/category-choices.js';
import { DayFilter, Filters, SelectFilter, TextFilter, ToggleFilter } from '../../parts/lists/filters.js';
import { pageInput } from '../../parts/lists/pages.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

const statuses = ['available', 'pending', 'sold'] as const;

/** The day of the past that is asked for, such as 2026-11-20. */
export function pastDay(): string | undefined {
  return queryValue('at');
}

/** The list that the address asks for. The shop has statuses and low levels only for the present. */
export function stockInput(): InputOf<'listInventory'> {
  const at = pastDay();
  const status = statuses.find((one) => one === queryValue('status'));
  const category = queryValue('category');
  return {
    ...pageInput(),
    q: queryValue('q'),
    categoryId: category === undefined ? undefined : [Number(category)],
    ...(at === undefined ? { status: status && [status], low: queryValue('low') === 'true', short: queryValue('short') === 'true' } : { at, tz: timeZone }),
  };
}

function CategoryFilter(): JSX.Element {
  return <SelectFilter label="Category" name="category" choices={useCategoryChoices()} />;
}

/** The filters of the list, which are kept in the address. */
export function StockFilters(): JSX.Element {
  const isPresent = pastDay() === undefined;
  return (
    <Filters>
      <TextFilter label="Search by name" name="q" isSearch />
      {may('listCategories') && <CategoryFilter />}
      {isPresent && <SelectFilter label="Status" name="status" choices={statuses.map((value) => ({ value, label: value }))} />}
      <DayFilter label="As of the end of" name="at" max={dayOf(now())} />
      {isPresent && (
        <>
          <ToggleFilter label="Low" name="low" />
          <ToggleFilter label="Short" name="short" />
        </>
      )}
    </Filters>
  );
}
