import type { StopSignal } from '../../domain/imports/import-options.js';
import type { StockRowKind, StockChange, StockPolicy } from '../../domain/imports/stock-change.js';
import type { RefusedRows } from './refused-rows.js';
import type { SortedStockRows } from './sorted-stock-rows.js';
import type { TextFile } from './text-file.js';

/** A change of the stock of many pets: a count, an adjustment, or the undo of a batch. */
export interface BulkStockChange {
  readonly kind: StockRowKind;
  readonly stockRows: SortedStockRows;
  readonly policy: StockPolicy;
  /** Collects the rows that conflict with the state of the shop. */
  readonly refused: RefusedRows;
  /** Whether an earlier import of this file applied the row with this index; undefined without an earlier import. */
  readonly wasApplied: ((rowIndex: number) => boolean) | undefined;
  /** The notes of rows, by the position stored with them. */
  readonly notes: Pick<TextFile, 'at'>;
  /** Aborts the work, for example when the client has disconnected. */
  readonly signal?: StopSignal | undefined;
  /** Called with the quantities before and after each row that is not refused. */
  readonly onChange?: ((rowIndex: number, before: number, after: number) => void) | undefined;
}

/** What a bulk stock change does to the present state of the shop. */
export interface BulkOutcome {
  readonly applied: number;
  /** The ledger entries that it writes. */
  readonly entries: number;
  readonly unchanged: number;
  /** Rows that an earlier import of the file applied. */
  readonly alreadyApplied: number;
  /** Live pets that no row names. */
  readonly notInFile: number;
  readonly toZero: number;
  /** The first changes, ordered by pet. */
  readonly changes: readonly Omit<StockChange, 'name'>[];
}

/** The batch to which the new ledger rows belong. Without a stamp they take time and actor from the batch. */
export interface RecordedBatch {
  readonly batchId: number;
  readonly stamp?: { readonly at: number; readonly actor: string; readonly source: string; readonly note: string | undefined } | undefined;
}
