import type { LedgerKind, LedgerEntry, LedgerSubject, LedgerDraft, SubjectField } from './ledger-entry.js';
import type { Slice } from '../values/pages.js';

/** Selects ledger rows. */
export interface LedgerFilter extends Readonly<Partial<Record<SubjectField, readonly number[] | undefined>>> {
  readonly batchId?: readonly number[] | undefined;
  readonly kind?: readonly LedgerKind[] | undefined;
  readonly actor?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only entries with a greater id. */
  readonly after?: number | undefined;
  /** Leaves out the entries of bulk imports. */
  readonly withoutBatches?: true;
}

/** Read access to the ledger. */
export interface LedgerReader {
  list(filter: LedgerFilter, slice: Slice<'id'>): Promise<readonly LedgerEntry[]>;
  count(filter: LedgerFilter): Promise<number>;
  get(id: number): Promise<LedgerEntry | undefined>;
  /** The id of the row that undid a row. */
  undoneBy(id: number): Promise<number | undefined>;
  /** Those of these entries that were undone. */
  undoneAmong(ids: readonly number[]): Promise<readonly number[]>;
  /** The change that each of these entries belongs to, as the id of its first entry; none for entries of imports and for a restore. */
  changesOf(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** The version of a record: the id of its last row. */
  version(subject: LedgerSubject): Promise<number>;
  /** The last row that moved units of a pet. */
  lastMovement(petId: number): Promise<LedgerEntry | undefined>;
  /** The times of the last sales of an order, as texts. */
  lastSales(orderId: number, limit: number): Promise<readonly string[]>;
}

/** Write access to the ledger. */
export interface LedgerWriter extends LedgerReader {
  append(draft: LedgerDraft): Promise<void>;
  /** Writes a row for each pet without its own low-stock level that becomes low, or no longer is, when the shop's level changes; after the row of that change. */
  appendCrossings(before: number | null, after: number | null): Promise<void>;
}
