import { reportDeadStock } from './reports/report-dead-stock.js';
import { listPets } from './pets/list-pets.js';
import { createPet } from './pets/create-pet.js';
import { getPet } from './pets/get-pet.js';
import { getPetDetails } from './pets/get-pet-details.js';
import { replacePet } from './pets/replace-pet.js';
import { updatePet } from './pets/update-pet.js';
import { deletePet } from './pets/delete-pet.js';
import { holdPet } from './pets/hold-pet.js';
import { releasePet } from './pets/release-pet.js';
import { identifyPet } from './pets/identify-pet.js';
import { listCodes } from './codes/list-codes.js';
import { addCode } from './codes/add-code.js';
import { getCode } from './codes/get-code.js';
import { removeCode } from './codes/remove-code.js';
import { listCategories } from './categories/list-categories.js';
import { createCategory } from './categories/create-category.js';
import { getCategory } from './categories/get-category.js';
import { replaceCategory } from './categories/replace-category.js';
import { updateCategory } from './categories/update-category.js';
import { deleteCategory } from './categories/delete-category.js';
import { listOrders } from './orders/list-orders.js';
import { placeOrder } from './orders/place-order.js';
import { getOrder } from './orders/get-order.js';
import { updateOrder } from './orders/update-order.js';
import { returnUnits } from './orders/return-units.js';
import { cancelOrder } from './orders/cancel-order.js';
import { listInventory } from './inventory/list-inventory.js';
import { getInventoryItem } from './inventory/get-inventory-item.js';
import { setInventory } from './inventory/set-inventory.js';
import { adjustInventory } from './inventory/adjust-inventory.js';
import { setLowAt } from './inventory/set-low-at.js';
import { setLowDefault } from './inventory/set-low-default.js';
import { listBatches } from './imports/list-batches.js';
import { getBatch } from './imports/get-batch.js';
import { startCount } from './counts/start-count.js';
import { listCounts } from './counts/list-counts.js';
import { getCount } from './counts/get-count.js';
import { listCountPets } from './counts/list-count-pets.js';
import { listCountCategories } from './counts/list-count-categories.js';
import { addCountLines } from './counts/add-count-lines.js';
import { listCountLines } from './counts/list-count-lines.js';
import { undoCountLine } from './counts/undo-count-line.js';
import { previewCount } from './counts/preview-count.js';
import { closeCount } from './counts/close-count.js';
import { cancelCount } from './counts/cancel-count.js';
import { listHooks } from './hooks/list-hooks.js';
import { getHook } from './hooks/get-hook.js';
import { pauseHook } from './hooks/pause-hook.js';
import { resumeHook } from './hooks/resume-hook.js';
import { listHookDeliveries } from './hooks/list-hook-deliveries.js';
import { listLedger } from './ledger/list-ledger.js';
import { undoEntry } from './ledger/undo-entry.js';
import { listUndoable } from './ledger/list-undoable.js';
import { undoLast } from './ledger/undo-last.js';
import { getShopSettings } from './get-shop-settings.js';
import { setShopName } from './set-shop-name.js';
import { getSummary } from './reports/get-summary.js';
import { reportStock } from './reports/report-stock.js';
import { reportMovements } from './reports/report-movements.js';
import { reportSellThrough } from './reports/report-sell-through.js';
import { importPets } from './imports/import-pets.js';
import { importCodes } from './imports/import-codes.js';
import { importInventory } from './imports/import-inventory.js';
import { undoBatch } from './imports/undo-batch.js';
import { streamEvents } from './ledger/stream-events.js';
import { createSession } from './sessions/create-session.js';
import { getSession } from './sessions/get-session.js';
import { deleteSession } from './sessions/delete-session.js';
import { callEach } from './call-each.js';
import type { Operation, CustomOperation } from './operation.js';

/** Any operation that runs in one transaction, with the type of its input erased. */
export type AnyOperation = Operation<unknown, unknown, unknown>;
/** Any operation that `Shop` performs by a method of its own. */
export type AnyCustomOperation = CustomOperation<unknown, unknown>;
/** Any operation of the contract. */
export type ContractOperation = AnyOperation | AnyCustomOperation;

/** Every operation that runs in one transaction, in the order of the OpenAPI document. */
export const operations: readonly AnyOperation[] = [
  listPets,
  createPet,
  identifyPet,
  getPet,
  getPetDetails,
  replacePet,
  updatePet,
  deletePet,
  holdPet,
  releasePet,
  listCodes,
  addCode,
  getCode,
  removeCode,
  listCategories,
  createCategory,
  getCategory,
  replaceCategory,
  updateCategory,
  deleteCategory,
  listOrders,
  placeOrder,
  getOrder,
  updateOrder,
  cancelOrder,
  returnUnits,
  listInventory,
  getInventoryItem,
  setInventory,
  adjustInventory,
  setLowAt,
  setLowDefault,
  getShopSettings,
  setShopName,
  listBatches,
  getBatch,
  listCounts,
  startCount,
  getCount,
  listCountPets,
  listCountCategories,
  addCountLines,
  listCountLines,
  undoCountLine,
  previewCount,
  closeCount,
  cancelCount,
  listLedger,
  undoEntry,
  listUndoable,
  undoLast,
  getSummary,
  reportStock,
  reportMovements,
  reportSellThrough,
  reportDeadStock,
  listHooks,
  getHook,
  pauseHook,
  resumeHook,
  listHookDeliveries,
];

/** Every operation that is not a single transaction. */
export const customOperations: readonly AnyCustomOperation[] = [
  importPets,
  importCodes,
  importInventory,
  undoBatch,
  streamEvents,
  callEach,
  getSession,
  createSession,
  deleteSession,
];

/** Every operation of the contract. */
export const contract: readonly ContractOperation[] = [...operations, ...customOperations];

/** The operations that a server offers: all, or only the stable ones. */
export function offeredOperations(stableOnly: boolean): readonly ContractOperation[] {
  return contract.filter(({ stability }) => !stableOnly || stability === 'stable');
}
