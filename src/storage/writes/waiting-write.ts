import type { Work } from '../queries.js';
import type { WritePort } from './write-port.js';

/** A write in the queue of `groupedWrites`. */
export interface WaitingWrite {
  readonly work: Work<unknown>;
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

/** A write that was refused and has changed nothing. */
export function refused(port: WritePort, one: WaitingWrite, error: unknown): Attempt {
  return { one, isKept: false, settle: () => one.reject(port.explain(error)) };
}
