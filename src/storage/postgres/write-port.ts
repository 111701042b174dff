import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../monotonic-clock.js';
import { schemaTooNew, storeBusy } from '../errors.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { SideBySide, WritePort } from '../writes/write-port.js';
import {
  commitDeadline,
  commitWith,
  lookUpDeadline,
  newCommitToken,
  outcomeOf,
  statementDeadline,
  storeCommitToken,
  waitsForStandby,
  type CommitOutcome,
} from './commit.js';
import { explain, isLockTimeout, isConnectionLost, isTransient, lockedByUnconfirmed, notConfirmed, outcomeUnknown } from './errors.js';
import { lockText } from './lock.js';
import { connectAndRun, endAndRelease, breakAtDeadline, retryTransient, type Client, type Pool } from './pool.js';
import { queriesOf } from './statements.js';
import { nothingLocked, sideBySide, type LockedState } from './side-by-side.js';
import { entryTime, ledgerWithBatches } from '../tables/fragments.js';

const newestTime = `SELECT ${entryTime.text} FROM ${ledgerWithBatches.text} ORDER BY l.id DESC LIMIT 1`;
const lastIds = '(SELECT max(id) FROM ledger) AS "lastEntry", (SELECT max(id) FROM orders) AS "lastOrder", (SELECT max(id) FROM pets) AS "lastPet"';

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
  throw schemaTooNew(where, version, schemaVersion);
}

/**
 * Takes the lock by `attempt`, again after a transient error. When most of the wait was over before the lock was asked for, its
 * timeout is not the reason: throws the error of the attempt before.
 */
async function retryLock(deadlineMs: number, attempt: () => Promise<void>): Promise<void> {
  const beganMs = monotonicNow();
  let [askedMs, earlier]: readonly [number, unknown] = [beganMs, undefined];
  await retryTransient(deadlineMs, async () => {
    askedMs = monotonicNow();
    try {
      await attempt();
    } catch (error) {
      const isLate = monotonicNow() - askedMs < askedMs - beganMs;
      if (isLockTimeout(error) && isLate && earlier !== undefined) throw earlier;
      earlier = error;
      throw error;
    }
  });
}

/** The refusal of a write that has not got the lock, if it may get it later; throws any other error. */
async function lockRefusal(error: unknown, pool: Pool, where: string, waitSeconds: number): Promise<StoreError> {
  if (isLockTimeout(error)) return (await waitsForStandby(pool)) ? lockedByUnconfirmed(where, waitSeconds) : storeBusy(where, waitSeconds);
  const refusal = explain(error, where);
  if (isTransient(error) && refusal instanceof StoreError) return refusal;
  throw refusal;
}

/** Throws unless a transaction is confirmed: why it was not committed, or a refusal. */
function checkOutcome(outcome: CommitOutcome, where: string, failure: unknown): void {
  if (outcome === 'unconfirmed') throw notConfirmed(where);
  if (outcome !== 'confirmed') throw (outcome === 'absent' ? failure : undefined) ?? outcomeUnknown(where);
}

/** A group whose connection is broken at a deadline while it is performed: a process of the server that is stopped looks busy. */
function limited(group: SideBySide, client: () => Client, deadlineMs: () => number): SideBySide {
  const perform: SideBySide['perform'] = async () => {
    const cancelBreak = breakAtDeadline(client(), deadlineMs());
    try {
      return await group.perform();
    } finally {
      cancelBreak();
    }
  };
  return { ...group, perform };
}

/** The write transactions of PostgreSQL. The outcome of a commit that was not answered is looked up by its token. */
export function writePort(pool: Pool, where: string, waitSeconds: number): WritePort {
  let client: Client | undefined;
  let newestAt = 0;
  let locked = nothingLocked;
  let [lockDeadlineMs, lockedMs] = [0, 0];
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
      [lockDeadlineMs, lockedMs] = [deadlineMs, monotonicNow()];
    } catch (error) {
      client = undefined;
      throw error;
    }
  };
  return {
    lock: async (waitMs, onSent = () => undefined) => {
      const deadlineMs = monotonicNow() + waitMs;
      try {
        await retryLock(deadlineMs, () => lock(deadlineMs, onSent));
        return undefined;
      } catch (error) {
        return lockRefusal(error, pool, where, waitSeconds);
      }
    },
    queries,
    sideBySide: async (works) => limited(await sideBySide(works, queries, () => locked), present, () => statementDeadline(lockDeadlineMs)),
    commit: async (deadlineMs) => {
      const token = newCommitToken();
      let failure: unknown;
      try {
        const isConfirmed = await commitWith(present(), storeCommitToken(token), commitDeadline(deadlineMs, lockedMs));
        client?.release();
        client = undefined;
        if (isConfirmed) return;
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        client?.release(true);
        client = undefined;
        failure = error;
      }
      checkOutcome(await outcomeOf(pool, token, lookUpDeadline(deadlineMs, waitSeconds)), where, failure);
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
