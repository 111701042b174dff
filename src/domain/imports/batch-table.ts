import type { BatchDetails, Batch } from './batch.js';
import type { BatchKey } from './import-report.js';
import type { RowError } from './row-error.js';
import type { Slice } from '../values/pages.js';

/** The bulk imports, for reading. */
export interface BatchReader {
  get(id: number): Promise<BatchDetails | undefined>;
  list(slice: Slice<'id'>): Promise<readonly Batch[]>;
  count(bound?: number): Promise<number>;
  /** The latest batch whose rows were applied under a key: any batch of its sender, or those of this kind where nobody chose the key. */
  applied(known: BatchKey): Promise<Batch | undefined>;
  /** The places of the rows a batch refused, such as "3-5,9". */
  refusedRows(id: number): Promise<string>;
}

/** The bulk imports. */
export interface BatchWriter extends BatchReader {
  insert(draft: Omit<Batch, 'id' | 'at' | 'actor' | 'note'> & BatchKey, errors: readonly RowError[], refusedRows: string): Promise<number>;
  /** Marks a batch as undone. */
  markUndone(id: number): Promise<void>;
}
