import { expiringQueries } from '../expiring-queries.js';
import { monotonicNow } from '../monotonic-clock.js';
import { sql, type Sql } from '../sql.js';
import { rollBack, type WaitingWrite } from './waiting-write.js';
import type { WritePort } from './write-port.js';

/** The result of one write, reported to its caller after the commit. */
interface Attempt {
  readonly kept: boolean;
  readonly settle: () => void;
}

// A group ends after this time, to bound how long other work in the process waits.
const longestGroupMs = 10;

const setSavepoint = sql`SAVEPOINT one`;
const release = sql`RELEASE SAVEPOINT one`;
const rollbackTo = sql`ROLLBACK TO SAVEPOINT one`;

const selects = /^\s*SELECT\b/;

/** Watches whether a query may have changed something, and whether one has failed. */
function changeWatch() {
  let hasChanged = false;
  let hasFailed = false;
  return {
    watch: ({ text }: Sql, answer: Promise<unknown>): void => {
      answer.catch(() => (hasFailed = true));
      hasChanged ||= !selects.test(text);
    },
    hasChanged: () => hasChanged,
    hasFailed: () => hasFailed,
  };
}

/** Thrown when a write that has no savepoint can only be rolled back together with its group. */
class SavepointNeededError extends Error {}

/** Runs one write of a group. Refuses with `SavepointNeededError` when it has failed after its first change. */
async function runOne(port: WritePort, { work, dryRun, inSavepoint: wantsSavepoint, resolve, reject }: WaitingWrite, isOnly: boolean): Promise<Attempt> {
  const inSavepoint = wantsSavepoint && !isOnly;
  const { watch, hasChanged, hasFailed } = changeWatch();
  const scope = expiringQueries(port.queries, watch);
  const end = async (keeping: boolean): Promise<void> => {
    // PostgreSQL accepts no further statement after a failed one, even if the write goes on.
    if (!inSavepoint && !isOnly && (hasFailed() || (!keeping && hasChanged()))) throw new SavepointNeededError();
    if (!inSavepoint) return;
    if (!keeping) await port.queries.run(rollbackTo);
    await port.queries.run(release);
  };
  if (inSavepoint) await port.queries.run(setSavepoint);
  try {
    const result = await work(scope.queries);
    scope.end();
    await end(!dryRun);
    return { kept: !dryRun, settle: () => resolve(result) };
  } catch (error) {
    scope.end();
    if (error instanceof SavepointNeededError || port.endsTransaction(error)) throw error;
    await end(false);
    return { kept: false, settle: () => reject(port.explain(error)) };
  }
}

/**
 * Runs writes one after the other in the current transaction and settles each after the commit. Returns those to try again.
 *
 * Savepoints cost a tenth of a small write, and most writes that are refused have not changed anything by then. So only a dry
 * run has one from the start; when another write fails after its first change, its group is rolled back and runs again with
 * savepoints.
 */
export async function performInTurn(port: WritePort, writes: readonly WaitingWrite[]): Promise<readonly WaitingWrite[]> {
  const attempts: Attempt[] = [];
  const started = monotonicNow();
  let group = writes;
  try {
    for (const [index, one] of writes.entries()) {
      if (index > 0 && monotonicNow() - started > longestGroupMs) {
        group = writes.slice(0, index);
        break;
      }
      attempts.push(await runOne(port, one, writes.length === 1));
    }
    if (attempts.some(({ kept }) => kept)) await port.commit(Math.min(...group.map(({ deadlineMs }) => deadlineMs)));
    else await port.rollback();
  } catch (error) {
    await rollBack(port, writes, error);
    if (error instanceof SavepointNeededError) return writes.map((one) => ({ ...one, inSavepoint: true }));
    const now = monotonicNow();
    const again = port.isTransient(error) ? writes.filter(({ deadlineMs }) => deadlineMs > now) : writes.slice(group.length);
    for (const one of writes) if (!again.includes(one)) one.reject(port.explain(error));
    return again;
  }
  for (const { settle } of attempts) settle();
  return writes.slice(group.length);
}
