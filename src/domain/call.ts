import type { Conditions } from './conditions.js';
import type { Operation } from './operation.js';

/** Options of one request, besides its input. */
export interface CallOptions extends Conditions {
  /** Runs the operation and rolls it back. */
  readonly dryRun?: boolean | undefined;
  /** Idempotency key: a repeated request with the same key returns the first result and changes nothing. */
  readonly key?: string | undefined;
  /** A note, stored in every ledger row of the request. */
  readonly note?: string | undefined;
  /** How long the caller has waited for the store already, in ms: the store waits that much less for a lock or a connection. */
  readonly waitedMs?: number | undefined;
  /** Called when the result is that of an earlier request with the same key. */
  readonly onReplay?: () => void;
}

/** Runs one operation on a shop, local or remote. */
export type Call = <RawInput, Input, Output>(operation: Operation<RawInput, Input, Output>, input: RawInput, options?: CallOptions) => Promise<Output>;
