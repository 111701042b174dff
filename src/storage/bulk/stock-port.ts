import type { Engine } from '../engine.js';
import type { Queries, Work } from '../queries.js';
import type { BulkStockChange, RecordedBatch } from './bulk-port.js';
import type { StagedRows } from './staged-rows.js';

/** The rows that a bulk stock change writes to the ledger, in their order. */
export interface RowsToWrite extends Pick<BulkStockChange, 'kind' | 'notes'> {
  readonly blocks: StagedRows['blocks'];
  readonly count: number;
  /** The pets that changed since `send`: the rows that were sent of them no longer hold, and those in `again` take their place. */
  readonly changedPets: ReadonlySet<number>;
  readonly again: StagedRows | undefined;
  readonly livePets: number;
}

/** What an engine does for a bulk import, on a private connection. */
export interface BulkPort {
  /** Runs work in one write transaction, as `Engine.write` does. */
  readonly write: Engine['write'];
  readonly close: () => Promise<void>;
}

/** What an engine does for a bulk stock change. */
export interface StockPort extends BulkPort {
  /** Runs work on one read snapshot; again from the start after a lost connection. */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Stores staged rows where `insert` finds them, in place of those that were sent before. Takes no lock. */
  readonly send: (rows: StagedRows, notes: BulkStockChange['notes']) => Promise<void>;
  /** Inserts the rows into the ledger as entries of a batch, and sets the stock to the quantities that they state. */
  readonly insert: (queries: Queries, rows: RowsToWrite, batch: RecordedBatch) => Promise<void>;
}
