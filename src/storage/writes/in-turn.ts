import { expiringQueries } from '../expiring-queries.js';
import { monotonicNow } from '../retry.js';
import { refused, RunAloneError, type Attempt, type Attempts, type WaitingWrite } from './waiting-write.js';
import type { WritePort } from './write-port.js';

// A group ends after this time, to bound how long other work in the process waits.
const longestGroupMs = 10;

/** Runs one write of a group. Throws `RunAloneError` when it has failed after its first change. */
async function runOne(port: WritePort, one: WaitingWrite, isOnly: boolean): Promise<Attempt> {
  const scope = expiringQueries(port.queries);
  try {
    const result = await one.work(scope.queries);
    scope.end();
    // PostgreSQL accepts no further statement after a failed one, even if the write goes on.
    if (!isOnly && scope.hasFailed()) throw new RunAloneError();
    return { one, isKept: !one.dryRun, settle: () => one.resolve(result) };
  } catch (error) {
    scope.end();
    if (error instanceof RunAloneError || port.endsTransaction(error)) throw error;
    if (!isOnly && (scope.hasFailed() || scope.hasChanged())) throw new RunAloneError();
    return refused(port, one, error);
  }
}

/** Runs writes one after the other in the current transaction; those that have not begun when the time is up have no attempt. */
export async function runInTurn(port: WritePort, writes: readonly WaitingWrite[]): Promise<Attempts> {
  const attempts: Attempt[] = [];
  const begunMs = monotonicNow();
  for (const one of writes) {
    if (attempts.length > 0 && monotonicNow() - begunMs > longestGroupMs) break;
    attempts.push(await runOne(port, one, writes.length === 1));
  }
  return { attempts };
}
