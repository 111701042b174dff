import type { Batch, BatchDetails, BatchKey } from './batch.js';
import type { RowError } from './row-error.js';
import type { Slice } from '../values/pages.js';

/** Read access to the bulk imports. */
export interface BatchReader {
  get(id: number): Promise<BatchDetails | undefined>;
  list(slice: Slice<'id'>): Promise<readonly Batch[]>;
  count(): Promise<number>;
  /** The latest applied batch with a key: of any kind for a key chosen by the sender, of the same kind for the digest of a file. */
  applied(known: BatchKey): Promise<Batch | undefined>;
  /** The indexes of the refused rows of a batch, as the text that `insert` took. */
  refusedRows(id: number): Promise<string>;
}

/** The changes that closing a count makes. */
export interface CountBatch extends Pick<Batch, 'mode' | 'unchanged' | 'rejected'> {
  readonly countId: number;
  readonly note: string | undefined;
  readonly changed: number;
}

/** A bulk import to record. */
export interface BatchDraft extends Omit<Batch, 'id' | 'at' | 'actor' | 'note'>, BatchKey {
  /** The number of its entries in the ledger, which must follow at once. */
  readonly entries: number;
}

/** Write access to the bulk imports. */
export interface BatchWriter extends BatchReader {
  insert(draft: BatchDraft, errors: readonly RowError[], refusedRows: string): Promise<number>;
  /** Records the changes that closing a count makes; their entries in the ledger must follow at once. */
  insertCount(draft: CountBatch): Promise<number>;
  /** Marks a batch as undone. */
  markUndone(id: number): Promise<void>;
}
