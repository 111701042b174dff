import * as calls from './calls.js';
import * as categories from './categories.js';
import * as events from './events.js';
import * as imports from './imports.js';
import * as inventory from './inventory.js';
import * as ledger from './ledger.js';
import type { Operation, StepsOperation } from './operation.js';
import * as orders from './orders.js';
import * as petDetails from './pet-details.js';
import * as petImports from './pet-imports.js';
import * as pets from './pets.js';
import * as reports from './reports.js';
import * as stockImports from './stock-imports.js';
import * as summary from './summary.js';
import * as undo from './undo.js';

/** One of the operations that are one transaction; what it takes is known to its schema alone. */
export type AnyOperation = Operation<unknown, unknown, unknown>;
/** One of the operations that are performed by hand. */
export type PerformedOperation = StepsOperation<unknown, unknown>;
/** One operation of the contract. */
export type Contracted = AnyOperation | PerformedOperation;

/** Every operation that is one transaction, in the order of the document. */
export const operations: readonly AnyOperation[] = [
  pets.listPets,
  pets.createPet,
  pets.getPet,
  petDetails.getPetDetails,
  pets.replacePet,
  pets.updatePet,
  pets.deletePet,
  pets.holdPet,
  pets.releasePet,
  categories.listCategories,
  categories.createCategory,
  categories.getCategory,
  categories.replaceCategory,
  categories.updateCategory,
  categories.deleteCategory,
  orders.listOrders,
  orders.placeOrder,
  orders.getOrder,
  orders.updateOrder,
  orders.cancelOrder,
  inventory.listInventory,
  inventory.getInventoryItem,
  inventory.setInventory,
  inventory.adjustInventory,
  inventory.setLowAt,
  inventory.setLowDefault,
  imports.listBatches,
  imports.getBatch,
  ledger.listLedger,
  undo.undoEntry,
  summary.getSummary,
  reports.reportStock,
  reports.reportMovements,
  reports.reportSellThrough,
];

/** The operations that are no one transaction: each door performs them by its own code. */
export const performed: readonly PerformedOperation[] = [
  petImports.importPets,
  stockImports.importInventory,
  undo.undoBatch,
  events.streamEvents,
  calls.callEach,
];

/** Every operation of the contract. */
export const contract: readonly Contracted[] = [...operations, ...performed];

/** The operations that a server offers: all of them, or those alone that are stable. */
export function offered(stableOnly: boolean): readonly Contracted[] {
  return contract.filter(({ stability }) => !stableOnly || stability === 'stable');
}
