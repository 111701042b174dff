import type { Page } from '../../../domain/values/pages.js';
import { may } from '../session.js';
import { call } from './call.js';
import type { InputOf, RowOf } from './contract.js';

/** An entry of the ledger with the name of its pet; a deleted pet has none. */
export interface NamedEntry extends RowOf<'listLedger'> {
  readonly petName?: string | undefined;
}

const mostIds = 100;

async function petNames(ids: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0 || !may('listPets')) return new Map();
  const { items } = await call('listPets', { id: [...ids], limit: mostIds }, { signal });
  return new Map(items.map(({ id, name }) => [id, name]));
}

/** Reads a page of the ledger, and the names of its pets. */
export async function readLedger(input: InputOf<'listLedger'> & { readonly limit: number }, signal: AbortSignal): Promise<Page<NamedEntry>> {
  const page = await call('listLedger', input, { signal });
  const ids = [...new Set(page.items.flatMap(({ petId }) => petId ?? []))];
  const names = await petNames(ids.slice(0, mostIds), signal);
  return { ...page, items: page.items.map((entry) => ({ ...entry, petName: entry.petId === undefined ? undefined : names.get(entry.petId) })) };
}
