import type { Sender } from './keys.js';
import type { LedgerSource } from './ledger/ledger-entry.js';

/** Who calls an operation, through which interface (CLI, HTTP, import), and the clock to use. */
export interface Caller extends Sender {
  readonly source: LedgerSource;
  /** The current time, in ms since 1970. */
  readonly clock: () => number;
}
