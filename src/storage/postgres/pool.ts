import pg from 'pg';
import { randomInt } from 'node:crypto';
import { retry } from '../retry.js';
import { isTransient } from './errors.js';
import { detectPooler } from './statements.js';

/** A pool of connections to one database, opened on demand. */
export type Pool = pg.Pool;
/** A connection taken from the pool. */
export type Client = pg.PoolClient;

const connectSeconds = 10;
const idleSeconds = 30;

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

function optionsOf(address: string): pg.ClientConfig {
  return {
    connectionString: address,
    connectionTimeoutMillis: connectSeconds * 1000,
    keepAlive: true,
    application_name: 'petstore',
    types: types as pg.CustomTypesConfig,
  };
}

/** A pool that survives lost connections. Its connections send a statement without waiting for the answer to the previous one. */
export function openPool(address: string, connections: number): Pool {
  const pool = new pg.Pool({ ...optionsOf(address), max: connections, idleTimeoutMillis: idleSeconds * 1000, pipeline: true });
  // The next query reports a lost connection; without a listener the error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** A separate connection for long work, so that the pool is not exhausted. */
export async function openClient(address: string): Promise<pg.Client> {
  const client = new pg.Client(optionsOf(address));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Repeats an attempt that fails with a transient error until `deadlineMs` of `monotonicNow`. */
export async function retryTransient<T>(deadlineMs: number, attempt: () => Promise<T>): Promise<T> {
  // Random pauses, so that clients that failed at the same time do not retry at the same time.
  return retry(attempt, { deadlineMs, isRetryable: isTransient, firstMs: 4, longestMs: 200, jitter: (boundMs) => randomInt(1, boundMs) });
}

/** Takes a connection from the pool and runs `opening`; returns the row of its last statement. */
export async function connectAndRun(pool: Pool, opening: string): Promise<{ readonly client: Client; readonly row: Readonly<Record<string, unknown>> }> {
  const client = await pool.connect();
  try {
    detectPooler(client);
    const results = [await client.query<Record<string, unknown>>(opening)].flat();
    return { client, row: results.at(-1)?.rows[0] ?? {} };
  } catch (error) {
    await endAndRelease(client, 'ROLLBACK');
    throw error;
  }
}

/** Takes a connection from the pool and sends `opening` without waiting for its answer: if it fails, so do all statements after it. */
export async function connectAndSend(pool: Pool, opening: string): Promise<Client> {
  const client = await pool.connect();
  detectPooler(client);
  client.query(opening).catch(() => undefined);
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
