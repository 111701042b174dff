import { randomBytes } from 'node:crypto';
import { monotonicNow } from '../retry.js';
import type { Connection } from './connection.js';
import { breakAt, retryTransient } from './deadlines.js';
import { isLockTimeout } from './errors.js';
import { connectAndRun, endAndRelease, type Pool } from './pool.js';

/** The server's time, ms since 1970. */
export const serverTime = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

// The lock of a stalled or unreachable client is released after this time.
const idleTimeout = '5s';

/** The statements that begin a transaction whose locks wait so long. */
export function beginWaiting(waitMs: number): string {
  // 0 would disable the timeout.
  const timeoutMs = Math.max(1, Math.ceil(waitMs));
  return `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${timeoutMs}ms'; SET LOCAL idle_in_transaction_session_timeout = '${idleTimeout}'`;
}

/** The statements that begin a transaction and lock the row that serializes writers. */
export function lockText(waitMs: number): string {
  return `${beginWaiting(waitMs)}; SELECT 1 FROM shop WHERE id = 1 FOR UPDATE`;
}

// Longer than any client waits for an answer.
const commitTokenLifetimeMs = 2 * 60 * 60 * 1000;
const tokenBytes = 16;
/** How long the question may take whether a transaction waits for a standby. */
const askMs = 500;

/**
 * What became of a transaction: `unconfirmed` is on the disk of the primary, but no synchronous standby has confirmed it;
 * it takes effect when one does, or when its wait is cancelled.
 */
export type CommitOutcome = 'confirmed' | 'absent' | 'unconfirmed' | 'unknown';

/** A random text that a transaction stores, to find out whether it was committed. */
export function newCommitToken(): string {
  return randomBytes(tokenBytes).toString('hex');
}

/** The statements that store a token. About one of 256 tokens also deletes old ones; there are never many. */
export function storeCommitToken(token: string): string {
  const deleteOld = token.startsWith('00') ? `DELETE FROM commits WHERE at < ${serverTime} - ${commitTokenLifetimeMs}; ` : '';
  return `${deleteOld}INSERT INTO commits (token, at) VALUES ('${token}', ${serverTime})`;
}

/**
 * Runs a statement and commits; the connection is broken at `deadlineMs`. False when the server warned that the wait for a
 * synchronous standby was cancelled.
 */
export async function commitWith(connection: Connection, statement: string, deadlineMs: number): Promise<boolean> {
  let isWarned = false;
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    // SQLSTATE class 01: warnings.
    if (code?.startsWith('01') === true) isWarned = true;
  };
  connection.client.on('notice', onNotice);
  try {
    await breakAt(connection, deadlineMs, () => connection.run(`${statement}; COMMIT`));
    return !isWarned;
  } finally {
    connection.client.off('notice', onNotice);
  }
}

/** Whether a commit with this text in its statements waits for a synchronous standby; false when the server does not answer. */
async function waitsForStandby(pool: Pool, text: string): Promise<boolean> {
  const question = `SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep' AND query LIKE '%${text}%' LIMIT 1`;
  try {
    const { connection, row } = await connectAndRun(pool, () => question, monotonicNow() + askMs);
    pool.release(connection);
    return row['found'] === 1;
  } catch {
    return false;
  }
}

/**
 * Looks up what became of a transaction. It locked the writer row, so it has ended when that row can be locked again. The
 * later commit made here ensures that the standby has the transaction too.
 */
export async function outcomeOf(pool: Pool, token: string, deadlineMs: number): Promise<CommitOutcome> {
  let isStored = false;
  try {
    return await retryTransient(deadlineMs, async () => {
      for (;;) {
        const { connection } = await connectAndRun(pool, () => lockText(deadlineMs - monotonicNow()), deadlineMs);
        try {
          const { rowCount } = await connection.run(`SELECT 1 FROM commits WHERE token = '${token}'`);
          isStored = rowCount !== 0;
          if (!isStored) return 'absent';
          if (await commitWith(connection, `UPDATE commits SET at = ${serverTime} WHERE token = '${token}'`, deadlineMs)) return 'confirmed';
        } finally {
          await endAndRelease(pool, connection, 'ROLLBACK');
        }
        if (monotonicNow() >= deadlineMs) throw new Error('The server cancelled every wait for its standbys.');
      }
    });
  } catch (error) {
    if (isStored) return 'unconfirmed';
    // A transaction that waits for a standby keeps its lock.
    return isLockTimeout(error) && (await waitsForStandby(pool, token)) ? 'unconfirmed' : 'unknown';
  }
}
