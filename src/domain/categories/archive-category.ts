import { categoryFields, type CategoryRow } from './category.js';
import { checkNameIsFree } from './require-category.js';
import { StoreError } from '../errors.js';
import { requireRecord } from '../values/ids.js';
import { pickFields } from '../values/fields.js';
import { pluralize } from '../values/text.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Archives a category without pets. Refuses with `category_in_use`. */
export async function archiveCategory(tx: WriteTransaction, record: CategoryRow, { reverses }: Undoing = {}): Promise<void> {
  const { id: categoryId, name, pets } = record;
  if (pets > 0) {
    throw new StoreError('category_in_use', `${name} still has ${pluralize(pets, 'pet')}.`, { details: { categoryId, categoryText: name } });
  }
  await tx.categories.archive(categoryId);
  await tx.ledger.append({ kind: 'category.archived', categoryId, previous: pickFields(categoryFields, record), reverses });
}

/** Puts an archived category back. Refuses with `category_exists` if another category has its name now. */
export async function restoreCategory(tx: WriteTransaction, categoryId: number, { reverses }: Required<Undoing>): Promise<void> {
  const { name } = requireRecord('category', categoryId, await tx.categories.findArchived(categoryId));
  await checkNameIsFree(tx, name);
  await tx.categories.restore(categoryId);
  await tx.ledger.append({ kind: 'category.restored', categoryId, reverses });
}
