import type { Page } from '../../../domain/values/pages.js';
import { presentMinute } from '../live/minutes.js';
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

/** Names of pets that were read in this minute: each change of the shop would read the same ones again. */
const known = new Map<number, string>();
let knownSince = presentMinute.peek();

async function petNames(entries: readonly RowOf<'listLedger'>[], signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  if (!may('listPets')) return new Map();
  if (knownSince !== presentMinute.peek()) known.clear();
  knownSince = presentMinute.peek();
  // A pet that the entries change may have another name by now.
  for (const { petId = 0, kind } of entries) if (kind.startsWith('pet.')) known.delete(petId);
  const ids = [...new Set(entries.flatMap(({ petId }) => (petId === undefined || known.has(petId) ? [] : petId)))];
  if (ids.length === 0) return known;
  const { items } = await call('listPets', { id: ids.slice(0, mostIds), limit: mostIds }, { signal });
  for (const { id, name } of items) known.set(id, name);
  return known;
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
