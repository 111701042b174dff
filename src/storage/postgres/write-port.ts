import { randomBytes } from 'node:crypto';
import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../monotonic-clock.js';
import { busy, tooNew } from '../errors.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { WritePort } from '../writes/write-port.js';
import { explain, isLockTimeout, isConnectionLost, isTransient, outcomeUnknown } from './errors.js';
import { connectAndRun, endAndRelease, retryTransient, type Client, type Pool } from './pool.js';
import { queriesOf } from './statements.js';
import { nothingLocked, sideBySide, type LockedState } from './side-by-side.js';
import { entryTime, ledgerWithBatches } from '../tables/fragments.js';

/** The server's time, ms since 1970. */
export const serverTime = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

// Longer than any client waits for an answer.
const commitTokenLifetimeMs = 2 * 60 * 60 * 1000;
const tokenBytes = 16;
/** How long the outcome of a commit is looked up after the deadline of the write. */
const lookUpSeconds = 2;

const newestTime = `SELECT ${entryTime.text} FROM ${ledgerWithBatches.text} ORDER BY l.id DESC LIMIT 1`;
const lastIds = '(SELECT max(id) FROM ledger) AS "lastEntry", (SELECT max(id) FROM orders) AS "lastOrder", (SELECT max(id) FROM pets) AS "lastPet"';

// The lock of a stalled or unreachable client is released after this time.
const idleTimeout = '5s';

/** The statements that begin a transaction and lock the row that serializes writers. They return the schema version and its steps. */
export function lockText(waitMs: number): string {
  // 0 would disable the timeout.
  const timeoutMs = Math.max(1, Math.ceil(waitMs));
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${timeoutMs}ms'; SET LOCAL idle_in_transaction_session_timeout = '${idleTimeout}'; SELECT schema_version AS version, steps FROM shop WHERE id = 1 FOR UPDATE`;
}

/** Locks, then reads what every write needs. In a statement of its own: one that waits for the lock does not see what was committed meanwhile. */
function lockAndReadText(waitMs: number): string {
  return `${lockText(waitMs)}; SELECT schema_version AS version, coalesce((${newestTime}), 0) AS at, ${lastIds} FROM shop WHERE id = 1`;
}

/** Takes the lock and returns what was read with it. Refuses with `schema_too_new`. */
async function lockShop(pool: Pool, where: string, deadlineMs: number, onSent: (client: Client) => void): Promise<LockedState> {
  const { client, row } = await connectAndRun(pool, () => lockAndReadText(deadlineMs - monotonicNow()), deadlineMs, onSent);
  const version = Number(row['version']);
  if (version <= schemaVersion) {
    const ids = { ledger: Number(row['lastEntry']), orders: Number(row['lastOrder']), pets: Number(row['lastPet']) };
    return { at: Number(row['at']), ids };
  }
  await endAndRelease(client, 'ROLLBACK');
  throw tooNew(where, version, schemaVersion);
}

/** The refusal of a write that has not got the lock, if it may get it later; throws any other error. */
function lockRefusal(error: unknown, where: string, waitSeconds: number): StoreError {
  if (isLockTimeout(error)) return busy(where, waitSeconds);
  const refusal = explain(error, where);
  if (isTransient(error) && refusal instanceof StoreError) return refusal;
  throw refusal;
}

/** Runs a statement and commits. False when the server warned that the wait for a synchronous standby was cancelled. */
async function commitWith(client: Client, statement: string): Promise<boolean> {
  let isWarned = false;
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    // SQLSTATE class 01: warnings.
    if (code?.startsWith('01') === true) isWarned = true;
  };
  client.on('notice', onNotice);
  try {
    await client.query(`${statement}; COMMIT`);
    return !isWarned;
  } finally {
    client.off('notice', onNotice);
  }
}

/**
 * Whether a transaction with an unknown commit outcome was committed. It locked the writer row, so it has ended when that
 * row can be locked again. The later commit made here ensures that the standby has the transaction too.
 */
async function wasCommitted(pool: Pool, token: string, deadlineMs: number): Promise<boolean> {
  return retryTransient(deadlineMs, async () => {
    for (;;) {
      const { client } = await connectAndRun(pool, () => lockText(deadlineMs - monotonicNow()), deadlineMs);
      try {
        const { rowCount } = await client.query(`SELECT 1 FROM commits WHERE token = '${token}'`);
        if (rowCount === 0) return false;
        if (await commitWith(client, `UPDATE commits SET at = ${serverTime} WHERE token = '${token}'`)) return true;
      } finally {
        await endAndRelease(client, 'ROLLBACK');
      }
      if (monotonicNow() >= deadlineMs) throw new Error('The server cancelled every wait for its standbys.');
    }
  });
}

/** The statements that store a token. About one of 256 tokens also deletes old ones; there are never many. */
function storeToken(token: string): string {
  const deleteOld = token.startsWith('00') ? `DELETE FROM commits WHERE at < ${serverTime} - ${commitTokenLifetimeMs}; ` : '';
  return `${deleteOld}INSERT INTO commits (token, at) VALUES ('${token}', ${serverTime})`;
}

/** The write transactions of PostgreSQL. After a lost connection the outcome of a commit is looked up by its token. */
export function writePort(pool: Pool, where: string, waitSeconds: number): WritePort {
  let client: Client | undefined;
  let newestAt = 0;
  let locked = nothingLocked;
  const present = (): Client => {
    if (client === undefined) throw new Error('There is no write transaction.');
    return client;
  };
  const queries = { ...queriesOf(present, true), newest: { at: () => newestAt, advanceTo: (at: number) => (newestAt = at) } };
  const lock = async (deadlineMs: number, onSent: () => void): Promise<void> => {
    try {
      locked = await lockShop(pool, where, deadlineMs, (taken) => {
        client = taken;
        onSent();
      });
      newestAt = locked.at;
    } catch (error) {
      client = undefined;
      throw error;
    }
  };
  return {
    lock: async (waitMs, onSent = () => undefined) => {
      const deadlineMs = monotonicNow() + waitMs;
      try {
        await retryTransient(deadlineMs, () => lock(deadlineMs, onSent));
        return undefined;
      } catch (error) {
        return lockRefusal(error, where, waitSeconds);
      }
    },
    queries,
    sideBySide: (works) => sideBySide(works, queries, () => locked),
    commit: async (deadlineMs) => {
      const token = randomBytes(tokenBytes).toString('hex');
      let failure: unknown;
      try {
        const isSafe = await commitWith(present(), storeToken(token));
        client?.release();
        client = undefined;
        if (isSafe) return;
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        client?.release(true);
        client = undefined;
        failure = error;
      }
      const lookUpMs = Math.max(deadlineMs, monotonicNow() + Math.min(waitSeconds, lookUpSeconds) * 1000);
      const kept = await wasCommitted(pool, token, lookUpMs).catch(() => undefined);
      if (kept !== true) throw (kept === false ? failure : undefined) ?? outcomeUnknown(where);
    },
    rollback: async () => {
      if (client) await endAndRelease(client, 'ROLLBACK');
      client = undefined;
    },
    endsTransaction: isTransient,
    isTransient,
    explain: (error) => explain(error, where),
  };
}
