import { completeRecords } from '../../completion/completers.js';
import { petColumns } from './pet-fields.js';
import { findCategoryToFilter } from '../../../domain/categories/find-category.js';
import type { Call } from '../../../domain/call.js';
import { listPets } from '../../../domain/pets/list-pets.js';
import { petStatuses, type PetStatus } from '../../../domain/pets/pet-status.js';
import { flag, repeatedChoice, repeatedFlag, sortBy, type FlagValues } from '../../flags.js';
import { anyText } from '../../readers.js';

/** The filters of lists of pets and of inventory. */
export const petFilterFlags = {
  status: repeatedChoice({ long: 'status', value: 'status', summary: 'only pets of this status; may be repeated', choices: petStatuses }),
  category: repeatedFlag({
    long: 'category',
    value: 'category',
    summary: 'only pets of a category, by id or name; may be repeated',
    read: anyText,
    complete: completeRecords('category'),
  }),
};

/** The values of these flags as the input of an operation; finds categories by name. */
export async function petFilterInput(
  { status, category }: { readonly status: readonly PetStatus[] | undefined; readonly category: readonly string[] | undefined },
  call: Call,
): Promise<{ readonly status?: PetStatus[]; readonly categoryId?: number[] }> {
  const categoryId: number[] = [];
  for (const one of category ?? []) categoryId.push(await findCategoryToFilter(call, one));
  return { ...(status && { status: [...new Set(status)] }), ...(category && { categoryId }) };
}

/** The search in the names of pets. */
export const searchFlag = flag({
  long: 'search',
  value: 'text',
  summary: 'only pets with this text in their name, in any case',
  read: anyText,
});

const listFlags = {
  ...petFilterFlags,
  search: searchFlag,
  sort: sortBy(['id', 'name']),
};

/** What a list of pets and its export share. */
export const petListing = {
  operation: listPets,
  columns: petColumns,
  flags: listFlags,
  input: async ({ search, sort, ...filter }: FlagValues<typeof listFlags>, call: Call) => ({ ...(await petFilterInput(filter, call)), q: search, sort }),
} as const;
