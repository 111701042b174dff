import { categoryFields, type CategoryFields, type CategoryRow } from './category.js';
import { requireCategory } from './require-category.js';
import { checkVersion } from '../ledger/check-version.js';
import { haveSameValues, pickFields } from '../values/fields.js';
import type { WriteTransaction } from '../transaction.js';

/** Writes a changed category with its ledger entry. Refuses with `precondition_failed`. */
export async function changeCategory(tx: WriteTransaction, before: CategoryRow, after: CategoryFields): Promise<CategoryRow> {
  await checkVersion(tx, `Category ${before.id}`, { categoryId: before.id });
  if (haveSameValues(pickFields(categoryFields, before), after)) return before;
  await tx.categories.update(before.id, after);
  await tx.ledger.append({ kind: 'category.updated', categoryId: before.id });
  return requireCategory(tx, before.id);
}
