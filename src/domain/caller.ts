import type { Sender } from './keys.js';
import type { LedgerSource } from './ledger/ledger-entry.js';

/** Who works on the shop, through which door, and by which clock. */
export interface Caller extends Sender {
  readonly source: LedgerSource;
  /** The present instant, ms since 1970. */
  readonly clock: () => number;
}
