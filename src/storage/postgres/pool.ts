import pg from 'pg';
import { randomInt } from 'node:crypto';
import { monotonicNow } from '../monotonic-clock.js';
import { retry } from '../retry.js';
import { breakLink, clientClass, linkOf, type ClientEvents, type Link, type SessionKind, type Target } from './connection.js';
import { isReadOnlyServer, isTransient } from './errors.js';
import { combinedError, describeServer, readOnlyError, routeOf, stateText, type Route, type ServerState } from './route.js';
import { detectPooler } from './statements.js';
import { watchdog, type WatchdogTimes } from './watchdog.js';

/** A connection taken from the pool. */
export type Client = pg.PoolClient;

/** Connections to one database, opened on demand. */
export interface Pool {
  /** How long a connection may take beyond its deadline, in ms: more than 0 where the wait of the pool is short. */
  readonly graceMs: number;
  /** Takes a connection; waits until `deadlineMs` of `monotonicNow`, or the wait of the pool. */
  readonly connect: (deadlineMs?: number) => Promise<Client>;
  /** Stops using the connections to a server, and tries the next one first. */
  readonly abandon: (target: Target) => void;
  /** Stops using the connections to the present server. */
  readonly leave: () => void;
  /** Runs one statement on a connection of the pool. */
  readonly query: <Row extends pg.QueryResultRow>(text: string) => Promise<pg.QueryResult<Row>>;
  /** Fails when the server is a standby, or read-only. */
  readonly checkWritable: () => Promise<void>;
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
  /** Which servers are used when the address does not say so. */
  readonly sessions?: SessionKind;
  /** Checks each new connection, besides what the address wants; throws for a server that may not be used. */
  readonly accept?: (client: pg.Client, target: Target) => Promise<void>;
  /** For tests. */
  readonly watchdogTimes?: WatchdogTimes | undefined;
}

/** How long a connection may take, also when the wait of the pool is shorter. */
const connectMs = 5000;
const idleSeconds = 30;
// A server answers a lock timeout at the deadline itself.
const answerMs = 1000;
/** How long connections in use have to finish when the pool ends. */
const endMs = 500;

const deadlineErrors = new WeakSet<object>();

function outOfTime(): Error {
  const error = Object.assign(new Error('No connection was available in time.'), { code: 'ETIMEDOUT' });
  deadlineErrors.add(error);
  return error;
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
  throw outOfTime();
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

/** Opens a connection, on the next server when one cannot be used. Other work moves between the servers at the same time, so one may be tried twice. */
async function onAnyServer<T>(route: Route, deadlineMs: number, open: () => Promise<T>): Promise<T> {
  const failures = new Map<Target, unknown>();
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      const target = route.refusedBy(error);
      if (target) failures.set(target, error);
      const enough = route.size * route.rounds;
      const isLast = (failures.size === route.size && tries >= enough) || tries === 2 * enough;
      if (target === undefined || isLast || monotonicNow() >= deadlineMs) {
        throw failures.size > 1 ? combinedError(failures) : error;
      }
    }
  }
}

async function queryAndRelease<Row extends pg.QueryResultRow>(client: Client, text: string): Promise<pg.QueryResult<Row>> {
  try {
    const result = await client.query<Row>(text);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function requireWritable(client: Client, abandon: (target: Target) => void): Promise<void> {
  const target = linkOf(client)?.target;
  const { rows } = await queryAndRelease<ServerState>(client, stateText);
  if (target === undefined || rows[0]?.readOnly !== true) return;
  abandon(target);
  throw readOnlyError(target, rows[0]);
}

function checkOf(route: Route, accept: PoolOptions['accept']): ClientEvents['check'] {
  return async (client, target) => {
    await route.check(client, target);
    await accept?.(client, target);
  };
}

/** A pool that survives lost connections, and breaks those that do not answer. */
export function openPool(address: string, { connections, waitSeconds, sessions, accept, watchdogTimes }: PoolOptions): Pool {
  const route = routeOf(address, sessions);
  const links = new Set<Link>();
  const abandon = (target: Target): void => {
    target.generation += 1;
    route.leave(target);
  };
  const watching = watchdog(abandon, watchdogTimes);
  const onCreated = (link: Link): void => {
    links.add(link);
    link.socket.once('close', () => links.delete(link));
    watching.watch(link);
  };
  const check = checkOf(route, accept);
  const events: ClientEvents = { nextTarget: route.current, onCreated, check, onOpened: route.onOpened, onFailed: route.onFailed };
  // The connections of the pool send a statement without waiting for the answer to the previous one.
  const Pooled = clientClass(events, { pipeline: true });
  const Separate = clientClass(events);
  const waitMs = waitSeconds * 1000;
  const graceMs = Math.max(0, connectMs - waitMs);
  // A request that gave up leaves the queue of the pool as well.
  const timeouts = { connectionTimeoutMillis: waitMs + graceMs + answerMs, idleTimeoutMillis: idleSeconds * 1000 };
  const pool = new pg.Pool({ Client: Pooled as new () => pg.ClientBase, max: connections, ...timeouts });
  // The next query reports a lost connection; without a listener the error event would end the process.
  pool.on('error', () => undefined);
  const connect = async (deadlineMs = monotonicNow() + waitMs): Promise<Client> => {
    const lastMs = deadlineMs + graceMs;
    for (;;) {
      const client = await onAnyServer(route, lastMs, () => within(lastMs - monotonicNow(), pool.connect()));
      if (isUsable(client)) return client;
      client.release(true);
    }
  };
  return {
    graceMs,
    connect,
    abandon,
    leave: () => abandon(route.current()),
    query: async (text) => queryAndRelease(await connect(), text),
    checkWritable: async () => requireWritable(await connect(), abandon),
    openClient: () =>
      onAnyServer(route, monotonicNow() + waitMs + graceMs, async () => {
        const client = new Separate();
        await client.connect();
        return client;
      }),
    end: async () => {
      const timer = setTimeout(() => {
        for (const link of links) breakLink(link);
      }, endMs);
      try {
        await pool.end();
      } finally {
        clearTimeout(timer);
        watching.close();
      }
    },
  };
}

/** Repeats an attempt that fails with a transient error until `deadlineMs` of `monotonicNow`. */
export async function retryTransient<T>(deadlineMs: number, attempt: () => Promise<T>): Promise<T> {
  let earlier: unknown;
  const informed = async (): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      // That time was up says less than what failed before.
      if (earlier === undefined || !(error instanceof Error && deadlineErrors.has(error))) earlier = error;
      throw earlier;
    }
  };
  // Random pauses, so that clients that failed at the same time do not retry at the same time.
  return retry(informed, { deadlineMs, isRetryable: isTransient, firstMs: 4, longestMs: 200, jitter: (boundMs) => randomInt(1, boundMs) });
}

/** Breaks a connection at `deadlineMs` of `monotonicNow`, unless the returned function is called before. */
export function breakAtDeadline(client: Client, deadlineMs: number): () => void {
  const link = linkOf(client);
  const timer = setTimeout(() => link && breakLink(link), Math.max(0, deadlineMs - monotonicNow()));
  return () => clearTimeout(timer);
}

/** Closes a connection to a server that refused to write; the error with the name of the server. */
async function abandonReadOnly(pool: Pool, client: Client, error: unknown): Promise<unknown> {
  const target = linkOf(client)?.target;
  try {
    await client.query('ROLLBACK');
    return target ? Object.assign(error as Error, { reason: await describeServer(client, target) }) : error;
  } catch {
    return error;
  } finally {
    if (target) pool.abandon(target);
    client.release(true);
  }
}

/**
 * Takes a connection from the pool and runs the statements of `opening`; returns the row of the last one. The connection is
 * broken when they are not answered by `deadlineMs` of `monotonicNow`. `onSent` is called before the answer.
 */
export async function connectAndRun(
  pool: Pool,
  opening: () => string,
  deadlineMs: number,
  onSent?: (client: Client) => void,
): Promise<{ readonly client: Client; readonly row: Readonly<Record<string, unknown>> }> {
  const client = await pool.connect(deadlineMs);
  const cancelBreak = breakAtDeadline(client, deadlineMs + pool.graceMs + answerMs);
  try {
    detectPooler(client);
    const answer = client.query<Record<string, unknown>>(opening());
    onSent?.(client);
    const results = [await answer].flat();
    return { client, row: results.at(-1)?.rows[0] ?? {} };
  } catch (error) {
    if (!isReadOnlyServer(error)) await endAndRelease(client, 'ROLLBACK');
    throw isReadOnlyServer(error) ? await abandonReadOnly(pool, client, error) : error;
  } finally {
    cancelBreak();
  }
}

/** Takes a connection from the pool and sends `opening` without waiting for its answer: if it fails, so do all statements after it. */
export async function connectAndSend(pool: Pool, opening: string, deadlineMs: number): Promise<Client> {
  const client = await pool.connect(deadlineMs);
  const cancelBreak = breakAtDeadline(client, deadlineMs + pool.graceMs);
  detectPooler(client);
  client.query(opening).then(cancelBreak, cancelBreak);
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
