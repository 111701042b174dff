import { randomBytes } from 'node:crypto';
import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../monotonic-clock.js';
import { busy, tooNew } from '../errors.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { WritePort } from '../grouped-writes.js';
import { explain, isLockTimeout, isConnectionLost, isTransient, outcomeUnknown } from './errors.js';
import { connectAndRun, endAndRelease, retryTransient, type Client, type Pool } from './pool.js';
import { queriesOf } from './statements.js';

/** The present time of the server, ms since 1970. */
export const serverTime = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

// Longer than anybody may wait for an answer.
const commitTokenLifetimeMs = 2 * 60 * 60 * 1000;
const tokenBytes = 16;

// A server that stands still, or whose machine is gone, must not keep all others from writing.
const idleTimeout = '5s';

/** Begins a transaction behind the row that all writers take first, so that they come one after the other; answers how far the schema has come. */
export function lockText(milliseconds: number): string {
  // 0 would wait for ever.
  const patience = Math.max(1, Math.ceil(milliseconds));
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${patience}ms'; SET LOCAL idle_in_transaction_session_timeout = '${idleTimeout}'; SELECT schema_version AS version, steps FROM shop WHERE id = 1 FOR UPDATE`;
}

/**
 * Runs a statement and commits. Answers whether the commit is as safe as the server is set up to make it: the server
 * warns when somebody cancelled its wait for a synchronous standby.
 */
async function commitWith(client: Client, statement: string): Promise<boolean> {
  let isWarned = false;
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    // The class of warnings.
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
 * Whether a transaction whose commit was not answered was kept. It held the row of the writers, so that whoever has
 * that row knows it has ended. A standby may not have it yet; it has once it has a commit that came later.
 */
async function wasCommitted(pool: Pool, token: string, until: number): Promise<boolean> {
  return retryTransient(until, async () => {
    for (;;) {
      const { client } = await connectAndRun(pool, lockText(until - monotonicNow()));
      try {
        const { rowCount } = await client.query(`SELECT 1 FROM commits WHERE token = '${token}'`);
        if (rowCount === 0) return false;
        if (await commitWith(client, `UPDATE commits SET at = ${serverTime} WHERE token = '${token}'`)) return true;
      } finally {
        await endAndRelease(client, 'ROLLBACK');
      }
      if (monotonicNow() >= until) throw new Error('The server cancelled every wait for its standbys.');
    }
  });
}

/** One write transaction after the other; a commit that was not answered is looked up by the token it wrote. */
export function writePort(pool: Pool, where: string, waitSeconds: number): WritePort {
  let client: Client | undefined;
  const present = (): Client => {
    if (client === undefined) throw new Error('There is no write transaction.');
    return client;
  };
  const lock = async (milliseconds: number): Promise<void> => {
    const { client: taken, row } = await connectAndRun(pool, lockText(milliseconds));
    const version = Number(row['version']);
    if (version <= schemaVersion) {
      client = taken;
      return;
    }
    await endAndRelease(taken, 'ROLLBACK');
    throw tooNew(where, version, schemaVersion);
  };
  return {
    lock: async (milliseconds) => {
      const until = monotonicNow() + milliseconds;
      try {
        await retryTransient(until, () => lock(until - monotonicNow()));
        return undefined;
      } catch (error) {
        if (isLockTimeout(error)) return busy(where, waitSeconds);
        const refusal = explain(error, where);
        if (isTransient(error) && refusal instanceof StoreError) return refusal;
        throw refusal;
      }
    },
    queries: queriesOf(present, true),
    commit: async (until) => {
      const token = randomBytes(tokenBytes).toString('hex');
      // Once in a while; there are never many.
      const forget = token.startsWith('00') ? `DELETE FROM commits WHERE at < ${serverTime} - ${commitTokenLifetimeMs}; ` : '';
      let failure: unknown;
      try {
        const isSafe = await commitWith(present(), `${forget}INSERT INTO commits (token, at) VALUES ('${token}', ${serverTime})`);
        client?.release();
        client = undefined;
        if (isSafe) return;
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        client?.release(true);
        client = undefined;
        failure = error;
      }
      const kept = await wasCommitted(pool, token, Math.max(until, monotonicNow() + waitSeconds * 1000)).catch(() => {
        throw outcomeUnknown(where);
      });
      if (!kept) throw failure ?? outcomeUnknown(where);
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
