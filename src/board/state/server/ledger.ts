import type { Page } from '../../../domain/values/pages.js';
import { may } from '../session.js';
import { call } from './call.js';
import type { InputOf, RowOf } from './contract.js';

/** An entry of the ledger with the name of its pet; a deleted pet has none. */
export interface NamedEntry extends RowOf<'listLedger'> {
  readonly petName?: string | undefined;
  readonly categoryName?: string | undefined;
}

const mostIds = 100;
const mostCategories = 500;

async function petNames(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0 || !may('listPets')) return new Map();
  const { items } = await call('listPets', { id: [...ids], limit: mostIds }, { signal });
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
  const ids = [...new Set(page.items.flatMap(({ petId }) => petId ?? []))];
  const names = await petNames(ids.slice(0, mostIds), signal);
  const categories = await categoryNames(
    page.items.some(({ categoryId }) => categoryId !== undefined),
    signal,
  );
  return {
    ...page,
    items: page.items.map((entry) => ({ ...entry, petName: nameIn(names, entry.petId), categoryName: nameIn(categories, entry.categoryId) })),
  };
}
