import type { JSX } from 'preact';
import { useCategoryChoices } from '../../parts/forms/category-field.js';
import { Filters, SelectFilter, TextFilter, Toggles } from '../../parts/lists/filters.js';
import { pageInput } from '../../parts/lists/pages.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

type Input = InputOf<'listInventory'>;

/** The parts of the stock that can be shown, and what each asks for. */
const parts: readonly { readonly label: string; readonly value?: string; readonly input?: Partial<Input> }[] = [
  { label: 'All' },
  { label: 'Available', value: 'available', input: { status: ['available'] } },
  { label: 'Low', value: 'low', input: { low: true } },
  { label: 'Short', value: 'short', input: { short: true } },
  { label: 'Pending', value: 'pending', input: { status: ['pending'] } },
  { label: 'Sold', value: 'sold', input: { status: ['sold'] } },
];

/** The list that the address asks for. */
export function stockInput(): Input {
  const category = queryValue('category');
  return {
    ...pageInput(),
    q: queryValue('q'),
    categoryId: category === undefined ? undefined : [Number(category)],
    ...parts.find(({ value }) => value === queryValue('show'))?.input,
  };
}

function CategoryFilter(): JSX.Element {
  return <SelectFilter label="Category" name="category" choices={useCategoryChoices()} />;
}

/** The filters of the list, which are kept in the address. */
export function StockFilters(): JSX.Element {
  return (
    <Filters>
      <TextFilter label="Search by name, ID or code" name="q" isSearch />
      {may('listCategories') && <CategoryFilter />}
      <Toggles label="Show" name="show" choices={parts} />
    </Filters>
  );
}
