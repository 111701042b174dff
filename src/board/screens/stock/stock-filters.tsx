import type { JSX } from 'preact';
import { useCategoryChoices } from '../../parts/forms/category-field.js';
import { Filters, SelectFilter, TextFilter, Toggles } from '../../parts/lists/filters.js';
import { pageInput } from '../../parts/lists/pages.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';
import { may } from '../../state/session.js';

type Input = InputOf<'listInventory'>;

/** What part of the stock is shown: the parameter of the address, its value, and what it asks for. */
const parts: readonly { readonly label: string; readonly name: 'status' | 'low' | 'short'; readonly value: string; readonly input: Partial<Input> }[] = [
  { label: 'Available', name: 'status', value: 'available', input: { status: ['available'] } },
  { label: 'Low', name: 'low', value: 'true', input: { low: true } },
  { label: 'Short', name: 'short', value: 'true', input: { short: true } },
  { label: 'Pending', name: 'status', value: 'pending', input: { status: ['pending'] } },
  { label: 'Sold', name: 'status', value: 'sold', input: { status: ['sold'] } },
];

function chosenPart(): (typeof parts)[number] | undefined {
  return parts.find(({ name, value }) => queryValue(name) === value);
}

/** The list that the address asks for. */
export function stockInput(): Input {
  const category = queryValue('category');
  return { ...pageInput(), q: queryValue('q'), categoryId: category === undefined ? undefined : [Number(category)], ...chosenPart()?.input };
}

function CategoryFilter(): JSX.Element {
  return <SelectFilter label="Category" name="category" choices={useCategoryChoices()} />;
}

/** The filters of the list, which are kept in the address. */
export function StockFilters(): JSX.Element {
  const chosen = chosenPart();
  const none = { status: undefined, low: undefined, short: undefined };
  const choices = [
    { label: 'All', sets: none, isOn: chosen === undefined },
    ...parts.map((part) => ({ label: part.label, sets: { ...none, [part.name]: part.value }, isOn: part === chosen })),
  ];
  return (
    <Filters>
      <TextFilter label="Search by name or code" name="q" isSearch />
      {may('listCategories') && <CategoryFilter />}
      <Toggles label="Show" choices={choices} />
    </Filters>
  );
}
