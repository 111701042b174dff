import { StoreError } from '../../domain/errors.js';
import type { Queries, Work, WriteOptions } from '../queries.js';
import { sql } from '../sql.js';
import { highestId } from '../tables/ids.js';
import { countLive } from '../tables/pet-table.js';
import type { Stamp } from '../tables/ledger-table.js';
import { stageRows, type BulkOutcome, type BulkStockChange, type EvaluationTotals } from './stage-stock.js';
import type { StagedRows } from './staged-rows.js';

/** The batch to which the new ledger rows belong. Without a stamp they take time and actor from the batch. */
export interface RecordedBatch {
  readonly batchId: number;
  readonly stamp?: Stamp | undefined;
}

/** The rows that a bulk stock change writes to the ledger, in their order. */
export interface RowsToWrite extends Pick<BulkStockChange, 'kind' | 'notes'> {
  readonly blocks: StagedRows['blocks'];
}

/** What an engine does for a bulk stock change, on a connection that nothing else uses meanwhile. */
export interface StockPort {
  /** Runs work on one read snapshot; again from the start after a lost connection. */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Runs work in one write transaction, as `Engine.write` does. */
  readonly write: <T>(work: Work<T>, options?: WriteOptions) => Promise<T>;
  /** Inserts the rows into the ledger as entries of a batch, and sets the stock to the quantities that they state. */
  readonly insert: (queries: Queries, rows: RowsToWrite, batch: RecordedBatch) => Promise<void>;
}

/** The staged rows and the state of the shop they are based on. */
interface Staged {
  readonly change: BulkStockChange;
  readonly outcome: BulkOutcome;
  /** The newest ledger entry at that time. */
  readonly newest: number;
  readonly rows: StagedRows;
}

/** Evaluates all rows on the present state of the shop. */
async function stageAll(queries: Queries, change: BulkStockChange, newest: number): Promise<Staged> {
  change.refused.clearProvisional();
  const totals: EvaluationTotals = { evaluated: 0, alreadyApplied: 0, notInFile: await countLive(queries), changes: [] };
  const rows = await stageRows(queries, change, totals);
  const { evaluated, ...others } = totals;
  const { rows: entries, applied, toZero } = rows.totals;
  const outcome = { applied, entries, unchanged: evaluated - applied - change.refused.countProvisional(), toZero, ...others };
  return { change, outcome, newest, rows };
}

/** Refuses with `store_busy` if the shop was restored after this entry: the pets of the change are those of the replaced shop. */
async function refuseAfterRestore(queries: Queries, newest: number): Promise<void> {
  if ((await queries.get(sql`SELECT 1 FROM ledger WHERE id > ${newest} AND kind = 'shop.restored'`)) === undefined) return;
  throw new StoreError('store_busy', 'The shop was restored from a backup in the meantime; nothing was changed.', {
    advice: 'Check the shop, then run the command again.',
  });
}

/** A bulk stock change inside its write transaction. */
export interface BulkStockWrite {
  readonly queries: Queries;
  /** As of `BulkStock`. Evaluates again only if the shop has changed since this change was evaluated: every change has a ledger entry. */
  readonly evaluate: (change: BulkStockChange) => Promise<BulkOutcome>;
  /** Applies the change that was evaluated last. */
  readonly insert: (batch: RecordedBatch) => Promise<void>;
}

/** A bulk stock change: evaluated without a lock on the shop, then applied in one short write transaction. */
export function bulkStock({ read, write, insert }: StockPort) {
  let staged: Staged | undefined;
  const discard = (): void => {
    staged?.rows.close();
    staged = undefined;
  };
  const evaluate = async (queries: Queries, change: BulkStockChange): Promise<BulkOutcome> => {
    const newest = await highestId(queries, 'ledger');
    if (staged !== undefined && staged.newest !== newest) await refuseAfterRestore(queries, staged.newest);
    if (staged?.change !== change || staged.newest !== newest) {
      discard();
      staged = await stageAll(queries, change, newest);
    }
    return staged.outcome;
  };
  const insertStaged = async (queries: Queries, batch: RecordedBatch): Promise<void> => {
    if (staged === undefined) throw new Error('Nothing was evaluated.');
    const { change, rows } = staged;
    await insert(queries, { kind: change.kind, notes: change.notes, blocks: rows.blocks }, batch);
  };
  return {
    /** Evaluates a change on a read snapshot. Refused rows go to `change.refused`. Refuses with `store_full` when there is no room for its rows. */
    evaluate: (change: BulkStockChange): Promise<BulkOutcome> => read((queries) => evaluate(queries, change)),
    /** Runs work in one write transaction. Refuses with `store_busy` when the lock is not released in time. */
    write: <T>(work: (write: BulkStockWrite) => Promise<T>, options?: WriteOptions): Promise<T> =>
      write((queries) => work({ queries, evaluate: (change) => evaluate(queries, change), insert: (batch) => insertStaged(queries, batch) }), options),
    close: discard,
  };
}

/** A bulk stock change that an engine has opened. */
export type BulkStock = ReturnType<typeof bulkStock>;
