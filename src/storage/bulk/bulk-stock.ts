import type { Engine } from '../engine.js';
import type { Queries, WriteOptions, WriteQueries } from '../queries.js';
import { highestId } from '../tables/ids.js';
import { stageRows, type BulkOutcome, type BulkStockChange } from './stage-stock.js';
import type { RecordedBatch, StagedRows } from './staged-rows.js';
import { refuseAfterRestore } from './pet-look-ups.js';

/** The staged rows and the state of the shop they are based on. */
interface Staged {
  readonly change: BulkStockChange;
  readonly outcome: BulkOutcome;
  /** The newest ledger entry at that time. */
  readonly newest: number;
  readonly rows: StagedRows;
}

/** A bulk stock change inside its write transaction. */
export interface BulkStockWrite {
  readonly queries: WriteQueries;
  /** As of `BulkStock`. Evaluates again only if the shop has changed since this change was evaluated: every change has a ledger entry. */
  readonly evaluate: (change: BulkStockChange) => Promise<BulkOutcome>;
  /** Applies the change that was evaluated last. */
  readonly insert: (batch: RecordedBatch) => Promise<void>;
}

/** A bulk stock change: evaluated without a lock on the shop, then applied in one short write transaction. */
export function bulkStock({ read, write, insertStock }: Pick<Engine, 'read' | 'write' | 'insertStock'>) {
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
      staged = { change, newest, ...(await stageRows(queries, change)) };
    }
    return staged.outcome;
  };
  const insertStaged = async (queries: Queries, batch: RecordedBatch): Promise<void> => {
    if (staged === undefined) throw new Error('Nothing was evaluated.');
    const { change, rows } = staged;
    await insertStock(queries, { kind: change.kind, notes: change.notes, blocks: rows.blocks }, batch);
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

/** A bulk stock change that was begun. */
export type BulkStock = ReturnType<typeof bulkStock>;
