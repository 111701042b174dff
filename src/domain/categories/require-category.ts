import type { CategoryRow } from './category.js';
import { StoreError } from '../errors.js';
import { requireRecord } from '../values/ids.js';
import type { ReadTransaction, WriteTransaction } from '../transaction.js';

/** Reads a category. Refuses with `category_not_found`. */
export async function requireCategory(tx: ReadTransaction, id: number): Promise<CategoryRow> {
  return requireRecord('category', id, await tx.categories.get(id));
}

/** Refuses a category id in a request body that is not a live category, with `unknown_category`. */
export async function checkCategory(tx: ReadTransaction, id: number): Promise<void> {
  if ((await tx.categories.find(id)) === undefined) {
    throw new StoreError('unknown_category', `There is no category ${id}.`, { details: { categoryId: id } });
  }
}

/** Refuses the name of a live category with `category_exists`; case and accents do not matter. */
export async function checkNameIsFree(tx: WriteTransaction, name: string): Promise<void> {
  const found = await tx.categories.findNamed(name);
  if (found === undefined) return;
  const why = found.name === name ? '' : '; case and accents do not matter';
  throw new StoreError('category_exists', `Category ${found.id} is already named "${found.name}"${why}.`, { details: { categoryId: found.id } });
}
