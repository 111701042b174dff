import type { Sender } from './sender.js';
import type { LedgerSource } from './ledger/ledger-entry.js';
import type { Scope } from './tokens/token.js';

/** Who calls an operation, through which interface (CLI, HTTP, import), and the clock to use. */
export interface Caller extends Sender {
  readonly source: LedgerSource;
  /** The scopes of the access token of the request; undefined if it has none, which allows everything. */
  readonly scopes?: readonly Scope[] | undefined;
  /** The current time, in ms since 1970. */
  readonly clock: () => number;
}
