import { randomBytes } from 'node:crypto';
import { monotonicNow } from '../retry.js';
import type { NumberedTable } from '../queries.js';
import { sql } from '../sql.js';
import type { Connection } from './connection.js';
import { breakAt, lockTimeout, retryTransient } from './deadlines.js';
import { isLockTimeout } from './errors.js';
import { connectAndRun, endAndRelease, type Pool } from './pool.js';
import { queriesOf } from './statements.js';

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

/** What a write has read with its lock: the highest ids, the time of the newest ledger entry in ms since 1970, 0 without entries, and the schema. */
interface LockedState extends Readonly<Record<NumberedTable | 'at' | 'version', number>> {}

/** A write transaction that has the lock. */
export interface BegunWrite {
  readonly connection: Connection;
  readonly state: LockedState;
  /** A random text that the transaction has stored, to find out whether it was committed. */
  readonly token: string;
}

/** Begins a transaction and waits until `deadlineMs` for the row that serializes writers, in one round trip. */
export async function beginWrite(pool: Pool, deadlineMs: number): Promise<BegunWrite> {
  const token = randomBytes(tokenBytes).toString('hex');
  const lock = async (connection: Connection): Promise<LockedState | undefined> => {
    const begun = connection.run('BEGIN ISOLATION LEVEL READ COMMITTED');
    const locked = queriesOf(() => connection, true).get<LockedState>(sql`SELECT * FROM begin_write(${token}, ${lockTimeout(deadlineMs)})`);
    // If the first statement fails, so does this.
    return (await Promise.all([begun, locked]))[1];
  };
  const { connection, answer: state } = await connectAndRun(pool, lock, deadlineMs);
  if (state === undefined) throw new Error('The row of the shop is missing.');
  return { connection, state, token };
}

/**
 * Commits; the connection is broken at `deadlineMs`. False when the server warned that the wait for a synchronous standby was
 * cancelled. About one of 256 commits also deletes old tokens; there are never many.
 */
export async function commitWith({ connection, token }: Omit<BegunWrite, 'state'>, deadlineMs: number): Promise<boolean> {
  const isOld = `at < CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) - ${commitTokenLifetimeMs}`;
  const deleteOld = token.startsWith('00') ? `DELETE FROM commits WHERE ${isOld}; ` : '';
  let isWarned = false;
  const onNotice = ({ code }: { readonly code?: string | undefined }): void => {
    // SQLSTATE class 01: warnings.
    if (code?.startsWith('01') === true) isWarned = true;
  };
  connection.client.on('notice', onNotice);
  try {
    const answer = await breakAt(connection, deadlineMs, () => connection.run(`${deleteOld}COMMIT /* ${token} */`));
    // After a failed statement the server answers COMMIT with ROLLBACK, without an error.
    if ([answer].flat().at(-1)?.command !== 'COMMIT') throw new Error('The transaction was rolled back, because one of its statements has failed.');
    return !isWarned;
  } finally {
    connection.client.off('notice', onNotice);
  }
}

/** Whether a commit with this text in its statements waits for a synchronous standby; false when the server does not answer. */
async function waitsForStandby(pool: Pool, text: string): Promise<boolean> {
  const question = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep' AND query LIKE '%${text}%' LIMIT 1`;
  try {
    const { connection, answer } = await connectAndRun(pool, ({ run }) => run(question), monotonicNow() + askMs);
    pool.release(connection);
    return answer.rows.length > 0;
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
        const { connection, token: later } = await beginWrite(pool, deadlineMs);
        try {
          const { rowCount } = await connection.run(`SELECT 1 FROM commits WHERE token = '${token}'`);
          isStored = rowCount !== 0;
          if (!isStored) return 'absent';
          if (await commitWith({ connection, token: later }, deadlineMs)) return 'confirmed';
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
