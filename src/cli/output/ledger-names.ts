import { getCategory } from '../../domain/categories/get-category.js';
import { unlessRefused } from '../../domain/errors.js';
import type { LedgerEntry } from '../../domain/ledger/ledger-entry.js';
import { listPets } from '../../domain/pets/list-pets.js';
import type { Call } from '../../domain/call.js';
import { rowsOfPets } from '../../domain/all-pages.js';

/** The names of the pet and the category of an entry; a deleted one has no name. */
interface Names {
  readonly petName?: string | undefined;
  readonly categoryName?: string | undefined;
}

type Named = Pick<LedgerEntry, 'petId' | 'categoryId'>;

function distinct(ids: readonly (number | undefined)[]): readonly number[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}

async function petNames(call: Call, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const pets = await rowsOfPets(ids, async (some) => (await call(listPets, { id: some, limit: some.length })).items);
  return new Map(pets.map(({ id, name }) => [id, name]));
}

async function categoryNames(call: Call, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (const categoryId of ids) {
    const found = await unlessRefused(call(getCategory, { categoryId }), 'category_not_found');
    if (found !== undefined) names.set(categoryId, found.name);
  }
  return names;
}

/** The entries with the names of their pets and categories; without names when the token of the server may not read them. */
export async function withNames<E extends Named>(call: Call, entries: readonly E[]): Promise<readonly (E & Names)[]> {
  return (await unlessRefused(named(call, entries), 'insufficient_scope')) ?? entries;
}

async function named<E extends Named>(call: Call, entries: readonly E[]): Promise<readonly (E & Names)[]> {
  const pets = await petNames(call, distinct(entries.map(({ petId }) => petId)));
  const categories = await categoryNames(call, distinct(entries.map(({ categoryId }) => categoryId)));
  return entries.map((entry) => ({
    ...entry,
    petName: entry.petId === undefined ? undefined : pets.get(entry.petId),
    categoryName: entry.categoryId === undefined ? undefined : categories.get(entry.categoryId),
  }));
}
