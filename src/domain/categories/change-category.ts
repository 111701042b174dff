import { categoryFields, type CategoryFields, type CategoryRow } from './category.js';
import { checkNameIsFree, requireCategory } from './require-category.js';
import { checkVersion } from '../ledger/check-version.js';
import { changedValues, haveSameValues, pickFields } from '../values/fields.js';
import { afterWrite } from '../values/version.js';
import { fold } from '../values/text.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Writes a changed category with its ledger entry. Refuses with `precondition_failed`, or the name of another category with `category_exists`. */
export async function changeCategory(tx: WriteTransaction, before: CategoryRow, after: CategoryFields): Promise<CategoryRow> {
  await checkVersion(tx, `Category ${before.id}`, { categoryId: before.id });
  return afterWrite(before, await writeCategoryFields(tx, before, after));
}

/** Writes changed fields of a category and their ledger entry. Refuses the name of another category with `category_exists`. */
export async function writeCategoryFields(tx: WriteTransaction, before: CategoryRow, after: CategoryFields, { reverses }: Undoing = {}): Promise<CategoryRow> {
  const former = pickFields(categoryFields, before);
  if (haveSameValues(former, after)) return before;
  // Its present name in another case: the category that has this name is itself.
  if (fold(after.name) !== fold(before.name)) await checkNameIsFree(tx, after.name);
  await tx.categories.update(before.id, after);
  await tx.ledger.append({ kind: 'category.updated', categoryId: before.id, ...changedValues(former, after), reverses });
  return requireCategory(tx, before.id);
}
