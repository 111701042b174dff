import type { StoreError } from '../../domain/errors.js';
import type { NumberedTable, Queries } from '../queries.js';

/** The transactions that `groupedWrites` needs from an engine, one at a time. */
export interface WritePort {
  /**
   * Begins an exclusive write transaction and waits at most `waitMs` for the lock. Returns `store_busy` or a transient
   * refusal instead of throwing it; throws everything else.
   */
  readonly lock: (waitMs: number) => Promise<StoreError | undefined>;
  /** The queries of the current transaction. */
  readonly queries: Queries;
  /** Absent where a statement is answered at once, so that writes are as fast one after the other. */
  readonly pipeline?: Pipeline;
  /**
   * Commits. Settles when the outcome is known for certain, or about at `deadlineMs` of `monotonicNow`: then with a refusal,
   * after which the transaction must not be repeated.
   */
  readonly commit: (deadlineMs: number) => void | Promise<void>;
  /** Rolls back; does nothing when the transaction has already ended. */
  readonly rollback: () => void | Promise<void>;
  /** Whether an error ended the whole transaction, not only the statement. */
  readonly endsTransaction: (error: unknown) => boolean;
  /** Whether the same transaction may succeed when it is repeated. */
  readonly isTransient: (error: unknown) => boolean;
  /** The refusal that explains an error; an unexpected error unchanged. */
  readonly explain: (error: unknown) => unknown;
}

/** A connection that takes statements while earlier ones wait for their answers, and runs them in the order in which they came. */
export interface Pipeline {
  /** Takes the next id of a table in the current transaction, so that nothing waits for the answer of an insert. */
  readonly takeId: (table: NumberedTable) => number;
  /** Runs the writes of a group, and breaks the connection if a statement is not answered in time. */
  readonly withDeadline: <T>(run: () => Promise<T>) => Promise<T>;
}
