import type { LedgerKind, LedgerEntry, LedgerSubject, LedgerDraft } from './ledger-entry.js';
import type { Slice } from '../values/pages.js';

/** Which ledger rows are asked for. */
export interface LedgerFilter {
  readonly petId?: readonly number[] | undefined;
  readonly orderId?: readonly number[] | undefined;
  readonly batchId?: readonly number[] | undefined;
  readonly kind?: readonly LedgerKind[] | undefined;
  readonly actor?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The ledger, for reading. */
export interface LedgerReader {
  list(filter: LedgerFilter, slice: Slice<'id'>): Promise<readonly LedgerEntry[]>;
  count(filter: LedgerFilter, bound?: number): Promise<number>;
  get(id: number): Promise<LedgerEntry | undefined>;
  /** The row that took a row back. */
  undoneBy(id: number): Promise<number | undefined>;
  /** The id of a record's last row: the record's version. */
  version(subject: LedgerSubject): Promise<number>;
  /** When a record's first and last rows were written. */
  lifetime(subject: LedgerSubject): Promise<{ readonly createdAt: string; readonly updatedAt: string }>;
  /** The last row that moved units of a pet. */
  lastMovement(petId: number): Promise<LedgerEntry | undefined>;
}

/** The ledger. */
export interface LedgerWriter extends LedgerReader {
  append(draft: LedgerDraft): Promise<void>;
  /** Writes the row of every pet without a level of its own that crosses the store's low level as that changes. */
  appendCrossings(before: number | null, after: number | null): Promise<void>;
}
