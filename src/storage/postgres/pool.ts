import pg from 'pg';
import { randomInt } from 'node:crypto';
import { monotonicNow } from '../monotonic-clock.js';
import { retry } from '../retry.js';
import { breakLink, clientClass, linkOf, type Link, type Target } from './connection.js';
import { isTransient } from './errors.js';
import { detectPooler } from './statements.js';
import { watchdog, type WatchdogTimes } from './watchdog.js';

/** A connection taken from the pool. */
export type Client = pg.PoolClient;

/** Connections to one database, opened on demand. */
export interface Pool {
  /** What a connection may take longer than the deadline of a short wait, in ms. */
  readonly graceMs: number;
  /** Takes a connection; waits until `deadlineMs` of `monotonicNow`, or the wait of the pool. */
  readonly connect: (deadlineMs?: number) => Promise<Client>;
  /** Runs one statement on a connection of the pool. */
  readonly query: <Row extends pg.QueryResultRow>(text: string) => Promise<pg.QueryResult<Row>>;
  /** A separate connection for long work, so that the pool is not exhausted. */
  readonly openClient: () => Promise<pg.Client>;
  /** Closes all connections; those in use have a moment to finish. */
  readonly end: () => Promise<void>;
}

/** How a pool is opened. */
export interface PoolOptions {
  /** The maximum number of connections, without those of `openClient`. */
  readonly connections: number;
  readonly waitSeconds: number;
  /** For tests. */
  readonly watchdogTimes?: WatchdogTimes | undefined;
}

/** How long a server has to accept a connection, also when the wait of the pool is shorter. */
const connectMs = 5000;
const idleSeconds = 30;
// Detects a lost peer of an idle connection.
const keepAliveDelayMs = 5000;
// A server answers a lock timeout at the deadline itself.
const answerMs = 1000;
/** How long connections in use have to finish when the pool ends. */
const endMs = 500;

/** Parses an integer of the server; throws instead of rounding when it is not a safe integer. */
function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`The database answered ${text}, which is not a safe integer.`);
}

// Ids, quantities and times are int8; a sum of int8 is numeric.
const numberTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);
const types = {
  getTypeParser: (id: Parameters<typeof pg.types.getTypeParser>[0], format?: 'text' | 'binary'): unknown =>
    numberTypes.has(id) && format !== 'binary' ? wholeNumber : pg.types.getTypeParser(id, format as 'text'),
};

function targetOf(address: string): Target {
  const config: pg.ClientConfig = {
    connectionString: address,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    application_name: 'petstore',
    types: types as pg.CustomTypesConfig,
  };
  return { name: new URL(address).host, config, generation: 0 };
}

/** Waits for a connection until `timeoutMs` have passed; one that comes later goes back to the pool. */
async function within(timeoutMs: number, taking: Promise<Client>): Promise<Client> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, timeoutMs));
  });
  try {
    const client = await Promise.race([taking, timeout]);
    if (client) return client;
  } finally {
    clearTimeout(timer);
  }
  void giveBack(taking);
  throw Object.assign(new Error('No connection was available in time.'), { code: 'ETIMEDOUT' });
}

/** Returns a connection to the pool as soon as it is taken. */
async function giveBack(taking: Promise<Client>): Promise<void> {
  try {
    (await taking).release();
  } catch {
    // It was not taken.
  }
}

/** Whether the connection may be used: its server has answered since it was opened. */
function isUsable(client: Client): boolean {
  const link = linkOf(client);
  return link === undefined || link.generation === link.target.generation;
}

/** A pool that survives lost connections, and breaks those that do not answer. */
export function openPool(address: string, { connections, waitSeconds, watchdogTimes }: PoolOptions): Pool {
  const target = targetOf(address);
  const links = new Set<Link>();
  const watching = watchdog((dead) => (dead.generation += 1), watchdogTimes);
  const onCreated = (link: Link): void => {
    links.add(link);
    link.socket.once('close', () => links.delete(link));
    watching.watch(link);
  };
  // The connections of the pool send a statement without waiting for the answer to the previous one.
  const Pooled = clientClass(() => target, onCreated, { pipeline: true });
  const Separate = clientClass(() => target, onCreated);
  const waitMs = waitSeconds * 1000;
  const graceMs = Math.max(0, connectMs - waitMs);
  // A request that gave up leaves the queue of the pool as well.
  const timeouts = { connectionTimeoutMillis: waitMs + graceMs + answerMs, idleTimeoutMillis: idleSeconds * 1000 };
  const pool = new pg.Pool({ Client: Pooled as new () => pg.ClientBase, max: connections, ...timeouts });
  // The next query reports a lost connection; without a listener the error event would end the process.
  pool.on('error', () => undefined);
  const connect = async (deadlineMs = monotonicNow() + waitMs): Promise<Client> => {
    for (;;) {
      const client = await within(deadlineMs + graceMs - monotonicNow(), pool.connect());
      if (isUsable(client)) return client;
      client.release(true);
    }
  };
  return {
    graceMs,
    connect,
    query: async (text) => {
      const client = await connect();
      try {
        const result = await client.query(text);
        client.release();
        return result;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    openClient: async () => {
      const client = new Separate();
      await client.connect();
      return client;
    },
    end: async () => {
      const timer = setTimeout(() => {
        for (const link of links) breakLink(link);
      }, endMs);
      await pool.end();
      clearTimeout(timer);
      watching.close();
    },
  };
}

/** Repeats an attempt that fails with a transient error until `deadlineMs` of `monotonicNow`. */
export async function retryTransient<T>(deadlineMs: number, attempt: () => Promise<T>): Promise<T> {
  // Random pauses, so that clients that failed at the same time do not retry at the same time.
  return retry(attempt, { deadlineMs, isRetryable: isTransient, firstMs: 4, longestMs: 200, jitter: (boundMs) => randomInt(1, boundMs) });
}

/** Breaks a connection a moment after `deadlineMs`, unless the returned function is called before. */
function limit(client: Client, deadlineMs: number): () => void {
  const link = linkOf(client);
  const timer = setTimeout(() => link && breakLink(link), Math.max(0, deadlineMs + answerMs - monotonicNow()));
  return () => clearTimeout(timer);
}

/**
 * Takes a connection from the pool and runs the statements of `opening`; returns the row of the last one. The connection is
 * broken when they are not answered by `deadlineMs` of `monotonicNow`.
 */
export async function connectAndRun(
  pool: Pool,
  opening: () => string,
  deadlineMs: number,
): Promise<{ readonly client: Client; readonly row: Readonly<Record<string, unknown>> }> {
  const client = await pool.connect(deadlineMs);
  const stopLimit = limit(client, deadlineMs + pool.graceMs);
  try {
    detectPooler(client);
    const results = [await client.query<Record<string, unknown>>(opening())].flat();
    return { client, row: results.at(-1)?.rows[0] ?? {} };
  } catch (error) {
    await endAndRelease(client, 'ROLLBACK');
    throw error;
  } finally {
    stopLimit();
  }
}

/** Takes a connection from the pool and sends `opening` without waiting for its answer: if it fails, so do all statements after it. */
export async function connectAndSend(pool: Pool, opening: string, deadlineMs: number): Promise<Client> {
  const client = await pool.connect(deadlineMs);
  const stopLimit = limit(client, deadlineMs + pool.graceMs);
  detectPooler(client);
  client.query(opening).then(stopLimit, stopLimit);
  return client;
}

/** Ends a transaction and releases the connection; destroys it when that fails. */
export async function endAndRelease(client: Client, ending: string): Promise<void> {
  try {
    await client.query(ending);
    client.release();
  } catch {
    client.release(true);
  }
}

/** Begins a transaction, which takes a connection of a pooler; refuses as an unreachable server does when that takes longer. */
export async function beginWithin(client: pg.Client, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout expired')), timeoutMs);
  });
  await Promise.race([client.query('BEGIN'), late]).finally(() => clearTimeout(timer));
}
