import type { RecordedBatch, RowsToWrite } from './bulk/staged-rows.js';
import type { Queries, ReadOptions, Work, WriteOptions, WriteWork } from './queries.js';
import type { InsertRows } from './tables/columns.js';

/**
 * The port that a storage engine implements. Every member may refuse with `store_unreachable` (PostgreSQL only),
 * `store_unreadable` (damaged, removed or replaced) or with an error that the work throws; any other error is a bug.
 */
export interface Engine {
  /** Runs work on one read snapshot. Refuses with `store_busy` when no snapshot can be taken in time. */
  readonly read: <T>(work: Work<T>, options?: ReadOptions) => Promise<T>;
  /**
   * Runs work in one write transaction, one writer at a time; commits when it succeeds. The work may run more than once
   * (PostgreSQL, after a conflict). Refuses with `store_busy`, `store_read_only` or `store_full`.
   */
  readonly write: <T>(work: WriteWork<T>, options?: WriteOptions) => Promise<T>;
  /** A number that another commit changes; undefined before the first read, and where it costs as much as a read. Throws where a read refuses. */
  readonly changeMark: () => number | undefined;
  /** Inserts rows inside a write transaction of this engine, in the fastest way the engine has; those of several calls in the order of the calls, even if none is awaited. */
  readonly insertRows: InsertRows;
  /** Inserts the rows into the ledger as entries of a batch, and sets the stock to the quantities that they state. */
  readonly insertStock: (queries: Queries, rows: RowsToWrite, batch: RecordedBatch) => Promise<void>;
  /** Collects the statistics from which queries are planned, after many rows were written; absent where plans do not need them. */
  readonly updateStatistics?: () => Promise<void>;
  /** Refuses with `store_read_only` when the shop cannot be written to, for example on a standby. Waits for no lock. */
  readonly checkWritable: () => Promise<void>;
  /** Closes all connections. Do not use the engine afterwards. */
  readonly close: () => Promise<void>;
}
