import type * as v from 'valibot';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { UndoReport } from '../../../domain/imports/undo-batch.js';
import type { placeOrder } from '../../../domain/orders/place-order.js';
import type { InventoryRow } from '../../../domain/inventory/inventory-item.js';
import type { Session } from '../../../domain/sessions/session.js';

/** The reads that the board uses, by operation id. */
export interface Reads {
  readonly getBatch: typeof import('../../../domain/imports/get-batch.js').getBatch;
  readonly getCategory: typeof import('../../../domain/categories/get-category.js').getCategory;
  readonly getCount: typeof import('../../../domain/counts/get-count.js').getCount;
  readonly getInventoryItem: typeof import('../../../domain/inventory/get-inventory-item.js').getInventoryItem;
  readonly getOrder: typeof import('../../../domain/orders/get-order.js').getOrder;
  readonly getPetDetails: typeof import('../../../domain/pets/get-pet-details.js').getPetDetails;
  readonly getSummary: typeof import('../../../domain/reports/get-summary.js').getSummary;
  readonly identifyPet: typeof import('../../../domain/pets/identify-pet.js').identifyPet;
  readonly listBatches: typeof import('../../../domain/imports/list-batches.js').listBatches;
  readonly listCategories: typeof import('../../../domain/categories/list-categories.js').listCategories;
  readonly listCountLines: typeof import('../../../domain/counts/list-count-lines.js').listCountLines;
  readonly listCountPets: typeof import('../../../domain/counts/list-count-pets.js').listCountPets;
  readonly listCounts: typeof import('../../../domain/counts/list-counts.js').listCounts;
  readonly listInventory: typeof import('../../../domain/inventory/list-inventory.js').listInventory;
  readonly listLedger: typeof import('../../../domain/ledger/list-ledger.js').listLedger;
  readonly listOrders: typeof import('../../../domain/orders/list-orders.js').listOrders;
  readonly listUndoable: typeof import('../../../domain/ledger/list-undoable.js').listUndoable;
  readonly previewCount: typeof import('../../../domain/counts/preview-count.js').previewCount;
  readonly reportDeadStock: typeof import('../../../domain/reports/report-dead-stock.js').reportDeadStock;
  readonly reportMovements: typeof import('../../../domain/reports/report-movements.js').reportMovements;
  readonly reportSellThrough: typeof import('../../../domain/reports/report-sell-through.js').reportSellThrough;
  readonly reportStock: typeof import('../../../domain/reports/report-stock.js').reportStock;
}

/** An operation that is run for several inputs in one transaction, by `callEach`. */
interface Several<One extends { readonly id: string; readonly input: v.GenericSchema; run(tx: never, input: never): Promise<unknown> }> {
  readonly input: v.GenericSchema<{ readonly body: { readonly operation: One['id']; readonly inputs: readonly v.InferInput<One['input']>[] } }>;
  run(tx: never, input: never): Promise<readonly Awaited<ReturnType<One['run']>>[]>;
}

/** The changes that the board makes, by operation id. */
export interface Changes {
  readonly addCode: typeof import('../../../domain/codes/add-code.js').addCode;
  readonly adjustInventory: typeof import('../../../domain/inventory/adjust-inventory.js').adjustInventory;
  readonly callEach: Several<typeof placeOrder>;
  readonly cancelCount: typeof import('../../../domain/counts/cancel-count.js').cancelCount;
  readonly cancelOrder: typeof import('../../../domain/orders/cancel-order.js').cancelOrder;
  readonly closeCount: typeof import('../../../domain/counts/close-count.js').closeCount;
  readonly createCategory: typeof import('../../../domain/categories/create-category.js').createCategory;
  readonly createPet: typeof import('../../../domain/pets/create-pet.js').createPet;
  readonly deletePet: typeof import('../../../domain/pets/delete-pet.js').deletePet;
  readonly holdPet: typeof import('../../../domain/pets/hold-pet.js').holdPet;
  readonly placeOrder: typeof placeOrder;
  readonly releasePet: typeof import('../../../domain/pets/release-pet.js').releasePet;
  readonly removeCode: typeof import('../../../domain/codes/remove-code.js').removeCode;
  readonly returnUnits: typeof import('../../../domain/orders/return-units.js').returnUnits;
  readonly setInventory: typeof import('../../../domain/inventory/set-inventory.js').setInventory;
  readonly setLowAt: typeof import('../../../domain/inventory/set-low-at.js').setLowAt;
  readonly startCount: typeof import('../../../domain/counts/start-count.js').startCount;
  readonly undoBatch: typeof import('../../../domain/imports/undo-batch.js').undoBatch;
  readonly undoEntry: typeof import('../../../domain/ledger/undo-entry.js').undoEntry;
  readonly undoLast: typeof import('../../../domain/ledger/undo-last.js').undoLast;
  readonly updateCategory: typeof import('../../../domain/categories/update-category.js').updateCategory;
  readonly updateOrder: typeof import('../../../domain/orders/update-order.js').updateOrder;
  readonly updatePet: typeof import('../../../domain/pets/update-pet.js').updatePet;
}

/** The operations whose request body is a file. */
export interface Imports {
  readonly importInventory: typeof import('../../../domain/imports/import-inventory.js').importInventory;
  readonly importPets: typeof import('../../../domain/imports/import-pets.js').importPets;
}

/** The operations on the lines of a count, which the page keeps until they are made. */
export interface CountLineOperations {
  readonly addCountLines: typeof import('../../../domain/counts/add-count-lines.js').addCountLines;
  readonly undoCountLine: typeof import('../../../domain/counts/undo-count-line.js').undoCountLine;
}

/** The operations that sign in and out. */
export interface SessionOperations {
  readonly createSession: typeof import('../../../domain/sessions/create-session.js').createSession;
  readonly deleteSession: typeof import('../../../domain/sessions/delete-session.js').deleteSession;
  readonly getSession: typeof import('../../../domain/sessions/get-session.js').getSession;
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

/** An answer whose inventory entries have names, which `call` fills in where the server leaves them out. */
type Named<Answer> = Answer extends InventoryRow
  ? Answer & { readonly name: string; readonly category: string }
  : Answer extends { readonly items: readonly (infer Row extends InventoryRow)[] }
    ? Omit<Answer, 'items'> & { readonly items: readonly Named<Row>[] }
    : Answer;

/** What an operation answers; a list answers a page of rows with the fields that people see, such as names. */
export type AnswerOf<Id extends OperationId> = Contract[Id] extends { run(tx: never, input: never): Promise<infer Answer> }
  ? Named<Answer>
  : Id extends keyof CustomAnswers
    ? CustomAnswers[Id]
    : never;

/** One row of a list. */
export type RowOf<Id extends OperationId> = AnswerOf<Id> extends { readonly items: readonly (infer Row)[] } ? Row : never;
