import { writeCodeRemovals } from '../codes/remove-code.js';
import { checkCategory } from '../categories/require-category.js';
import { levelCrossing } from '../inventory/stock.js';
import { requireStock } from '../inventory/require-stock.js';
import { StoreError } from '../errors.js';
import { pickFields } from '../values/fields.js';
import { joinItems, pluralize } from '../values/text.js';
import { petFields, type PetRow } from './pet.js';
import { requirePet } from './require-pet.js';
import type { Undoing } from '../ledger/ledger-entry.js';
import type { WriteTransaction } from '../transaction.js';

/** Refuses to delete a pet with open orders (`pet_has_open_orders`), or with more than `maximumUnits` on hand (`pet_in_stock`). */
export async function checkDeletable(tx: WriteTransaction, { id: petId, name, quantity }: PetRow, maximumUnits: number): Promise<void> {
  const orders = await tx.stock.openOrders(petId);
  if (orders.count > 0) {
    const sentence = `Pet ${petId} (${name}) has ${pluralize(orders.count, 'open order')}: ${joinItems(orders.first, orders.count)}.`;
    throw new StoreError('pet_has_open_orders', sentence, { details: { petId, orderIds: orders.first } });
  }
  if (quantity > maximumUnits) throw new StoreError('pet_in_stock', `Pet ${petId} (${name}) still has ${quantity} on hand.`, { details: { petId } });
}

/** Archives a pet without units and open orders; its id stays used, and its codes are free. */
export async function archivePet(tx: WriteTransaction, pet: PetRow, { reverses }: Undoing = {}): Promise<void> {
  const { id: petId } = pet;
  const previous = { ...pickFields(petFields, pet), lowAt: await tx.stock.ownLowAt(petId) };
  await writeCodeRemovals(tx, petId);
  await tx.stock.remove(petId);
  await tx.pets.archive(petId);
  await tx.ledger.append({ kind: 'pet.archived', petId, previous, reverses });
}

/**
 * Puts an archived pet back into the shop, without units; `lowAt` is its own low-stock level. Refuses with `unknown_category` if its
 * category was deleted.
 */
export async function restorePet(tx: WriteTransaction, petId: number, lowAt: number | null, { reverses }: Required<Undoing>): Promise<void> {
  await tx.pets.restore(petId);
  await tx.stock.insert(petId, 0);
  if (lowAt !== null) await tx.stock.setLowAt(petId, lowAt);
  await checkCategory(tx, (await requirePet(tx, petId)).categoryId);
  await tx.ledger.append({ kind: 'pet.restored', petId, reverses });
  // A deleted pet is not low. The restored one has no units, so it is low at any level.
  const stock = await requireStock(tx, petId);
  const crossing = levelCrossing({ ...stock, lowAt: null }, stock);
  if (crossing) await tx.ledger.append(crossing);
}
