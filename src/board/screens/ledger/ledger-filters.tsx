import type { JSX } from 'preact';
import type { LedgerKind } from '../../../domain/ledger/ledger-entry.js';
import { SelectFilter, DayFilter, Filters, TextFilter } from '../../parts/lists/filters.js';
import { pageSize } from '../../parts/lists/pages.js';
import { PetFilter } from '../../parts/lists/pet-filter.js';
import { dayOf } from '../../parts/time.js';
import { now, timeZone } from '../../state/clock.js';
import { queryValue } from '../../state/router.js';
import type { InputOf } from '../../state/server/contract.js';

const kindLabels: { readonly [Kind in LedgerKind]: string } = {
  sale: 'Sales',
  return: 'Returns',
  count: 'Pets counted',
  adjust: 'Received and written off',
  undo: 'Undos',
  opening: 'Pets added',
  'pet.updated': 'Pets changed',
  'pet.held': 'Pets put on hold',
  'pet.released': 'Pets released',
  'pet.archived': 'Pets deleted',
  'pet.restored': 'Pets restored',
  'code.added': 'Codes added',
  'code.removed': 'Codes removed',
  'order.placed': 'Orders placed',
  'order.updated': 'Orders changed',
  'order.cancelled': 'Orders cancelled',
  'order.restored': 'Orders restored',
  'inventory.low': 'Pets that became low',
  'inventory.restocked': 'Pets no longer low',
  'category.created': 'Categories created',
  'category.updated': 'Categories changed',
  'category.archived': 'Categories deleted',
  'category.restored': 'Categories restored',
  'count.started': 'Counts started',
  'count.closed': 'Counts closed',
  'count.cancelled': 'Counts cancelled',
  'shop.updated': 'Settings of the shop',
  'shop.restored': 'Backups restored',
};

const kinds = Object.keys(kindLabels) as readonly LedgerKind[];

/** The entries that the address asks for, newest first. */
export function ledgerInput(): InputOf<'listLedger'> & { readonly limit: number } {
  const pet = queryValue('pet');
  const kind = kinds.find((one) => one === queryValue('kind'));
  return {
    limit: pageSize,
    sort: '-id',
    cursor: queryValue('cursor'),
    petId: pet === undefined ? undefined : [Number(pet)],
    kind: kind && [kind],
    actor: queryValue('actor'),
    since: queryValue('since'),
    tz: timeZone,
  };
}

/** The filters of the ledger, which are kept in the address. */
export function LedgerFilters(): JSX.Element {
  return (
    <Filters>
      <SelectFilter label="What" name="kind" choices={kinds.map((value) => ({ value, label: kindLabels[value] }))} />
      <PetFilter />
      <TextFilter label="By" name="actor" />
      <DayFilter label="Since" name="since" max={dayOf(now())} />
    </Filters>
  );
}
