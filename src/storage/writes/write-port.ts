import type { StoreError } from '../../domain/errors.js';
import type { Queries, Work } from '../queries.js';

/** How a write that ran beside others ended: with its result, refused, or it has to run again, alone or in a later group. */
export type WorkOutcome = { readonly value: unknown } | { readonly error: unknown } | 'alone' | 'later';

/** A group of writes that run side by side in one transaction. */
export interface SideBySide {
  /** Whether none of them can run beside another one: each has to run alone. */
  readonly isEmpty: boolean;
  /** Sends the first statements. Called each time that the statement which takes the lock was sent. */
  readonly begin: () => void;
  /**
   * Runs the writes once the lock is held, and returns their outcomes in order; without a result among them, the
   * transaction has to be rolled back. `sent` settles when the last changes were made;
   * the commit may be sent before that. After an error the transaction can only be rolled back.
   */
  readonly perform: () => Promise<{ readonly outcomes: readonly WorkOutcome[]; readonly sent: Promise<void> }>;
}

/** The transactions that `groupedWrites` needs from an engine, one at a time. */
export interface WritePort {
  /**
   * Begins an exclusive write transaction and waits at most `waitMs` for the lock. Returns `store_busy` or a transient
   * refusal instead of throwing it; throws everything else. `onSent` is called when the statement was sent.
   */
  readonly lock: (waitMs: number, onSent?: () => void) => Promise<StoreError | undefined>;
  /** Prepares writes that run side by side; undefined where one after the other takes no longer. */
  readonly sideBySide?: (works: readonly Work<unknown>[]) => Promise<SideBySide>;
  /** The queries of the current transaction. */
  readonly queries: Queries;
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
