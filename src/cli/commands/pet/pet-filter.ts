import { completeRecords } from '../../completion/completers.js';
import { petColumns } from './pet-columns.js';
import { findCategory, findCategoryToFilter } from '../../../domain/categories/find-category.js';
import { listPets } from '../../../domain/pets/list-pets.js';
import type { PetStatus } from '../../../domain/pets/pet-status.js';
import { flag, repeatedChoice, repeatedFlag, sortBy } from '../../flags.js';
import { anyText } from '../../readers.js';

/** The statuses of pets. */
export const petStatuses = ['available', 'pending', 'sold'] as const;

/** The filters of lists of pets and of inventory. */
export const petFilterFlags = {
  status: repeatedChoice({ long: 'status', value: 'status', summary: 'only pets of this status; may be repeated', choices: petStatuses }),
  category: repeatedFlag({
    long: 'category',
    value: 'category',
    summary: 'only pets of this category, by id or name; may be repeated',
    read: anyText,
    complete: completeRecords('category'),
  }),
};

/** The values of these flags as the input of an operation; finds categories by name. */
export async function petFilterInput(
  { status, category }: { readonly status: readonly PetStatus[] | undefined; readonly category: readonly string[] | undefined },
  call: Parameters<typeof findCategory>[0],
): Promise<{ readonly status?: PetStatus[]; readonly categoryId?: number[] }> {
  const categoryId: number[] = [];
  for (const one of category ?? []) categoryId.push(await findCategoryToFilter(call, one));
  return { ...(status && { status: [...new Set(status)] }), ...(category && { categoryId }) };
}

/** What a list of pets and its export share. */
export const petListing = {
  operation: listPets,
  columns: petColumns,
  flags: {
    ...petFilterFlags,
    search: flag({ long: 'search', value: 'text', summary: 'only pets whose name contains this text; case and accents do not matter', read: anyText }),
    sort: sortBy(['id', 'name']),
  },
} as const;
