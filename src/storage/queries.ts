import type { Sql } from './sql.js';

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
  /** How long the caller has waited already, in ms; a part of the time that the engine waits. */
  readonly waitedMs?: number | undefined;
}

/** How a write runs. */
export interface WriteOptions {
  /** Rolls the transaction back after the work has succeeded. */
  readonly dryRun?: boolean | undefined;
  /** Lets the work run beside other small writes and begin more often, so that it must not await anything but its queries. */
  readonly isSmall?: boolean | undefined;
  /** How long the caller has waited already, in ms; a part of the time that the engine waits. */
  readonly waitedMs?: number | undefined;
}

/** One value of a stored row. */
export type Cell = string | number | null;
