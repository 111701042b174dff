import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../retry.js';
import { schemaTooNew, storeBusy } from '../errors.js';
import { schemaVersion } from '../migrations/migrations.js';
import type { NumberedTable } from '../queries.js';
import type { Pipeline, WritePort } from '../writes/write-port.js';
import { commitWith, lockText, newCommitToken, outcomeOf, storeCommitToken, type CommitOutcome } from './commit.js';
import type { Connection } from './connection.js';
import { breakAt, commitDeadline, lookUpDeadline, retryTransient, statementDeadline } from './deadlines.js';
import { explain, isLockTimeout, isConnectionLost, isTransient, notConfirmed, outcomeUnknown } from './errors.js';
import { connectAndRun, endAndRelease, type Pool } from './pool.js';
import { queriesOf } from './statements.js';
import { sql } from '../sql.js';
import { entryTime, ledgerWithBatches } from '../tables/fragments.js';

/** Reads what every write needs. In a statement after that of the lock: one that waits for the lock does not see what was committed meanwhile. */
const selectState = sql`SELECT schema_version AS version, coalesce((SELECT ${entryTime} FROM ${ledgerWithBatches} ORDER BY l.id DESC LIMIT 1), 0) AS at,
  coalesce((SELECT max(id) FROM ledger), 0) AS ledger, coalesce((SELECT max(id) FROM orders), 0) AS orders, coalesce((SELECT max(id) FROM pets), 0) AS pets
  FROM shop WHERE id = 1`;

/** What `selectState` returns: the highest ids, the time of the newest ledger entry in ms since 1970, 0 without entries, and the schema. */
interface LockedState extends Readonly<Record<NumberedTable | 'at' | 'version', number>> {}

/** Takes the lock and returns what was read with it, in one round trip. Refuses with `schema_too_new`. */
async function lockShop(pool: Pool, where: string, deadlineMs: number): Promise<{ readonly connection: Connection; readonly state: LockedState }> {
  const read = (connection: Connection) => queriesOf(() => connection, true).get<LockedState>(selectState);
  const { connection, next: state } = await connectAndRun(pool, () => lockText(deadlineMs - monotonicNow()), deadlineMs, read);
  if (state === undefined) throw new Error('The row of the shop is missing.');
  if (state.version <= schemaVersion()) return { connection, state };
  await endAndRelease(pool, connection, 'ROLLBACK');
  throw schemaTooNew(where, state.version, schemaVersion());
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
  let connection: Connection | undefined;
  let newestAt = 0;
  let ids: Record<NumberedTable, number> = { ledger: 0, orders: 0, pets: 0 };
  let [lockDeadlineMs, lockedMs] = [0, 0];
  const present = (): Connection => {
    if (connection === undefined) throw new Error('There is no write transaction.');
    return connection;
  };
  const queries = { ...queriesOf(present, true), newest: { at: () => newestAt, advanceTo: (at: number) => (newestAt = at) } };
  const rollback = async (): Promise<void> => {
    const former = connection;
    connection = undefined;
    if (former) await endAndRelease(pool, former, 'ROLLBACK');
  };
  const lock = async (deadlineMs: number): Promise<void> => {
    connection = undefined;
    const locked = await lockShop(pool, where, deadlineMs);
    ({ connection } = locked);
    ({ at: newestAt, ...ids } = locked.state);
    [lockDeadlineMs, lockedMs] = [deadlineMs, monotonicNow()];
  };
  const pipeline: Pipeline = {
    takeId: (table) => (ids[table] += 1),
    withDeadline: (run) => breakAt(present(), statementDeadline(lockDeadlineMs), run),
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
      const token = newCommitToken();
      let failure: unknown;
      try {
        const isConfirmed = await commitWith(present(), storeCommitToken(token), commitDeadline(deadlineMs, lockedMs));
        pool.release(present());
        connection = undefined;
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
