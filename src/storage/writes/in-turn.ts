import { expiringQueries } from '../expiring-queries.js';
import { monotonicNow } from '../retry.js';
import { sql } from '../sql.js';
import { refused, SavepointNeededError, type Attempt, type Attempts, type WaitingWrite } from './waiting-write.js';
import type { WritePort } from './write-port.js';

// A group ends after this time, to bound how long other work in the process waits.
const longestGroupMs = 10;

const setSavepoint = sql`SAVEPOINT one`;
const release = sql`RELEASE SAVEPOINT one`;
const rollbackTo = sql`ROLLBACK TO SAVEPOINT one`;

/** Runs one write of a group. Refuses with `SavepointNeededError` when it has failed after its first change. */
async function runOne(port: WritePort, one: WaitingWrite, isOnly: boolean): Promise<Attempt> {
  const inSavepoint = one.inSavepoint && !isOnly;
  const scope = expiringQueries(port.queries);
  const end = async (keeping: boolean): Promise<void> => {
    // PostgreSQL accepts no further statement after a failed one, even if the write goes on.
    if (!inSavepoint && !isOnly && (scope.hasFailed() || (!keeping && scope.hasChanged()))) throw new SavepointNeededError();
    if (!inSavepoint) return;
    if (!keeping) await port.queries.run(rollbackTo);
    await port.queries.run(release);
  };
  if (inSavepoint) await port.queries.run(setSavepoint);
  try {
    const result = await one.work(scope.queries);
    scope.end();
    await end(!one.dryRun);
    return { one, isKept: !one.dryRun, settle: () => one.resolve(result) };
  } catch (error) {
    scope.end();
    if (error instanceof SavepointNeededError || port.endsTransaction(error)) throw error;
    await end(false);
    return refused(port, one, error);
  }
}

/**
 * Runs writes one after the other in the current transaction; those that have not begun when the time is up have no attempt.
 *
 * Savepoints cost a tenth of a small write, and most writes that are refused have not changed anything by then. So only a dry
 * run has one from the start.
 */
export async function runInTurn(port: WritePort, writes: readonly WaitingWrite[]): Promise<Attempts> {
  const attempts: Attempt[] = [];
  const begunMs = monotonicNow();
  for (const one of writes) {
    if (attempts.length > 0 && monotonicNow() - begunMs > longestGroupMs) break;
    attempts.push(await runOne(port, one, writes.length === 1));
  }
  return { attempts };
}
