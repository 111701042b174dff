import { randomBytes } from 'node:crypto';
import { monotonicNow } from '../monotonic-clock.js';
import { isLockTimeout } from './errors.js';
import { lockText, serverTime } from './lock.js';
import { connectAndRun, endAndRelease, breakAtDeadline, retryTransient, type Client, type Pool } from './pool.js';

// Longer than any client waits for an answer.
const commitTokenLifetimeMs = 2 * 60 * 60 * 1000;
const tokenBytes = 16;
/** How long the outcome of a commit is looked up, if the write has waited for so long. */
const lookUpMs = 2000;
/** How long a commit may take at least. */
const shortestCommitMs = 1000;
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

/** When to stop waiting for the statements of small writes, which read and change few rows, so that they can be repeated. */
export function statementDeadline(deadlineMs: number): number {
  return Math.max(deadlineMs - lookUpMs, monotonicNow() + shortestCommitMs);
}

/**
 * When to stop waiting for a commit, so that time is left to look up its outcome. A standby may take as long for a large
 * change as the primary has taken.
 */
export function commitDeadline(deadlineMs: number, lockedMs: number): number {
  const now = monotonicNow();
  return Math.max(deadlineMs - lookUpMs, now + Math.max(shortestCommitMs, now - lockedMs));
}

/** When to stop looking up the outcome of a commit. */
export function lookUpDeadline(deadlineMs: number, waitSeconds: number): number {
  return Math.max(deadlineMs, monotonicNow() + Math.min(waitSeconds * 1000, lookUpMs));
}

/**
 * Runs a statement and commits; the connection is broken at `deadlineMs`. False when the server warned that the wait for a
 * synchronous standby was cancelled.
 */
export async function commitWith(client: Client, statement: string, deadlineMs: number): Promise<boolean> {
  let isWarned = false;
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    // SQLSTATE class 01: warnings.
    if (code?.startsWith('01') === true) isWarned = true;
  };
  client.on('notice', onNotice);
  const cancelBreak = breakAtDeadline(client, deadlineMs);
  try {
    await client.query(`${statement}; COMMIT`);
    return !isWarned;
  } finally {
    cancelBreak();
    client.off('notice', onNotice);
  }
}

/** Whether a commit with this text in its statements waits for a synchronous standby; false when the server does not answer. */
export async function waitsForStandby(pool: Pool, text = ''): Promise<boolean> {
  const question = `SELECT 1 AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep' AND query LIKE '%${text}%' LIMIT 1`;
  try {
    const { client, row } = await connectAndRun(pool, () => question, monotonicNow() + askMs);
    client.release();
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
        const { client } = await connectAndRun(pool, () => lockText(deadlineMs - monotonicNow()), deadlineMs);
        try {
          const { rowCount } = await client.query(`SELECT 1 FROM commits WHERE token = '${token}'`);
          isStored = rowCount !== 0;
          if (!isStored) return 'absent';
          if (await commitWith(client, `UPDATE commits SET at = ${serverTime} WHERE token = '${token}'`, deadlineMs)) return 'confirmed';
        } finally {
          await endAndRelease(client, 'ROLLBACK');
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
