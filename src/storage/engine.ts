import type { StopSignal } from '../domain/imports/import-options.js';
import type { PetDraft } from '../domain/imports/pet-row.js';
import type { FigureKind, StockChange, StockPolicy } from '../domain/imports/stock-figure.js';
import type { RefusedRows } from './bulk/refused-rows.js';
import type { SortedFigures } from './bulk/sorted-figures.js';
import type { Sql } from './sql.js';
import type { TextFile } from './bulk/text-file.js';

/** The queries of one transaction. After the transaction has ended every member throws: the caller forgot an `await`. */
export interface Queries {
  /** All rows; an empty list when none match. */
  readonly all: <Row>(query: Sql) => Promise<readonly Row[]>;
  /** All rows as arrays in column order, for long lists: building a record for each row takes as long as the query. */
  readonly rows: (query: Sql) => Promise<readonly (readonly Cell[])[]>;
  /** The first row, or undefined when none matches. */
  readonly get: <Row>(query: Sql) => Promise<Row | undefined>;
  /** Runs a statement and returns the number of rows it changed. */
  readonly run: (query: Sql) => Promise<number>;
  /** The engine's condition for "this text contains one of these characters"; SQLite stops at the first NUL. Do not pass `]`, `^` or `-`. */
  readonly containsAnyOf: (text: Sql, characters: string) => Sql;
  /**
   * The engine's expression for a record as JSON, the same text as of `JSON.stringify`; undefined where the engine writes
   * other text. A field that is NULL is left out with `leaveOutNulls`, which takes longer.
   */
  readonly jsonRecord: ((fields: Readonly<Record<string, Sql>>, leaveOutNulls: boolean) => Sql) | undefined;
  /** What an engine has read together with its lock; undefined where a query of its own costs little. */
  readonly newest?: NewestRecords | undefined;
}

/** The newest records at this moment of a write transaction. */
export interface NewestRecords {
  /** The time of the newest ledger entry, in ms since 1970; 0 without entries. */
  readonly at: () => number;
  /** Sets the time of the entries that follow, which is never before `at()`. */
  readonly advanceTo: (at: number) => void;
  /** Takes the next id of a table; undefined where the statements themselves choose the ids. */
  readonly takeId?: ((table: NumberedTable) => number) | undefined;
}

/** A table in which a small write inserts rows. */
export type NumberedTable = 'ledger' | 'orders' | 'pets';

/** Work done inside one transaction. */
export type Work<T> = (queries: Queries) => Promise<T>;

/** How a read runs. */
export interface ReadOptions {
  /** Runs the work again from the start after a lost connection, so that it must not have side effects. */
  readonly isRepeatable?: boolean | undefined;
}

/** How a write runs. */
export interface WriteOptions {
  /** Rolls the transaction back after the work has succeeded. */
  readonly dryRun?: boolean | undefined;
  /** Lets the work run beside other small writes and begin more often, so that it must not await anything but its queries. */
  readonly isSmall?: boolean | undefined;
}

/** A change of the stock of many pets: a count, an adjustment, or the undo of a batch. */
export interface BulkStockChange {
  readonly kind: FigureKind;
  readonly figures: SortedFigures;
  readonly policy: StockPolicy;
  /** Collects the rows that conflict with the state of the shop. */
  readonly refused: RefusedRows;
  /** Whether an earlier import of this file applied the row with this index; undefined without an earlier import. */
  readonly wasApplied: ((rowIndex: number) => boolean) | undefined;
  /** The notes of rows, by the position stored in their figures. */
  readonly notes: Pick<TextFile, 'at'>;
  /** Aborts the work, for example when the client has disconnected. */
  readonly signal?: StopSignal | undefined;
  /** Called with the quantities before and after each figure that is not refused. */
  readonly onChange?: ((rowIndex: number, before: number, after: number) => void) | undefined;
}

/** What a bulk stock change does to the present state of the shop. */
export interface BulkOutcome {
  readonly applied: number;
  readonly unchanged: number;
  /** Figures that an earlier import of the file applied. */
  readonly alreadyApplied: number;
  /** Live pets that no figure names. */
  readonly petsNotNamed: number;
  readonly toZero: number;
  /** The first changes, ordered by pet. */
  readonly changes: readonly Omit<StockChange, 'name'>[];
}

/** The batch to which the new ledger rows belong. Without a stamp they take time and actor from the batch. */
export interface RecordedBatch {
  readonly batchId: number;
  readonly stamp?: { readonly at: number; readonly actor: string; readonly source: string; readonly note: string | undefined };
}

/** A bulk stock change in two steps: staged privately without a lock on the shop, then applied in one short write transaction. */
export interface BulkStock {
  /** Evaluates the change on a read snapshot. Refused rows go to `change.refused`. Refuses with `store_full` when there is no room for staging. */
  readonly stage: (change: BulkStockChange) => Promise<BulkOutcome>;
  /**
   * Evaluates again the pets that changed since `stage`, then calls `decide`, which records the batch or returns undefined
   * to apply nothing. Refuses with `store_busy` when the lock is not released in time, or the shop was restored from a backup
   * since `stage`, and with `store_unreachable` when the database has lost staged rows. A refusal changes nothing.
   */
  readonly apply: (decide: (queries: Queries, outcome: BulkOutcome) => Promise<RecordedBatch | undefined>) => Promise<BulkOutcome>;
  readonly close: () => Promise<void>;
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
  /** The distinct spellings, in file order. */
  readonly categories: () => Promise<readonly StagedCategory[]>;
  /** Removes the pets of a category and calls `onRemoved` for each; does nothing for an unknown spelling. */
  readonly removeCategory: (category: string, onRemoved: (position: StagedPosition) => void) => Promise<void>;
  readonly count: () => Promise<number>;
}

/** How the staged pets are created. */
export interface PetCreation {
  readonly batchId: number;
  /** The category ids, by spelling in the file. */
  readonly categories: ReadonlyMap<string, number>;
  /** The number of staged pets, to detect lost rows. */
  readonly pets: number;
}

/** The steps in which staged pets are created. */
export interface PetCreationSteps {
  /**
   * Creates the new categories before the lock is held, in the transaction that creates the pets, and returns the ids by
   * spelling; undefined when this can only be decided under the lock. Only PostgreSQL asks for it.
   */
  readonly prepare: (queries: Queries, pets: Pick<StagedPets, 'categories'>) => Promise<ReadonlyMap<string, number> | undefined>;
  /**
   * Decides under the lock which pets are created; none when it returns undefined. With `isPrepared` all of them were inserted
   * as `prepare` has decided; throws `PreparationOutdatedError` when that no longer holds.
   */
  readonly decide: (queries: Queries, pets: StagedPets, isPrepared: boolean) => Promise<PetCreation | undefined>;
}

/** Many new pets, staged privately without a lock on the shop, then created in one write transaction. */
export interface BulkPets {
  /** Stages pets. Refuses with `store_full` when there is no room. */
  readonly add: (pets: readonly StagedPet[]) => Promise<void>;
  /**
   * Creates the pets that `decide` leaves staged, and rolls that back with `dryRun`. Refuses with `store_busy` when the lock is
   * not released in time, and with `store_unreachable` when the database has lost staged rows.
   */
  readonly create: (steps: PetCreationSteps, options?: Pick<WriteOptions, 'dryRun'>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** One value of a stored row. */
export type Cell = string | number | null;

/** A table to insert rows into: its columns and their types, in the order of the cells. */
export interface TableLayout {
  readonly name: string;
  readonly columns: Readonly<Record<string, 'number' | 'text'>>;
}

/**
 * The port that a storage engine implements. Every member may refuse with `store_unreachable` (PostgreSQL only),
 * `store_unreadable` (damaged, removed or replaced) or with an error that the work throws; any other error is a bug.
 */
export interface Engine {
  /** Runs work on one read snapshot. Refuses with `store_busy` when no snapshot can be taken in time. */
  readonly read: <T>(work: Work<T>, options?: ReadOptions) => Promise<T>;
  /**
   * Runs work in one write transaction, one writer at a time; commits when it succeeds. The work may run more than once
   * (PostgreSQL, after a conflict). Refuses with `store_busy`, `store_read_only` or `store_full`.
   */
  readonly write: <T>(work: Work<T>, options?: WriteOptions) => Promise<T>;
  /** Opens a private connection for a bulk stock change; the caller closes it. Refuses with `store_read_only`. */
  readonly bulkStock: () => Promise<BulkStock>;
  /** Opens a private connection for a bulk import of pets; the caller closes it. Refuses with `store_read_only`. */
  readonly bulkPets: () => Promise<BulkPets>;
  /** Inserts rows inside a write transaction of this engine, in the fastest way the engine has. */
  readonly insertRows: (queries: Queries, layout: TableLayout, rows: readonly (readonly Cell[])[]) => Promise<void>;
  /** Refuses with `store_read_only` when the shop cannot be written to, for example on a standby. Waits for no lock. */
  readonly checkWritable: () => Promise<void>;
  /** Closes all connections. Do not use the engine afterwards. */
  readonly close: () => Promise<void>;
}
