import type { Sql } from './sql.js';

/** What an operation's tables may do inside its transaction; refused once the transaction has ended. */
export interface Queries {
  /** All rows of a query. */
  readonly all: <Row>(query: Sql) => Promise<readonly Row[]>;
  /** The first row of a query, or undefined. */
  readonly get: <Row>(query: Sql) => Promise<Row | undefined>;
  /** Runs a statement and answers the number of rows it changed. */
  readonly run: (query: Sql) => Promise<number>;
}

/** Work done inside one transaction. */
export type Work<T> = (queries: Queries) => Promise<T>;

/** Where a shop's rows live. */
export interface Engine {
  /** Runs work on one read snapshot. */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Runs work in one write transaction, kept when it succeeds unless `keep` is false. */
  readonly write: <T>(work: Work<T>, keep?: boolean) => Promise<T>;
  readonly close: () => Promise<void>;
}
