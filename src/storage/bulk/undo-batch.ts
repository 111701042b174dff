import { StoreError } from '../../domain/errors.js';
import { checkConditions, type Conditions } from '../../domain/conditions.js';
import type { BatchDetails } from '../../domain/imports/batch.js';
import { checkedNote } from '../../domain/ledger/ledger-entry.js';
import { notFound } from '../../domain/values/ids.js';
import type { CallOptions } from '../../domain/call.js';
import type { WriteOperation } from '../../domain/operation.js';
import type { UndoOptions } from '../../domain/shop.js';
import type { ReadTransaction } from '../../domain/transaction.js';
import { checkUndoable, type UndoReport } from '../../domain/imports/undo-batch.js';
import { entriesToUndo, removeBatchCodes } from './batch-codes.js';
import { bulkStock, type BulkStockWrite } from './bulk-stock.js';
import type { RecordedBatch } from './staged-rows.js';
import type { Engine } from '../engine.js';
import type { Queries, WriteWork } from '../queries.js';
import { keyed, keyedRequest, storedAnswer } from '../replay.js';
import { readTransaction, writeTransaction } from '../transactions.js';
import type { Caller } from '../../domain/caller.js';
import { refusedRows, type RefusedRows } from './refused-rows.js';
import { sortedStockRows, type SortedStockRows } from './sorted-stock-rows.js';
import { sql } from '../sql.js';
import type { KeyedRequest } from '../tables/replay-table.js';
import { checkStillValid } from '../token-keeper.js';

const rowsPerRead = 10_000;
const noNotes = { at: () => '' };

/** Collects the movements of a batch that were not undone individually; newest first, because each undo starts from the quantity after its entry. */
async function collect(queries: Queries, batchId: number, stockRows: SortedStockRows): Promise<number> {
  let count = 0;
  const movements = entriesToUndo<{ readonly delta: number }>(queries, batchId, {
    columns: sql`l.delta`,
    where: sql`l.kind IN ('count', 'adjust')`,
    together: rowsPerRead,
  });
  for await (const entries of movements) {
    for (const { id, petId, delta } of entries) stockRows.add(petId, -delta, undefined, id, count++);
  }
  return count;
}

async function requireUndoable(tx: ReadTransaction, batchId: number, conditions: Conditions): Promise<BatchDetails> {
  const found = await tx.batches.get(batchId);
  if (found === undefined) throw notFound('batch', batchId);
  checkConditions(conditions, `Batch ${batchId}`, undefined);
  checkUndoable(found);
  return found;
}

/** Refuses with the first conflict, and with `not_undoable` where the pet was deleted or would have more units than a pet can have. */
function throwFirstRefusal(batchId: number, refused: RefusedRows): void {
  const [first] = refused.first();
  if (first === undefined) return;
  const others = refused.count() - 1;
  const code = first.code === 'out_of_stock' || first.code === 'stock_reserved' ? first.code : 'not_undoable';
  throw new StoreError(code, `Batch ${batchId} cannot be undone: ${others > 0 ? first.message.replace(/\.$/, ` (and ${others} more).`) : first.message}`, {
    details: { batchId },
  });
}

/** The undo of a batch for a request. */
interface Undo<Output> {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly batchId: number;
  readonly options: UndoOptions;
  /** The request under its key; undefined without one. */
  readonly request: KeyedRequest | undefined;
  readonly answerOf: (report: UndoReport) => Output;
}

/** Undoes the movements of a batch and returns their number. */
async function undoMovements(
  { batchId, options }: Pick<Undo<unknown>, 'batchId' | 'options'>,
  { queries, evaluate, insert }: BulkStockWrite,
  stamp: RecordedBatch['stamp'],
) {
  const stockRows = sortedStockRows();
  const refused = refusedRows();
  try {
    const rows = await collect(queries, batchId, stockRows);
    const policy = { allowShortage: options.allowShortage ?? false, onStale: 'fail' } as const;
    await evaluate({ kind: 'undo', stockRows, policy, refused, wasApplied: undefined, notes: noNotes });
    throwFirstRefusal(batchId, refused);
    if (options.dryRun !== true) await insert({ batchId, stamp });
    return rows;
  } finally {
    stockRows.close();
    refused.close();
  }
}

/** Undoes a bulk import for a request of any operation, see `undoBatch`. */
async function undoFor<Output>(undo: Undo<Output>): Promise<readonly Output[]> {
  const { engine, caller, batchId, options, request, answerOf } = undo;
  const note = options.note === undefined ? undefined : checkedNote(options.note);
  const bulk = bulkStock(engine);
  try {
    return await bulk.write(
      async (write) => {
        const work: WriteWork<readonly Output[]> = async (queries) => {
          await checkStillValid(queries, caller);
          const tx = writeTransaction(queries, caller, {});
          const batch = await requireUndoable(tx, batchId, options);
          const stamp = { at: tx.now, actor: caller.actor, source: caller.source, note };
          const rows = batch.kind === 'codes' ? await removeBatchCodes(queries, { engine, batchId, stamp }) : await undoMovements(undo, write, stamp);
          await tx.batches.markUndone(batchId);
          return [answerOf({ batch: { ...batch, state: 'undone' }, rows })];
        };
        return (request === undefined ? work : keyed(work, request, { ...options, readsFirst: false }))(write.queries);
      },
      { dryRun: options.dryRun },
    );
  } finally {
    bulk.close();
  }
}

/** Undoes a bulk import in one transaction and keeps later changes. Refuses with the first conflict, and then changes nothing. */
export async function undoBatch(engine: Engine, caller: Caller, batchId: number, options: UndoOptions): Promise<UndoReport> {
  const request = options.key === undefined ? undefined : keyedRequest(options.key, caller, ['undoBatch', batchId, options.allowShortage ?? false]);
  const [report] = await undoFor({ engine, caller, batchId, options, request, answerOf: (one) => one });
  return report as UndoReport;
}

/**
 * Undoes the bulk import that an operation with this input undoes, and answers as the operation does; undefined where it undoes none,
 * or where its key has an answer already.
 */
export async function undoImportOf<Input, Output>(
  engine: Engine,
  caller: Caller,
  operation: WriteOperation<unknown, Input, Output>,
  input: Input,
  { request, ...options }: CallOptions & Pick<Undo<Output>, 'request'>,
): Promise<readonly Output[] | undefined> {
  const found = await engine.read(async (queries) => {
    const isAnswered = request !== undefined && (await storedAnswer(queries, request)) !== undefined;
    return isAnswered ? undefined : operation.importToUndo?.(readTransaction(queries, caller), input);
  });
  if (found === undefined) return undefined;
  const { batchId, allowShortage, answer } = found;
  return undoFor({ engine, caller, batchId, options: { ...options, allowShortage }, request, answerOf: () => answer });
}
