import { codeOf } from '../errors.js';
import { monotonicNow } from '../retry.js';
import { connectionTo, type Connection, type SilenceTimes } from './connection.js';
import { answerMs, breakAt, extraMsOf } from './deadlines.js';
import { combinedError, isConnectionLost, isReadOnlyServer, isTlsError, noFreeConnection, serverNotUsable } from './errors.js';
import { detectPooler } from './statements.js';
import { targetsOf, type SessionKind, type Target } from './targets.js';

/** Connections to one database, opened on demand. */
export interface Pool {
  /** How long a connection may take beyond its deadline, in ms: more than 0 where the wait of the pool is short. */
  readonly extraMs: number;
  /** Takes a connection; waits until `deadlineMs` of `monotonicNow`, or the wait of the pool. */
  readonly connect: (deadlineMs?: number) => Promise<Connection>;
  /** Takes back a connection, which may be closed. */
  readonly release: (connection: Connection) => void;
  /** Stops using the connections to a server, and tries the next one first. */
  readonly abandon: (target: Target) => void;
  /** Closes all connections; those in use have 500 ms to finish. */
  readonly end: () => Promise<void>;
}

/** How a pool is opened. */
export interface PoolOptions {
  /** The maximum number of connections. */
  readonly connections: number;
  readonly waitSeconds: number;
  /** For tests. */
  readonly silenceTimes?: SilenceTimes | undefined;
}

const idleMs = 30_000;
/** How long connections in use have to finish when the pool ends. */
const endMs = 500;

/** What a server is. */
interface ServerState {
  readonly standby: boolean;
  readonly readOnly: boolean;
  /** For messages, such as "db2:5432 is a standby". */
  readonly text: string;
}

/** Asks the server of a connection what it is. */
async function serverState({ target, run }: Connection): Promise<ServerState> {
  const { rows } = await run<Omit<ServerState, 'text'>>(`SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly"`);
  const { standby, readOnly } = rows[0] ?? { standby: false, readOnly: false };
  return { standby, readOnly, text: `${target.name} is ${standby ? 'a standby' : readOnly ? 'read-only' : 'a primary'}` };
}

/** Fails when the server of a connection is a standby, or read-only; the next one is tried first then. */
export async function checkWritable(connection: Connection, { abandon }: Pick<Pool, 'abandon'>): Promise<void> {
  const { readOnly, text } = await serverState(connection);
  if (!readOnly) return;
  abandon(connection.target);
  throw serverNotUsable(text, true);
}

const allowed: Readonly<Record<SessionKind, (state: ServerState) => boolean>> = {
  any: () => true,
  'read-write': ({ readOnly }) => !readOnly,
  'read-only': ({ readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
};

function mayTryNext(error: unknown): boolean {
  return isConnectionLost(error) || isTlsError(error) || ['25006', '53300'].includes(codeOf(error));
}

const withoutTls = 'The server does not support SSL connections';

/** The servers of an address, of which one is in use. */
function openServers(address: string) {
  const { targets, sessions } = targetsOf(address);
  // Each server once; all again if a server of the wrong kind is better than none; all again without TLS.
  const triesOfARound = targets.length * (1 + Number(sessions === 'prefer-standby') + Number(targets[0].isTlsOptional));
  let index = 0;
  let failuresInRow = 0;
  const current = (): Target => targets[index] ?? targets[0];
  const leave = (target: Target): void => {
    if (current() === target) index = (index + 1) % targets.length;
  };
  const check = async (connection: Connection): Promise<void> => {
    // When no standby was found, `prefer-standby` takes any server.
    if (sessions === 'any' || (sessions === 'prefer-standby' && failuresInRow >= targets.length)) return;
    const state = await serverState(connection);
    if (!allowed[sessions](state)) throw serverNotUsable(state.text, sessions === 'read-write' || sessions === 'primary');
  };
  const connect = async (connection: Connection): Promise<Connection> => {
    const { target } = connection;
    try {
      await connection.client.connect();
      await check(connection);
      failuresInRow = 0;
      return connection;
    } catch (error) {
      connection.close();
      failuresInRow += 1;
      if (target.isTlsOptional && error instanceof Error && error.message === withoutTls) {
        target.isTlsOptional = false;
        target.config = { ...target.config, ssl: false };
      } else {
        leave(target);
      }
      throw error;
    }
  };
  return {
    /** Opens a connection, to the next server when one cannot be used. Other work moves between the servers at the same time, so one may be tried twice. */
    open: async (newConnection: (target: Target) => Connection, deadlineMs: number): Promise<Connection> => {
      const failures = new Map<Target, unknown>();
      for (let tries = 1; ; tries += 1) {
        const connection = newConnection(current());
        try {
          return await breakAt(connection, deadlineMs, () => connect(connection));
        } catch (error) {
          if (!mayTryNext(error)) throw error;
          failures.set(connection.target, error);
          const isLast = (failures.size === targets.length && tries >= triesOfARound) || tries === 2 * triesOfARound;
          if (isLast || monotonicNow() >= deadlineMs) throw combinedError([...failures].map(([{ name }, failure]) => [name, failure]));
        }
      }
    },
    abandon: (target: Target): void => {
      target.generation += 1;
      leave(target);
    },
  };
}

/** A semaphore: so many permits at a time, first come, first served. */
function semaphore(permits: number) {
  let free = permits;
  const waiting = new Set<() => void>();
  return {
    /** Waits for a permit; fails when there is none by `deadlineMs`. */
    acquire: async (deadlineMs: number): Promise<void> => {
      if (free > 0) return void (free -= 1);
      await new Promise<void>((resolve, reject) => {
        const begin = (): void => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(
          () => {
            waiting.delete(begin);
            reject(noFreeConnection());
          },
          Math.max(0, deadlineMs - monotonicNow()),
        );
        waiting.add(begin);
      });
    },
    release: (): void => {
      const [next] = waiting;
      if (next === undefined) return void (free += 1);
      waiting.delete(next);
      next();
    },
  };
}

/**
 * A pool that survives lost connections. `pg.Pool` knows one server, has one deadline for all its callers, and does not say which
 * connection could not be opened.
 */
export function openPool(address: string, { connections, waitSeconds, silenceTimes }: PoolOptions): Pool {
  const { open, abandon } = openServers(address);
  const permits = semaphore(connections);
  // The one that was used last is taken first. Whether one was closed meanwhile is checked when it is taken.
  const idle: { readonly connection: Connection; readonly timer: NodeJS.Timeout }[] = [];
  const opened = new Set<Connection>();
  let isEnded = false;
  const waitMs = waitSeconds * 1000;
  const extraMs = extraMsOf(waitMs);
  const newConnection = (target: Target): Connection => {
    // It sends a statement without waiting for the answer to the previous one.
    const connection = connectionTo(target, { config: { pipeline: true }, silenceTimes, onDead: abandon });
    opened.add(connection);
    connection.client.once('end', () => opened.delete(connection));
    return connection;
  };
  const takeIdle = (): Connection | undefined => {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.connection.isUsable()) return last.connection;
      last.connection.close();
    }
    return undefined;
  };
  return {
    extraMs,
    connect: async (deadlineMs = monotonicNow() + waitMs) => {
      const lastMs = deadlineMs + extraMs;
      await permits.acquire(lastMs);
      try {
        if (isEnded) throw new Error('The pool of connections was closed.');
        return takeIdle() ?? (await open(newConnection, lastMs));
      } catch (error) {
        permits.release();
        throw error;
      }
    },
    release: (connection) => {
      if (connection.isUsable() && !isEnded) idle.push({ connection, timer: setTimeout(connection.close, idleMs) });
      else connection.close();
      permits.release();
    },
    abandon,
    end: async () => {
      isEnded = true;
      for (let connection = takeIdle(); connection; connection = takeIdle()) connection.close();
      const deadlineMs = monotonicNow() + endMs;
      const ended = await Promise.allSettled(Array.from({ length: connections }, () => permits.acquire(deadlineMs)));
      if (ended.some(({ status }) => status === 'rejected')) for (const connection of opened) connection.break();
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
    await checkWritable(connection, pool);
  } finally {
    connection.close();
    pool.release(connection);
  }
}

/** Takes a connection from the pool and sends statements on it; it is broken when they are not answered by `deadlineMs` of `monotonicNow`. */
export async function connectAndRun<T>(
  pool: Pool,
  send: (connection: Connection) => Promise<T>,
  deadlineMs: number,
): Promise<{ readonly connection: Connection; readonly answer: T }> {
  const connection = await pool.connect(deadlineMs);
  try {
    return await breakAt(connection, deadlineMs + pool.extraMs + answerMs, async () => {
      detectPooler(connection);
      return { connection, answer: await send(connection) };
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
  breakAt(connection, deadlineMs + pool.extraMs, () => connection.run(opening)).catch(() => undefined);
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
