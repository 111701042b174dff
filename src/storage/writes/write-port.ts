import type { StoreError } from '../../domain/errors.js';
import { expiringQueries } from '../expiring-queries.js';
import type { NumberedTable, WriteQueries, WriteWork } from '../queries.js';

/** The transactions that `groupedWrites` needs from an engine, one at a time. */
export interface WritePort {
  /**
   * Begins an exclusive write transaction and waits at most `waitMs` for the lock. Returns `store_busy` or a transient
   * refusal instead of throwing it; throws everything else.
   */
  readonly lock: (waitMs: number) => Promise<StoreError | undefined>;
  /** The queries of the current transaction. */
  readonly queries: WriteQueries;
  /** Absent where a statement is answered at once, so that writes are as fast one after the other. */
  readonly pipeline?: Pipeline;
  /**
   * Commits. Settles when the outcome is known for certain, or about at `deadlineMs` of `monotonicNow`: then with a refusal,
   * after which the transaction must not be repeated.
   */
  readonly commit: (deadlineMs: number) => void | Promise<void>;
  /** Rolls back; does nothing when the transaction has already ended. */
  readonly rollback: () => void | Promise<void>;
  /** Whether a group must be rolled back at once, whatever its other writes did. */
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

/** A write in the queue of `groupedWrites`. */
export interface WaitingWrite {
  readonly work: WriteWork<unknown>;
  /** Whether it is rolled back after its work has succeeded. */
  readonly dryRun: boolean;
  /** When the write gives up, in ms of `monotonicNow`. */
  readonly deadlineMs: number;
  /** The time of its changes, in ms since 1970. */
  readonly at: number;
  /** The existing records that it reads or changes; undefined when it may be any. */
  readonly records: readonly string[] | undefined;
  /** Whether it runs in a transaction of its own, so that it can be rolled back. */
  readonly isAlone: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How a write ended; `settle` reports it to the caller, after the end of the transaction. */
export interface Attempt {
  readonly one: WaitingWrite;
  /** Whether its changes are to be committed. */
  readonly isKept: boolean;
  readonly settle: () => void;
}

/** The attempts of a group, without the writes that have not begun, and the statements that no write has waited for. */
export interface Attempts {
  readonly attempts: readonly Attempt[];
  readonly sent?: readonly Promise<unknown>[];
}

/** Thrown when a write of a group has failed after its first change: the group is rolled back, and its writes run again, each alone. */
export class RunAloneError extends Error {}

/** Runs one write. Throws `RunAloneError` when it has failed after its first change, unless it is the only one of its transaction. */
export async function runOne(
  port: WritePort,
  one: WaitingWrite,
  { queries, isOnly }: { readonly queries: WriteQueries; readonly isOnly: boolean },
): Promise<Attempt> {
  const scope = expiringQueries(queries);
  try {
    const result = await one.work(scope.queries);
    // PostgreSQL accepts no further statement after a failed one, even if the write goes on.
    if (!isOnly && scope.hasFailed()) throw new RunAloneError();
    return { one, isKept: !one.dryRun, settle: () => one.resolve(result) };
  } catch (error) {
    if (error instanceof RunAloneError || port.endsTransaction(error)) throw error;
    if (!isOnly && (scope.hasFailed() || scope.hasChanged())) throw new RunAloneError();
    return { one, isKept: false, settle: () => one.reject(port.explain(error)) };
  } finally {
    scope.end();
  }
}
