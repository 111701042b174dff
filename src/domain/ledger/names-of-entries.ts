import { categoryFields } from '../categories/category.js';
import { petFields, type PetRow } from '../pets/pet.js';
import { mayReadPets } from '../tokens/token.js';
import type { ReadTransaction } from '../transaction.js';
import type { LedgerEntry } from './ledger-entry.js';
import type { NamedEntry } from './named-entry.js';

/** The different ids that entries have in a field. */
export function idsIn(entries: readonly LedgerEntry[], idIn: (entry: LedgerEntry) => number | undefined): readonly number[] {
  return [...new Set(entries.flatMap((entry) => idIn(entry) ?? []))];
}

/** The pets of entries that are in the shop. */
export async function petsOf(tx: ReadTransaction, entries: readonly LedgerEntry[]): Promise<readonly PetRow[]> {
  const id = idsIn(entries, ({ petId }) => petId);
  return id.length === 0 ? [] : tx.pets.list({ id }, { sort: 'id', descending: false, from: undefined, limit: id.length });
}

/** The values that only a token with `pets:read` sees. */
const hidden = Object.fromEntries(Object.keys({ ...petFields, ...categoryFields }).map((name) => [name, undefined]));

/** The entries as their caller may see them: without the values of pets and categories for a token without `pets:read`. */
export function readableEntries({ scopes }: Pick<ReadTransaction, 'scopes'>, entries: readonly LedgerEntry[]): LedgerEntry[] {
  if (mayReadPets(scopes)) return [...entries];
  return entries.map(({ previous, current, ...entry }) => ({
    ...entry,
    ...(previous && { previous: { ...previous, ...hidden } }),
    ...(current && { current: { ...current, ...hidden } }),
  }));
}

/** The entries with the names of their pets and categories; without them for a token without `pets:read`. */
export async function withNames(tx: ReadTransaction, entries: readonly LedgerEntry[]): Promise<NamedEntry[]> {
  if (!mayReadPets(tx.scopes)) return readableEntries(tx, entries);
  const pets = await tx.pets.names(idsIn(entries, ({ petId }) => petId));
  const categories = new Map<number, string | undefined>();
  for (const id of idsIn(entries, ({ categoryId }) => categoryId)) categories.set(id, (await tx.categories.find(id))?.name);
  return entries.map((entry) => {
    const petName = pets.get(entry.petId ?? 0);
    const categoryName = categories.get(entry.categoryId ?? 0);
    if (categoryName !== undefined) return { ...entry, ...(petName !== undefined && { petName }), categoryName };
    return petName === undefined ? entry : { ...entry, petName };
  });
}
