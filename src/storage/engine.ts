import type { StockChange, StopSignal } from '../domain/imports/import-report.js';
import type { MoveKind, StockPolicy } from '../domain/imports/stock-move.js';
import type { RefusedRows } from './bulk/refused-rows.js';
import type { SortedFigures } from './bulk/sorted-figures.js';
import type { Sql } from './sql.js';
import type { TextFile } from './bulk/text-file.js';

/** What an operation's tables may do inside its transaction; refused once the transaction has ended. */
export interface Queries {
  /** All rows of a query. */
  readonly all: <Row>(query: Sql) => Promise<readonly Row[]>;
  /** All rows of a query as arrays in the order of its columns: to name the values of a long list takes as long as to find them. */
  readonly rows: <Row extends readonly unknown[]>(query: Sql) => Promise<readonly Row[]>;
  /** The first row of a query, or undefined. */
  readonly get: <Row>(query: Sql) => Promise<Row | undefined>;
  /** Runs a statement and answers the number of rows it changed. */
  readonly run: (query: Sql) => Promise<number>;
  /** The condition that a text holds one of these characters, up to a NUL, as the engine spells it; none of them may be `]`, `^` or `-`. */
  readonly containsAnyOf: (text: Sql, characters: string) => Sql;
}

/** Work done inside one transaction. */
export type Work<T> = (queries: Queries) => Promise<T>;

/** Many moves of stock at once. */
export interface BulkStockChange {
  readonly kind: MoveKind;
  readonly figures: SortedFigures;
  readonly policy: StockPolicy;
  /** Where the rows that are refused for the state of the shop are collected. */
  readonly refused: RefusedRows;
  /** The row indexes that are passed over, because an earlier run applied them. */
  readonly skip: (rowIndex: number) => boolean;
  /** The notes of single rows, by where their figures say they are kept. */
  readonly notes: Pick<TextFile, 'at'>;
  /** Stops the work when nobody waits for it any more. */
  readonly signal?: StopSignal | undefined;
  /** Told the quantities before and after each figure that is not refused. */
  readonly onMove?: ((rowIndex: number, before: number, after: number) => void) | undefined;
}

/** What many moves come to, given the shop as it is. */
export interface BulkOutcome {
  readonly applied: number;
  readonly unchanged: number;
  /** Figures that were passed over because an earlier run applied them. */
  readonly alreadyApplied: number;
  /** How many live pets no move names. */
  readonly others: number;
  readonly toZero: number;
  /** The first changes in the order of the pets. */
  readonly changes: readonly Omit<StockChange, 'name'>[];
}

/** What the ledger rows of the moves belong to; without a stamp their time and actor are those of the batch. */
export interface RecordedBatch {
  readonly batchId: number;
  readonly stamp?: { readonly at: number; readonly actor: string; readonly source: string; readonly note: string | undefined };
}

/** Many moves of stock, prepared in private and applied in one short transaction. */
export interface BulkStock {
  /** Works out the moves on a read snapshot; the shop is not locked. */
  readonly stage: (moves: BulkStockChange) => Promise<BulkOutcome>;
  /**
   * Applies them in one write transaction. What changed since is worked out again first; then `decide` records the
   * batch and answers what the rows belong to, or undefined to apply nothing. Refuses with `store_unreachable` when the
   * database has lost some of what was staged.
   */
  readonly apply: (decide: (queries: Queries, outcome: BulkOutcome) => Promise<RecordedBatch | undefined>) => Promise<BulkOutcome>;
  readonly close: () => Promise<void>;
}

/** A pet of a file as it waits to be created; `opening` is the number on hand to begin with. */
export interface StagedPet {
  readonly rowIndex: number;
  readonly line: number;
  readonly name: string;
  readonly folded: string;
  /** The category as the file spells it. */
  readonly category: string;
  readonly hold: boolean;
  readonly opening: number;
}

/** A spelling of a category, and the first line it stands on. */
export interface StagedCategory {
  readonly category: string;
  readonly line: number;
}

/** Where a pet stood in its file. */
export interface StagedPosition {
  readonly rowIndex: number;
  readonly line: number;
}

/** The pets that wait, inside the transaction that creates them. */
export interface StagedPets {
  /** Leaves only the rows at these row indexes, which come in ascending order; answers how many it took out. */
  readonly keepOnly: (rowIndexes: Iterable<number>) => Promise<number>;
  /** The spellings in the order in which the file brings them. */
  readonly categories: () => Promise<readonly StagedCategory[]>;
  /** Takes the pets of a category out and tells where each stood. */
  readonly removeCategory: (category: string, tell: (rowIndex: StagedPosition) => void) => Promise<void>;
  readonly count: () => Promise<number>;
}

/** What becomes of the pets that wait. */
export interface PetCreation {
  readonly batchId: number;
  /** The ids of their categories, by the spellings of the file. */
  readonly categories: ReadonlyMap<string, number>;
  /** How many pets there are to create. */
  readonly pets: number;
}

/** Many pets, prepared in private and created in one short transaction. */
export interface BulkPets {
  readonly add: (pets: readonly StagedPet[]) => Promise<void>;
  /**
   * Creates what `decide` leaves, in the batch and the categories it answers; nothing when it answers undefined. Refuses
   * with `store_unreachable` when the database has lost some of the pets that were added.
   */
  readonly create: (decide: (queries: Queries, drafts: StagedPets) => Promise<PetCreation | undefined>, keep: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One value of a row as it stands in its table. */
export type Cell = string | number | null;

/** A table into which rows are put: what its columns hold, in the order of the cells. */
export interface TableLayout {
  readonly name: string;
  readonly columns: Readonly<Record<string, 'number' | 'text'>>;
}

/** Where a shop's rows live. */
export interface Engine {
  /** Runs work on one read snapshot. With `again` it is done again from its beginning when the connection is lost; it must not have told anybody yet what it read. */
  readonly read: <T>(work: Work<T>, again?: boolean) => Promise<T>;
  /** Runs work in one write transaction, kept when it succeeds unless `keep` is false. */
  readonly write: <T>(work: Work<T>, keep?: boolean) => Promise<T>;
  /** Opens a private connection for many moves of stock. */
  readonly bulkStock: () => Promise<BulkStock>;
  /** Opens a private connection for many new pets. */
  readonly bulkPets: () => Promise<BulkPets>;
  /** Puts rows into a table, inside a write transaction of this engine and the quickest way it has. */
  readonly insertRows: (queries: Queries, layout: TableLayout, rows: readonly (readonly Cell[])[]) => Promise<void>;
  readonly close: () => Promise<void>;
}
