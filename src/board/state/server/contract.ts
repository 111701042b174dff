import type * as v from 'valibot';
import type { getCategory } from '../../../domain/categories/get-category.js';
import type { createCategory } from '../../../domain/categories/create-category.js';
import type { listCategories } from '../../../domain/categories/list-categories.js';
import type { addCode } from '../../../domain/codes/add-code.js';
import type { removeCode } from '../../../domain/codes/remove-code.js';
import type { addCountLines } from '../../../domain/counts/add-count-lines.js';
import type { cancelCount } from '../../../domain/counts/cancel-count.js';
import type { closeCount } from '../../../domain/counts/close-count.js';
import type { getCount } from '../../../domain/counts/get-count.js';
import type { listCountLines } from '../../../domain/counts/list-count-lines.js';
import type { listCountPets } from '../../../domain/counts/list-count-pets.js';
import type { listCounts } from '../../../domain/counts/list-counts.js';
import type { previewCount } from '../../../domain/counts/preview-count.js';
import type { startCount } from '../../../domain/counts/start-count.js';
import type { undoCountLine } from '../../../domain/counts/undo-count-line.js';
import type { getBatch } from '../../../domain/imports/get-batch.js';
import type { importInventory } from '../../../domain/imports/import-inventory.js';
import type { importPets } from '../../../domain/imports/import-pets.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { listBatches } from '../../../domain/imports/list-batches.js';
import type { undoBatch, UndoReport } from '../../../domain/imports/undo-batch.js';
import type { adjustInventory } from '../../../domain/inventory/adjust-inventory.js';
import type { getInventoryItem } from '../../../domain/inventory/get-inventory-item.js';
import type { listInventory } from '../../../domain/inventory/list-inventory.js';
import type { setInventory } from '../../../domain/inventory/set-inventory.js';
import type { setLowAt } from '../../../domain/inventory/set-low-at.js';
import type { listLedger } from '../../../domain/ledger/list-ledger.js';
import type { listUndoable } from '../../../domain/ledger/list-undoable.js';
import type { undoEntry } from '../../../domain/ledger/undo-entry.js';
import type { undoLast } from '../../../domain/ledger/undo-last.js';
import type { cancelOrder } from '../../../domain/orders/cancel-order.js';
import type { getOrder } from '../../../domain/orders/get-order.js';
import type { listOrders } from '../../../domain/orders/list-orders.js';
import type { placeOrder } from '../../../domain/orders/place-order.js';
import type { updateOrder } from '../../../domain/orders/update-order.js';
import type { createPet } from '../../../domain/pets/create-pet.js';
import type { deletePet } from '../../../domain/pets/delete-pet.js';
import type { getPetDetails } from '../../../domain/pets/get-pet-details.js';
import type { holdPet } from '../../../domain/pets/hold-pet.js';
import type { identifyPet } from '../../../domain/pets/identify-pet.js';
import type { listPets } from '../../../domain/pets/list-pets.js';
import type { releasePet } from '../../../domain/pets/release-pet.js';
import type { updatePet } from '../../../domain/pets/update-pet.js';
import type { getSummary } from '../../../domain/reports/get-summary.js';
import type { reportDeadStock } from '../../../domain/reports/report-dead-stock.js';
import type { reportMovements } from '../../../domain/reports/report-movements.js';
import type { reportSellThrough } from '../../../domain/reports/report-sell-through.js';
import type { reportStock } from '../../../domain/reports/report-stock.js';
import type { createSession } from '../../../domain/sessions/create-session.js';
import type { deleteSession } from '../../../domain/sessions/delete-session.js';
import type { getSession } from '../../../domain/sessions/get-session.js';
import type { Session } from '../../../domain/sessions/session.js';

/** The reads that the board uses, by operation id. */
export interface Reads {
  readonly getBatch: typeof getBatch;
  readonly getCategory: typeof getCategory;
  readonly getCount: typeof getCount;
  readonly getInventoryItem: typeof getInventoryItem;
  readonly getOrder: typeof getOrder;
  readonly getPetDetails: typeof getPetDetails;
  readonly getSummary: typeof getSummary;
  readonly identifyPet: typeof identifyPet;
  readonly listBatches: typeof listBatches;
  readonly listCategories: typeof listCategories;
  readonly listCountLines: typeof listCountLines;
  readonly listCountPets: typeof listCountPets;
  readonly listCounts: typeof listCounts;
  readonly listInventory: typeof listInventory;
  readonly listLedger: typeof listLedger;
  readonly listOrders: typeof listOrders;
  readonly listPets: typeof listPets;
  readonly listUndoable: typeof listUndoable;
  readonly previewCount: typeof previewCount;
  readonly reportDeadStock: typeof reportDeadStock;
  readonly reportMovements: typeof reportMovements;
  readonly reportSellThrough: typeof reportSellThrough;
  readonly reportStock: typeof reportStock;
}

/** An operation that is run for several inputs in one transaction, by `callEach`. */
interface Several<One extends { readonly id: string; readonly input: v.GenericSchema; run(tx: never, input: never): Promise<unknown> }> {
  readonly input: v.GenericSchema<{ readonly body: { readonly operation: One['id']; readonly inputs: readonly v.InferInput<One['input']>[] } }>;
  run(tx: never, input: never): Promise<readonly Awaited<ReturnType<One['run']>>[]>;
}

/** The changes that the board makes, by operation id. */
export interface Changes {
  readonly addCode: typeof addCode;
  readonly adjustInventory: typeof adjustInventory;
  readonly callEach: Several<typeof placeOrder>;
  readonly cancelCount: typeof cancelCount;
  readonly cancelOrder: typeof cancelOrder;
  readonly closeCount: typeof closeCount;
  readonly createCategory: typeof createCategory;
  readonly createPet: typeof createPet;
  readonly deletePet: typeof deletePet;
  readonly holdPet: typeof holdPet;
  readonly placeOrder: typeof placeOrder;
  readonly releasePet: typeof releasePet;
  readonly removeCode: typeof removeCode;
  readonly setInventory: typeof setInventory;
  readonly setLowAt: typeof setLowAt;
  readonly startCount: typeof startCount;
  readonly undoBatch: typeof undoBatch;
  readonly undoEntry: typeof undoEntry;
  readonly undoLast: typeof undoLast;
  readonly updateOrder: typeof updateOrder;
  readonly updatePet: typeof updatePet;
}

/** The operations whose request body is a file. */
export interface Imports {
  readonly importInventory: typeof importInventory;
  readonly importPets: typeof importPets;
}

/** The operations on the lines of a count, which the page keeps until they are made. */
export interface CountLineOperations {
  readonly addCountLines: typeof addCountLines;
  readonly undoCountLine: typeof undoCountLine;
}

/** The operations that sign in and out. */
export interface SessionOperations {
  readonly createSession: typeof createSession;
  readonly deleteSession: typeof deleteSession;
  readonly getSession: typeof getSession;
}

/** Every operation that the board uses. */
export interface Contract extends Reads, Changes, CountLineOperations, Imports, SessionOperations {}

/** The id of one. */
export type OperationId = keyof Contract;

/** What an operation takes: the parameters of path and query, and the JSON request body as `body`. */
export type InputOf<Id extends OperationId> = v.InferInput<Contract[Id]['input']>;

/** The answers of operations that are not one transaction. */
interface CustomAnswers {
  readonly createSession: Session;
  readonly deleteSession: undefined;
  readonly getSession: Session;
  readonly importInventory: ImportReport;
  readonly importPets: ImportReport;
  readonly undoBatch: UndoReport;
}

/** What an operation answers; a list answers a page of rows with the fields that people see, such as names. */
export type AnswerOf<Id extends OperationId> = Contract[Id] extends { run(tx: never, input: never): Promise<infer Answer> }
  ? Answer
  : Id extends keyof CustomAnswers
    ? CustomAnswers[Id]
    : never;

/** One row of a list. */
export type RowOf<Id extends OperationId> = AnswerOf<Id> extends { readonly items: readonly (infer Row)[] } ? Row : never;
