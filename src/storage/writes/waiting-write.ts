import type { Work } from '../queries.js';
import type { WritePort } from './write-port.js';

/** A write in the queue of `groupedWrites`. */
export interface WaitingWrite {
  readonly work: Work<unknown>;
  /** Whether it is rolled back after its work has succeeded. */
  readonly dryRun: boolean;
  /** When the write gives up, in ms of `monotonicNow`. */
  readonly deadlineMs: number;
  /** Whether it runs in a savepoint of its own, so that it can be rolled back alone. */
  readonly inSavepoint: boolean;
  /** Whether it runs after the other writes of its transaction, not beside them. */
  readonly isAlone: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Rolls back after a failed write. If that fails too, the state of the transaction is unknown, and every write of the group is rejected. */
export async function rollBack(port: WritePort, writes: readonly WaitingWrite[], cause: unknown): Promise<void> {
  try {
    await port.rollback();
  } catch (error) {
    for (const { reject } of writes) reject(port.explain(cause));
    throw port.explain(error);
  }
}
