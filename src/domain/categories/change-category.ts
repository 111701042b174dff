import type { CategoryRow, Category } from './category.js';
import { requireCategory } from './require-category.js';
import { checkVersion } from '../ledger/check-version.js';
import type { WriteTransaction } from '../transaction.js';

/** Writes a changed category with its ledger entry. Refuses with `precondition_failed`. */
export async function changeCategory(tx: WriteTransaction, before: CategoryRow, after: Category): Promise<CategoryRow> {
  await checkVersion(tx, `Category ${before.id}`, { categoryId: before.id });
  if (after.name === before.name && after.description === before.description) return before;
  await tx.categories.update(after);
  await tx.ledger.append({ kind: 'category.updated', categoryId: before.id });
  return requireCategory(tx, before.id);
}
