import type { PetRow } from './pet.js';
import { requirePet } from './require-pet.js';
import { checkCategory } from '../categories/require-category.js';
import { checkVersion } from '../ledger/check-version.js';
import { writeStatus } from './write-status.js';
import type { PetStatus } from './pet-status.js';
import { requireStock } from '../inventory/require-stock.js';
import type { WriteTransaction } from '../transaction.js';

interface PetChange {
  readonly name?: string | undefined;
  readonly categoryId?: number | undefined;
  readonly status?: PetStatus | undefined;
}

/** Changes fields of a pet and writes the ledger entries. Refuses with `pet_not_found`, `unknown_category`, `status_conflict` or `precondition_failed`. */
export async function changePet(tx: WriteTransaction, petId: number, wanted: PetChange): Promise<PetRow> {
  const before = await requirePet(tx, petId);
  await checkVersion(tx, `Pet ${petId}`, { petId });
  const { name = before.name, categoryId = before.categoryId, status } = wanted;
  if (categoryId !== before.categoryId) await checkCategory(tx, categoryId);
  if (name !== before.name || categoryId !== before.categoryId) {
    await tx.pets.update(petId, { name, categoryId });
    await tx.ledger.append({ kind: 'pet.updated', petId });
  }
  await writeStatus(tx, await requireStock(tx, petId), status);
  return requirePet(tx, petId);
}
