import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../retry.js';
import { schemaTooNew, storeBusy } from '../errors.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { NumberedTable } from '../queries.js';
import type { Pipeline, WritePort } from '../writes/write-port.js';
import { beginWrite, commitWith, outcomeOf, type BegunWrite, type CommitOutcome } from './commit.js';
import { breakAt, commitDeadline, lookUpDeadline, retryTransient, statementDeadline } from './deadlines.js';
import { explain, isLockTimeout, isConnectionLost, isTransient, notConfirmed, outcomeUnknown } from './errors.js';
import { endAndRelease, type Pool } from './pool.js';
import { queriesOf } from './statements.js';

/** Takes the lock. Refuses with `schema_too_new`. */
async function lockShop(pool: Pool, where: string, deadlineMs: number): Promise<BegunWrite> {
  const begun = await beginWrite(pool, deadlineMs);
  const { version } = begun.state;
  if (version <= schemaVersion()) return begun;
  await endAndRelease(pool, begun.connection, 'ROLLBACK');
  throw schemaTooNew(where, version, schemaVersion());
}

/** The refusal of a write that has not got the lock, if it may get it later; throws any other error. */
function lockRefusal(error: unknown, where: string, waitSeconds: number): StoreError {
  if (isLockTimeout(error)) return storeBusy(where, waitSeconds);
  const refusal = explain(error, where);
  if (isTransient(error) && refusal instanceof StoreError) return refusal;
  throw refusal;
}

/** Throws unless a transaction is confirmed: why it was not committed, or a refusal. */
function checkOutcome(outcome: CommitOutcome, where: string, failure: unknown): void {
  if (outcome === 'unconfirmed') throw notConfirmed(where);
  if (outcome !== 'confirmed') throw (outcome === 'absent' ? failure : undefined) ?? outcomeUnknown(where);
}

/** The write transactions of PostgreSQL. The outcome of a commit that was not answered is looked up by its token. */
export function writePort(pool: Pool, where: string, waitSeconds: number): WritePort {
  let begun: BegunWrite | undefined;
  let newestAt = 0;
  let ids: Record<NumberedTable, number> = { ledger: 0, orders: 0, pets: 0 };
  let [lockDeadlineMs, lockedMs] = [0, 0];
  const begunWrite = (): BegunWrite => {
    if (begun === undefined) throw new Error('There is no write transaction.');
    return begun;
  };
  const queries = { ...queriesOf(() => begunWrite().connection, true), clock: { at: () => newestAt, advanceTo: (at: number) => (newestAt = at) } };
  const rollback = async (): Promise<void> => {
    const former = begun;
    begun = undefined;
    if (former) await endAndRelease(pool, former.connection, 'ROLLBACK');
  };
  const lock = async (deadlineMs: number): Promise<void> => {
    begun = undefined;
    begun = await lockShop(pool, where, deadlineMs);
    ({ at: newestAt, ...ids } = begun.state);
    lockDeadlineMs = deadlineMs;
    lockedMs = monotonicNow();
  };
  const pipeline: Pipeline = {
    takeId: (table) => (ids[table] += 1),
    withDeadline: (run) => breakAt(begunWrite().connection, statementDeadline(lockDeadlineMs), run),
  };
  return {
    lock: async (waitMs) => {
      const deadlineMs = monotonicNow() + waitMs;
      try {
        await retryTransient(deadlineMs, () => lock(deadlineMs));
        return undefined;
      } catch (error) {
        return lockRefusal(error, where, waitSeconds);
      }
    },
    queries,
    pipeline,
    commit: async (deadlineMs) => {
      const { connection, token } = begunWrite();
      let failure: unknown;
      try {
        const isConfirmed = await commitWith(begunWrite(), commitDeadline(deadlineMs, lockedMs));
        pool.release(connection);
        begun = undefined;
        if (isConfirmed) return;
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await rollback();
        failure = error;
      }
      checkOutcome(await outcomeOf(pool, token, lookUpDeadline(deadlineMs, waitSeconds)), where, failure);
    },
    rollback,
    endsTransaction: isTransient,
    isTransient,
    explain: (error) => explain(error, where),
  };
}
