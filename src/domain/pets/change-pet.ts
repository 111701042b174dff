import { petFields, type PetFields, type PetRow } from './pet.js';
import { requirePet } from './require-pet.js';
import { checkCategory } from '../categories/require-category.js';
import { checkVersion } from '../ledger/check-version.js';
import { writeStatus } from './write-status.js';
import type { PetStatus } from './pet-status.js';
import { requireStock } from '../inventory/require-stock.js';
import { changedValues, haveSameValues, pickFields } from '../values/fields.js';
import { afterWrite } from '../values/version.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

interface PetChange {
  /** The fields after the change, computed from those before it. */
  readonly fields: (before: PetFields) => PetFields;
  readonly status: PetStatus | undefined;
}

/** Writes changed fields of a pet and their ledger entry. Refuses with `unknown_category`. */
export async function writePetFields(
  tx: WriteTransaction,
  petId: number,
  { before, after, reverses }: { readonly before: PetFields; readonly after: PetFields } & Undoing,
): Promise<void> {
  if (after.categoryId !== before.categoryId) await checkCategory(tx, after.categoryId);
  if (haveSameValues(before, after)) return;
  await tx.pets.update(petId, after);
  await tx.ledger.append({ kind: 'pet.updated', petId, ...changedValues(before, after), reverses });
}

/** Changes fields of a pet and writes the ledger entries. Refuses with `pet_not_found`, `unknown_category`, `status_conflict` or `precondition_failed`. */
export async function changePet(tx: WriteTransaction, petId: number, { fields, status }: PetChange): Promise<PetRow> {
  const before = await requirePet(tx, petId);
  await checkVersion(tx, `Pet ${petId}`, { petId });
  const former = pickFields(petFields, before);
  await writePetFields(tx, petId, { before: former, after: fields(former) });
  if (status !== undefined) await writeStatus(tx, await requireStock(tx, petId), status);
  return afterWrite(before, await requirePet(tx, petId));
}
