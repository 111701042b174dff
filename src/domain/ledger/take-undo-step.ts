import { archiveCategory, restoreCategory } from '../categories/archive-category.js';
import { writeCodes } from '../codes/add-code.js';
import { requireCode } from '../codes/get-code.js';
import { writeCodeRemoval } from '../codes/remove-code.js';
import { categoryFields } from '../categories/category.js';
import { writeCategoryFields } from '../categories/change-category.js';
import { requireCategory } from '../categories/require-category.js';
import { requireStock } from '../inventory/require-stock.js';
import type { ShortagePolicy } from '../inventory/stock.js';
import { writeLowAt } from '../inventory/set-low-at.js';
import { editOrder } from '../orders/edit-order.js';
import { fulfilOrder } from '../orders/fulfil-order.js';
import { orderFields } from '../orders/order.js';
import { reopenOrder } from '../orders/reopen-order.js';
import { requireAnyOrder, requireOrder } from '../orders/require-order.js';
import { undoReturn } from '../orders/return-units.js';
import { restoreOrder, writeCancellation } from '../orders/write-cancellation.js';
import { archivePet, checkDeletable, restorePet } from '../pets/archive-pet.js';
import { writePetFields } from '../pets/change-pet.js';
import { petFields } from '../pets/pet.js';
import { requirePet } from '../pets/require-pet.js';
import { setHold } from '../pets/write-status.js';
import { type Setting, settingNames, type ShopFields } from '../shop-settings.js';
import type { WriteTransaction } from '../transaction.js';
import { applyPatch, pickFields } from '../values/fields.js';
import { writeSetting } from '../write-setting.js';
import type { LedgerEntry } from './ledger-entry.js';
import { undoMovement } from './undo-movement.js';
import type { UndoAction } from './undo-steps.js';

type Undo = (tx: WriteTransaction, entry: LedgerEntry, policy: ShortagePolicy) => Promise<unknown>;

async function undoPetMovement(tx: WriteTransaction, entry: LedgerEntry, policy: ShortagePolicy): Promise<void> {
  await undoMovement(tx, await requireStock(tx, entry.petId ?? 0), entry, policy);
}

async function undoOrderEdit(tx: WriteTransaction, { id, orderId = 0, previous = {} }: LedgerEntry): Promise<void> {
  const order = await requireOrder(tx, orderId);
  await editOrder(tx, order, applyPatch(order, pickFields(orderFields, previous)), { reverses: id });
}

async function undoReopening(tx: WriteTransaction, { id, orderId = 0, previous = {} }: LedgerEntry): Promise<void> {
  const order = await requireOrder(tx, orderId);
  await fulfilOrder(tx, applyPatch(order, pickFields(orderFields, previous)), { reverses: id });
}

async function undoPetEdit(tx: WriteTransaction, { id, petId = 0, previous = {} }: LedgerEntry): Promise<void> {
  const { lowAt } = previous;
  if (lowAt !== undefined) return writeLowAt(tx, await requireStock(tx, petId), lowAt ?? undefined, { reverses: id });
  const before = pickFields(petFields, await requirePet(tx, petId));
  await writePetFields(tx, petId, { before, after: applyPatch(before, pickFields(petFields, previous)), reverses: id });
}

async function undoCategoryEdit(tx: WriteTransaction, { id, categoryId = 0, previous = {} }: LedgerEntry): Promise<void> {
  const before = await requireCategory(tx, categoryId);
  await writeCategoryFields(tx, before, applyPatch(pickFields(categoryFields, before), pickFields(categoryFields, previous)), { reverses: id });
}

async function restoreSetting<Name extends keyof ShopFields>(tx: WriteTransaction, name: Name, { id, previous }: LedgerEntry): Promise<void> {
  const value = previous?.[name] as Setting<Name> | undefined;
  if (value !== undefined) await writeSetting(tx, name, value, { reverses: id });
}

async function undoShopEdit(tx: WriteTransaction, entry: LedgerEntry): Promise<void> {
  for (const name of settingNames) await restoreSetting(tx, name, entry);
}

async function undoPetCreation(tx: WriteTransaction, entry: LedgerEntry, policy: ShortagePolicy): Promise<void> {
  const { id, petId = 0, delta = 0 } = entry;
  // An entry is reversed by one other: the movement, or the deletion where no unit was on hand.
  if (delta > 0) await undoPetMovement(tx, entry, policy);
  const pet = await requirePet(tx, petId);
  await checkDeletable(tx, pet, 0);
  await archivePet(tx, pet, delta > 0 ? {} : { reverses: id });
}

/** What each action does; it writes one ledger entry that reverses the given one. */
const undos: Readonly<Record<UndoAction, Undo>> = {
  undoMovement: undoPetMovement,
  cancelOrder: async (tx, { id, orderId = 0 }) => writeCancellation(tx, await requireOrder(tx, orderId), { reverses: id }),
  restoreOrder: async (tx, { id, orderId = 0 }) => restoreOrder(tx, await requireAnyOrder(tx, orderId), { reverses: id }),
  reopenOrder: async (tx, { id, orderId = 0 }) => reopenOrder(tx, await requireOrder(tx, orderId), { reverses: id }),
  completeOrder: undoReopening,
  undoReturn,
  editOrder: undoOrderEdit,
  hold: async (tx, { id, petId = 0 }) => setHold(tx, await requireStock(tx, petId), true, { reverses: id }),
  release: async (tx, { id, petId = 0 }) => setHold(tx, await requireStock(tx, petId), false, { reverses: id }),
  editPet: undoPetEdit,
  deletePet: undoPetCreation,
  restorePet: (tx, { id, petId = 0, previous }) => restorePet(tx, petId, previous?.lowAt ?? null, { reverses: id }),
  addCode: (tx, { id, petId = 0, previous: { code = '', units = 1 } = {} }) => writeCodes(tx, petId, [{ code, units }], { reverses: id }),
  removeCode: async (tx, { id, current: { code = '' } = {} }) => writeCodeRemoval(tx, await requireCode(tx, code), { reverses: id }),
  editCategory: undoCategoryEdit,
  deleteCategory: async (tx, { id, categoryId = 0 }) => archiveCategory(tx, await requireCategory(tx, categoryId), { reverses: id }),
  restoreCategory: (tx, { id, categoryId = 0 }) => restoreCategory(tx, categoryId, { reverses: id }),
  editShop: undoShopEdit,
};

/** Undoes one ledger entry by an action. Refuses as the operation that makes this change by hand would. */
export async function takeUndoStep(tx: WriteTransaction, action: UndoAction, entry: LedgerEntry, policy: ShortagePolicy): Promise<void> {
  await undos[action](tx, entry, policy);
}
