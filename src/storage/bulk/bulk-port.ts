import type { StopSignal } from '../../domain/imports/import-options.js';
import type { PetDraft } from '../../domain/imports/pet-row.js';
import type { StockRowKind, StockChange, StockPolicy } from '../../domain/imports/stock-change.js';
import type { Queries } from '../queries.js';
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

/** A pet of an import file, waiting to be created; `opening` is the quantity on hand it starts with. */
export interface StagedPet {
  readonly draft: PetDraft;
  readonly rowIndex: number;
  readonly folded: string;
  readonly hold: 0 | 1;
  readonly opening: number;
}

/** A category name as written in the file, and the first line that has it. */
export interface StagedCategory {
  readonly category: string;
  readonly line: number;
}

/** The position of a staged pet in its file. */
export interface StagedPosition {
  readonly rowIndex: number;
  readonly line: number;
}

/** The staged pets, inside the transaction that creates them. */
export interface StagedPets {
  /** Keeps only the rows with these indexes, given in ascending order; returns how many it removed. */
  readonly keepOnly: (rowIndexes: Iterable<number>) => Promise<number>;
  /** Removes the rows with these indexes. */
  readonly remove: (rowIndexes: Iterable<number>) => Promise<void>;
  /** The distinct spellings, in file order. */
  readonly categories: () => Promise<readonly StagedCategory[]>;
  /** Removes the pets of a category and calls `onRemoved` for each; does nothing for an unknown spelling. */
  readonly removeCategory: (category: string, onRemoved: (position: StagedPosition) => void) => Promise<void>;
  readonly count: () => Promise<{ readonly pets: number; readonly held: number }>;
}

/** How the staged pets are created. */
export interface PetCreation {
  readonly batchId: number;
  /** The category ids, by spelling in the file. */
  readonly categories: ReadonlyMap<string, number>;
  /** What follows in the same transaction; called with the id before that of the first pet. */
  readonly next: (queries: Queries, last: number) => Promise<void>;
}
