import type { NamedEntry } from '../../../domain/ledger/named-entry.js';
import type { Page } from '../../../domain/values/pages.js';
import { may } from '../session.js';
import { call } from './call.js';
import type { InputOf, RowOf } from './contract.js';

const mostIds = 100;
const mostCategories = 500;

async function petNames(entries: readonly RowOf<'listLedger'>[], signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(entries.flatMap(({ petId }) => petId ?? []))];
  if (ids.length === 0 || !may('listPets')) return new Map();
  const { items } = await call('listPets', { id: ids.slice(0, mostIds), limit: mostIds }, { signal });
  return new Map(items.map(({ id, name }) => [id, name]));
}

async function categoryNames(isNeeded: boolean, signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  if (!isNeeded || !may('listCategories')) return new Map();
  const { items } = await call('listCategories', { limit: mostCategories }, { signal });
  return new Map(items.map(({ id, name }) => [id, name]));
}

const nameIn = (names: ReadonlyMap<number, string>, id: number | undefined): string | undefined => (id === undefined ? undefined : names.get(id));

/** Reads a page of the ledger, and the names of its pets and categories. */
export async function readLedger(input: InputOf<'listLedger'> & { readonly limit: number }, signal: AbortSignal): Promise<Page<NamedEntry>> {
  const page = await call('listLedger', input, { signal });
  const names = await petNames(page.items, signal);
  const categories = await categoryNames(
    page.items.some(({ categoryId }) => categoryId !== undefined),
    signal,
  );
  return {
    ...page,
    items: page.items.map((entry) => ({ ...entry, petName: nameIn(names, entry.petId), categoryName: nameIn(categories, entry.categoryId) })),
  };
}
