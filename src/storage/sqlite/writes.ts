import type Database from 'better-sqlite3';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries, Work } from '../engine.js';
import { sql } from '../sql.js';
import { busy, explain, isBusy } from './failures.js';

/** A connection with its compiled statements. */
export interface Connection {
  readonly database: Database.Database;
  readonly queries: Queries;
}

/** Queries that stop working once their transaction has ended. */
export function mortal(queries: Queries): { readonly queries: Queries; readonly end: () => void } {
  let ended = false;
  const check = (): void => {
    if (ended) throw new Error('This transaction has ended; an operation forgot an await.');
  };
  return {
    queries: {
      all: async (query) => (check(), queries.all(query)),
      rows: async (query) => (check(), queries.rows(query)),
      get: async (query) => (check(), queries.get(query)),
      run: async (query) => (check(), queries.run(query)),
    },
    end: () => {
      ended = true;
    },
  };
}

/** A write that waits for its turn. */
interface Waiting {
  readonly work: Work<unknown>;
  readonly keep: boolean;
  /** When it gives up, on the clock of `performance.now`. */
  readonly until: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const begin = sql`BEGIN IMMEDIATE`;
const save = sql`SAVEPOINT one`;
const release = sql`RELEASE one`;
const takeBack = sql`ROLLBACK TO one`;
const end = sql`COMMIT`;

/** How many writes share one commit at most: the last of them waits for all. */
const largestGroup = 128;
const longestPause = 50;

/** Takes the write lock as soon as it is free; writes that wait too long are refused meanwhile. Answers whether any are left. */
async function lock({ queries }: Connection, waiting: Waiting[], path: string, wait: number): Promise<boolean> {
  for (let pause = 1; waiting.length > 0; pause = Math.min(pause * 2, longestPause)) {
    try {
      await queries.run(begin);
      return true;
    } catch (error) {
      if (!isBusy(error)) {
        for (const { reject } of waiting.splice(0)) reject(explain(error, path));
        return false;
      }
    }
    const now = performance.now();
    while (waiting[0] !== undefined && waiting[0].until <= now) waiting.shift()?.reject(busy(path, wait));
    await sleep(pause);
  }
  return false;
}

/** Runs one write in a savepoint; answers how to tell its caller once everything is on disk. */
async function attempt({ database, queries }: Connection, { work, keep, resolve, reject }: Waiting, path: string): Promise<() => void> {
  const scope = mortal(queries);
  await queries.run(save);
  try {
    const result = await work(scope.queries);
    scope.end();
    if (!keep) await queries.run(takeBack);
    await queries.run(release);
    return () => resolve(result);
  } catch (error) {
    scope.end();
    // A full disk, say, ends the whole transaction; then there is nothing left to go on with.
    if (!database.inTransaction) throw error;
    await queries.run(takeBack);
    await queries.run(release);
    return () => reject(explain(error, path));
  }
}

/** Runs a group of writes in one transaction; each is answered after the commit, or refused where that fails. */
async function commit(connection: Connection, group: readonly Waiting[], path: string): Promise<void> {
  const { database, queries } = connection;
  const answers: (() => void)[] = [];
  try {
    for (const one of group) answers.push(await attempt(connection, one, path));
    await queries.run(end);
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    for (const { reject } of group) reject(explain(error, path));
    return;
  }
  for (const answer of answers) answer();
}

/**
 * Writes of one connection, first come, first served. Those that wait at the same time share one durable commit, each
 * in a savepoint of its own; a flush to the disk costs more than everything else a small write does.
 */
export function groupedWrites(open: () => Promise<Connection>, path: string, wait: number): <T>(work: Work<T>, keep: boolean) => Promise<T> {
  const waiting: Waiting[] = [];
  let running = false;
  const drain = async (): Promise<void> => {
    try {
      const connection = await open();
      while (await lock(connection, waiting, path, wait)) await commit(connection, waiting.splice(0, largestGroup), path);
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    }
    running = false;
    // One may have come between the last look and this line.
    if (waiting.length > 0) start();
  };
  const start = (): void => {
    if (running) return;
    running = true;
    // Requests that arrived together are read one after the other; the next turn finds all of them waiting.
    setImmediate(() => void drain());
  };
  return <T>(work: Work<T>, keep: boolean) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, keep, until: performance.now() + wait * 1000, resolve: resolve as (value: unknown) => void, reject });
      start();
    });
}
