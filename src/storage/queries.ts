import type { Sql } from './sql.js';

/** The queries of one transaction. After the transaction has ended every member throws: the caller forgot an `await`. */
export interface Queries {
  /** All rows; an empty list when none match. */
  readonly all: <Row>(query: Sql) => Promise<readonly Row[]>;
  /** All rows as arrays in column order, for long lists: faster than a record for each row. */
  readonly rows: (query: Sql) => Promise<readonly (readonly Cell[])[]>;
  /** The first row, or undefined when none matches. */
  readonly get: <Row>(query: Sql) => Promise<Row | undefined>;
  /** Runs a statement. In a write that names its records it may still be on its way when this settles; an error then shows at the commit. */
  readonly run: (query: Sql) => Promise<void>;
  /** Runs a statement and returns the number of rows it changed. */
  readonly runAndCount: (query: Sql) => Promise<number>;
  /** Undefined in a read. */
  readonly clock?: LedgerClock | undefined;
}

/** The queries of a write transaction. */
export interface WriteQueries extends Queries {
  readonly clock: LedgerClock;
}

/** The time and the ids of the entries that a write transaction adds to the ledger. */
export interface LedgerClock {
  /** The time of the newest ledger entry, in ms since 1970; 0 without entries. */
  readonly at: () => number;
  /** Sets the time of the entries that follow, which is never before `at()`. */
  readonly advanceTo: (at: number) => void;
  /** Takes the next id of a table; undefined where the statements themselves choose the ids. */
  readonly takeId?: ((table: NumberedTable) => number) | undefined;
}

/** A table in which a small write inserts rows. */
export type NumberedTable = 'ledger' | 'orders' | 'pets';

/** Work done on one read snapshot. */
export type Work<T> = (queries: Queries) => Promise<T>;

/** Work done inside one write transaction. */
export type WriteWork<T> = (queries: WriteQueries) => Promise<T>;

/** How a read runs. */
export interface ReadOptions {
  /** For work with other effects than its result: it does not run again after a lost connection. */
  readonly isOnce?: boolean | undefined;
  /** How long the caller has waited already, in ms; a part of the time that the engine waits. */
  readonly waitedMs?: number | undefined;
}

/** How a write runs. */
export interface WriteOptions {
  /** Rolls the transaction back after the work has succeeded. */
  readonly dryRun?: boolean | undefined;
  /** The time of its changes, in ms since 1970. Needed with `records`. */
  readonly at?: number | undefined;
  /**
   * The existing records that the work reads or changes. It may then run beside writes of other records, and must not await
   * anything but its queries. Without them it runs alone.
   */
  readonly records?: readonly string[] | undefined;
  /** How long the caller has waited already, in ms; a part of the time that the engine waits. */
  readonly waitedMs?: number | undefined;
}

/** One value of a stored row. */
export type Cell = string | number | null;

/**
 * Sends the statements of each block and prepares those of the next one while the database runs them; at most those of two blocks are
 * on their way. They are sent in the order of the blocks; when one fails, the transaction must be rolled back.
 */
export async function overlapped<Block>(blocks: Iterable<Block>, send: (block: Block) => readonly Promise<void>[]): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  for (const block of blocks) {
    const before = last;
    last = Promise.all(send(block));
    // When an earlier one has failed, nothing waits for these.
    last.catch(() => undefined);
    await before;
  }
  await last;
}
