import type { JSX } from 'preact';
import type { LedgerKind } from '../../../domain/ledger/ledger-entry.js';
import { entryKinds } from '../../parts/ledger/entry-text.js';
import { SelectFilter, DayFilter, Filters, TextFilter } from '../../parts/lists/filters.js';
import { pageSize } from '../../parts/lists/pages.js';
import { PetFilter } from '../../parts/lists/pet-filter.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';

/** What can be asked for: a kind of entries, or with a full stop at its end all kinds about one thing. */
const kindLabels = {
  sale: 'Sales',
  return: 'Returns',
  count: 'Pets counted',
  adjust: 'Received and written off',
  undo: 'Undos',
  opening: 'Pets added',
  'pet.': 'Pets changed',
  'code.': 'Codes',
  'order.': 'Orders',
  'inventory.': 'Pets that became low, or no longer are',
  'category.': 'Categories',
  'count.': 'Counts',
  'shop.': 'The shop',
} as const;

const asked = Object.entries(kindLabels).map(([value, label]) => ({ value, label }));

/** The kinds that the address names; undefined for all. */
function askedKinds(): LedgerKind[] | undefined {
  const value = queryValue('kind') ?? '';
  const found = entryKinds.filter((kind) => kind === value || (value.endsWith('.') && kind.startsWith(value)));
  return found.length > 0 ? found : undefined;
}

/** The entries that the address asks for, newest first. */
export function ledgerInput(): InputOf<'listLedger'> {
  const pet = queryValue('pet');
  return {
    limit: pageSize,
    sort: '-id',
    names: true,
    cursor: queryValue('cursor'),
    petId: pet === undefined ? undefined : [Number(pet)],
    kind: askedKinds(),
    actor: queryValue('actor'),
    since: queryValue('since'),
    tz: timeZone,
  };
}

/** The filters of the ledger, which are kept in the address. */
export function LedgerFilters(): JSX.Element {
  return (
    <Filters>
      <SelectFilter label="What" name="kind" choices={asked} />
      <PetFilter />
      <TextFilter label="By" name="actor" />
      <DayFilter label="Since" name="since" max={dayOf(now())} />
    </Filters>
  );
}
