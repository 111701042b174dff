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
import { removeBatchCodes } from './batch-codes.js';
import type { RecordedBatch } from './bulk-port.js';
import type { BulkStockWrite } from './bulk-stock.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { digestOf, storedAnswer } from '../replay.js';
import { readTransaction, writeTransaction } from '../transactions.js';
import type { Caller } from '../../domain/caller.js';
import { refusedRows, type RefusedRows } from './refused-rows.js';
import { sortedStockRows, type SortedStockRows } from './sorted-stock-rows.js';
import { sql } from '../sql.js';
import { keepReplay, type KeyedRequest } from '../tables/replay-table.js';
import { checkStillValid } from '../token-keeper.js';

const rowsPerRead = 10_000;
const noNotes = { at: () => '' };

interface Movement {
  readonly id: number;
  readonly petId: number;
  readonly delta: number;
}

/** Collects the entries of a batch that were not undone individually; newest first, because each undo starts from the quantity after its entry. */
async function collect(queries: Queries, batchId: number, stockRows: SortedStockRows): Promise<number> {
  let before = Number.MAX_SAFE_INTEGER;
  let count = 0;
  for (;;) {
    const rows = await queries.all<Movement>(sql`SELECT l.id, l.pet_id AS "petId", l.delta FROM ledger l
      WHERE l.batch_id = ${batchId} AND l.id < ${before} AND l.id >= (SELECT first_entry FROM batches WHERE id = ${batchId})
      AND l.kind IN ('count', 'adjust') AND NOT EXISTS (SELECT 1 FROM ledger r WHERE r.reverses = l.id)
      ORDER BY l.id DESC LIMIT ${rowsPerRead}`);
    for (const { id, petId, delta } of rows) stockRows.add(petId, -delta, undefined, id, count++);
    before = rows.at(-1)?.id ?? before;
    if (rows.length < rowsPerRead) return count;
  }
}

async function requireUndoable(tx: ReadTransaction, batchId: number, conditions: Conditions): Promise<BatchDetails> {
  const found = await tx.batches.get(batchId);
  if (found === undefined) throw notFound('batch', batchId);
  checkConditions(conditions, `Batch ${batchId}`, undefined);
  checkUndoable(found);
  return found;
}

function throwFirstRefusal(batchId: number, refused: RefusedRows): void {
  const [first] = refused.first();
  if (first === undefined) return;
  const others = refused.count() - 1;
  throw new StoreError(
    first.code,
    `Batch ${batchId} cannot be undone: ${others > 0 ? first.message.replace(/\.$/, ` (and ${others} more).`) : first.message}`,
    { details: { batchId } },
  );
}

/** The undo of a batch for a request. */
interface Undo<Answer> {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly batchId: number;
  readonly options: UndoOptions;
  /** The digest of the request, which is stored under its key. */
  readonly digest: string;
  /** The answer of the request, as it is stored under its key. */
  readonly answerOf: (report: UndoReport) => Answer;
}

/** The request of an undo under its key; undefined without one. */
function keyedRequest({ key }: Pick<UndoOptions, 'key'>, caller: Caller, digest: string): KeyedRequest | undefined {
  return key === undefined ? undefined : { key, sender: caller, digest, now: caller.clock() };
}

/** The stored answer of an earlier undo under the same key; refuses another request under that key. */
async function replay<Answer>(queries: Queries, { caller, options, digest }: Undo<Answer>): Promise<Answer | undefined> {
  const request = keyedRequest(options, caller, digest);
  const answer = request && (await storedAnswer(queries, request));
  return answer === undefined ? undefined : (JSON.parse(answer) as Answer);
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
async function undoFor<Answer>(undo: Undo<Answer>): Promise<Answer> {
  const { engine, caller, batchId, options, digest, answerOf } = undo;
  const note = options.note === undefined ? undefined : checkedNote(options.note);
  const bulk = await engine.bulkStock();
  try {
    const { answer, isReplayed } = await bulk.write(
      async (write) => {
        const { queries } = write;
        const replayed = await replay(queries, undo);
        if (replayed) return { answer: replayed, isReplayed: true };
        await checkStillValid(queries, caller);
        const tx = await writeTransaction(queries, caller, {});
        const batch = await requireUndoable(tx, batchId, options);
        const stamp = { at: tx.now, actor: caller.actor, source: caller.source, note };
        const rows = batch.kind === 'codes' ? await removeBatchCodes(queries, { engine, batchId, stamp }) : await undoMovements(undo, write, stamp);
        await tx.batches.markUndone(batchId);
        const done = answerOf({ batch: { ...batch, state: 'undone' }, rows });
        const request = keyedRequest(options, caller, digest);
        if (request) await keepReplay(queries, request, JSON.stringify(done));
        return { answer: done, isReplayed: false };
      },
      { dryRun: options.dryRun },
    );
    if (isReplayed) options.onReplay?.();
    return answer;
  } finally {
    await bulk.close();
  }
}

/** Undoes a bulk import in one transaction and keeps later changes. Refuses with the first conflict, and then changes nothing. */
export async function undoBatch(engine: Engine, caller: Caller, batchId: number, options: UndoOptions): Promise<UndoReport> {
  const digest = await digestOf(['undoBatch', batchId, options.allowShortage ?? false]);
  return undoFor({ engine, caller, batchId, options, digest, answerOf: (report) => report });
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
  options: CallOptions,
): Promise<readonly Output[] | undefined> {
  const digest = await digestOf([operation.id, [input]]);
  const found = await engine.read(async (queries) => {
    const request = keyedRequest(options, caller, digest);
    const answer = request && (await storedAnswer(queries, request));
    return answer === undefined ? operation.importToUndo?.(readTransaction(queries, caller), input) : undefined;
  });
  if (found === undefined) return undefined;
  const { batchId, allowShortage, answer } = found;
  return undoFor({ engine, caller, batchId, options: { ...options, allowShortage }, digest, answerOf: (): readonly Output[] => [answer] });
}
