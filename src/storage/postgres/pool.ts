import type pg from 'pg';
import { monotonicNow } from '../retry.js';
import { connectionTo, type Connection } from './connection.js';
import { answerMs, breakAt, graceOf, permitsFor } from './deadlines.js';
import { isReadOnlyServer } from './errors.js';
import { checkWritable, routeOf } from './route.js';
import { detectPooler } from './statements.js';
import type { Target } from './targets.js';
import { watchdog, type WatchdogTimes } from './watchdog.js';

/** Connections to one database, opened on demand. */
export interface Pool {
  /** How long a connection may take beyond its deadline, in ms: more than 0 where the wait of the pool is short. */
  readonly graceMs: number;
  /** Takes a connection; waits until `deadlineMs` of `monotonicNow`, or the wait of the pool. */
  readonly connect: (deadlineMs?: number) => Promise<Connection>;
  /** Takes back a connection, which may be closed. */
  readonly release: (connection: Connection) => void;
  /** Stops using the connections to a server, and tries the next one first. */
  readonly abandon: (target: Target) => void;
  /** A separate connection for long work, so that the pool is not exhausted. */
  readonly openSeparate: () => Promise<Connection>;
  /** Closes all connections; those in use have a moment to finish. */
  readonly end: () => Promise<void>;
}

/** How a pool is opened. */
export interface PoolOptions {
  /** The maximum number of connections, without those of `openSeparate`. */
  readonly connections: number;
  readonly waitSeconds: number;
  /** For tests. */
  readonly watchdogTimes?: WatchdogTimes | undefined;
}

const idleMs = 30_000;
/** How long connections in use have to finish when the pool ends. */
const endMs = 500;

/** The connections that nothing uses at present. */
function idleConnections() {
  const idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout }[] = [];
  return {
    // A connection that is closed meanwhile is found to be so when it is taken.
    add: (connection: Connection): void => void idle.push({ connection, timer: setTimeout(connection.close, idleMs) }),
    /** Takes the one that was used last; undefined when there is none. */
    take: (): Connection | undefined => {
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.connection.isUsable()) return last.connection;
        last.connection.close();
      }
      return undefined;
    },
  };
}

/**
 * A pool that survives lost connections, and breaks those that do not answer. `pg.Pool` knows one server, and does not say
 * which connection could not be opened.
 */
export function openPool(address: string, { connections, waitSeconds, watchdogTimes }: PoolOptions): Pool {
  const { open, abandon } = routeOf(address);
  const watching = watchdog(abandon, watchdogTimes);
  const permits = permitsFor(connections);
  const idle = idleConnections();
  let isEnded = false;
  const waitMs = waitSeconds * 1000;
  const graceMs = graceOf(waitMs);
  const watched = (config: pg.ClientConfig) => (target: Target) => {
    const connection = connectionTo(target, config);
    watching.watch(connection);
    return connection;
  };
  const connect = async (deadlineMs = monotonicNow() + waitMs): Promise<Connection> => {
    const lastMs = deadlineMs + graceMs;
    await permits.take(lastMs);
    try {
      if (isEnded) throw new Error('The pool of connections was closed.');
      // It sends a statement without waiting for the answer to the previous one.
      return idle.take() ?? (await open(watched({ pipeline: true }), lastMs));
    } catch (error) {
      permits.giveBack();
      throw error;
    }
  };
  const release = (connection: Connection): void => {
    if (connection.isUsable() && !isEnded) idle.add(connection);
    else connection.close();
    permits.giveBack();
  };
  return {
    graceMs,
    connect,
    release,
    abandon,
    openSeparate: () => open(watched({}), monotonicNow() + waitMs + graceMs),
    end: async () => {
      isEnded = true;
      for (let connection = idle.take(); connection; connection = idle.take()) connection.close();
      const deadlineMs = monotonicNow() + endMs;
      const ended = await Promise.allSettled(Array.from({ length: connections }, () => permits.take(deadlineMs)));
      if (ended.some(({ status }) => status === 'rejected')) watching.breakAll();
      watching.close();
    },
  };
}

/** Runs work on a connection of the pool, outside a transaction. */
export async function withConnection<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  try {
    return await work(connection);
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    pool.release(connection);
  }
}

/** Closes a connection to a server that refused to write; fails with its name. */
async function leaveReadOnly(pool: Pool, connection: Connection): Promise<void> {
  try {
    await connection.run('ROLLBACK');
    await checkWritable(connection, pool.abandon);
  } finally {
    connection.close();
    pool.release(connection);
  }
}

/**
 * Takes a connection from the pool and runs the statements of `opening`; returns the row of the last one. `following` sends what
 * does not wait for their answer. The connection is broken when they are not answered by `deadlineMs` of `monotonicNow`.
 */
export async function connectAndRun<Next = undefined>(
  pool: Pool,
  opening: () => string,
  deadlineMs: number,
  following: (connection: Connection) => Promise<Next | undefined> = async () => undefined,
): Promise<{ readonly connection: Connection; readonly row: Readonly<Record<string, unknown>>; readonly next: Next | undefined }> {
  const connection = await pool.connect(deadlineMs);
  try {
    return await breakAt(connection, deadlineMs + pool.graceMs + answerMs, async () => {
      detectPooler(connection);
      const opened = connection.run<Record<string, unknown>>(opening());
      const followed = following(connection);
      // If the first statements fail, so do these.
      followed.catch(() => undefined);
      const results = [await opened].flat();
      return { connection, row: results.at(-1)?.rows[0] ?? {}, next: await followed };
    });
  } catch (error) {
    if (!isReadOnlyServer(error)) await endAndRelease(pool, connection, 'ROLLBACK');
    else await leaveReadOnly(pool, connection);
    throw error;
  }
}

/** Takes a connection from the pool and sends `opening` without waiting for its answer: if it fails, so do all statements after it. */
export async function connectAndSend(pool: Pool, opening: string, deadlineMs: number): Promise<Connection> {
  const connection = await pool.connect(deadlineMs);
  detectPooler(connection);
  breakAt(connection, deadlineMs + pool.graceMs, () => connection.run(opening)).catch(() => undefined);
  return connection;
}

/** Ends a transaction and releases the connection; closes it when that fails. */
export async function endAndRelease(pool: Pool, connection: Connection, ending: string): Promise<void> {
  try {
    await connection.run(ending);
  } catch {
    connection.close();
  }
  pool.release(connection);
}
