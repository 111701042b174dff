import type { StoreError } from '../domain/errors.js';
import { monotonicNow } from './monotonic-clock.js';
import type { Queries, Work } from './engine.js';
import { sql, type Sql } from './sql.js';
import { coalesce } from './coalesce.js';

/** The transactions that `groupedWrites` needs from an engine, one at a time. */
export interface WritePort {
  /**
   * Begins an exclusive write transaction and waits at most `waitMs` for the lock. Returns `store_busy` or a transient
   * refusal instead of throwing it; throws everything else.
   */
  readonly lock: (waitMs: number) => Promise<StoreError | undefined>;
  /** The queries of the current transaction. */
  readonly queries: Queries;
  /** Commits. Settles when the outcome is known for certain, or at `deadlineMs` of `monotonicNow`. */
  readonly commit: (deadlineMs: number) => void | Promise<void>;
  /** Rolls back; does nothing when the transaction has already ended. */
  readonly rollback: () => void | Promise<void>;
  /** Whether an error ended the whole transaction, not only the statement. */
  readonly endsTransaction: (error: unknown) => boolean;
  /** Whether the same transaction may succeed when it is repeated. */
  readonly isTransient: (error: unknown) => boolean;
  /** The refusal that explains an error; an unexpected error unchanged. */
  readonly explain: (error: unknown) => unknown;
}

const selects = /^\s*SELECT\b/;

async function refuseLate(): Promise<never> {
  throw new Error('This transaction has ended; an operation forgot an await.');
}

/** The queries of one piece of work. */
interface Scope {
  readonly queries: Queries;
  /** From now on the queries fail. */
  readonly end: () => void;
  /** Whether one of them may have changed something. */
  readonly hasChanged: () => boolean;
  readonly hasFailed: () => boolean;
}

/** Wraps queries so that they fail after `end`. */
export function expiringQueries(queries: Queries): Scope {
  let ended = false;
  let hasChanged = false;
  let hasFailed = false;
  const watch = <T>(query: Sql, ask: (query: Sql) => Promise<T>): Promise<T> => {
    if (ended) return refuseLate();
    const answer = ask(query);
    answer.catch(() => (hasFailed = true));
    hasChanged ||= !selects.test(query.text);
    return answer;
  };
  return {
    queries: {
      ...queries,
      all: (query) => watch(query, (asked) => queries.all(asked)),
      rows: (query) => watch(query, queries.rows),
      get: (query) => watch(query, (asked) => queries.get(asked)),
      run: (query) => watch(query, queries.run),
    },
    end: () => {
      ended = true;
    },
    hasChanged: () => hasChanged,
    hasFailed: () => hasFailed,
  };
}

/** A queued write. */
interface Waiting {
  readonly work: Work<unknown>;
  readonly keep: boolean;
  /** When the write gives up, in ms of `monotonicNow`. */
  readonly deadlineMs: number;
  /** Whether it runs in a savepoint of its own, so that it can be rolled back alone. */
  readonly inSavepoint: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The result of one write, reported to its caller after the commit. */
interface Attempt {
  readonly kept: boolean;
  readonly settle: () => void;
}

// A group ends after this time, to bound how long other work in the process waits.
const longestGroupMs = 10;

/** Lets other events run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The maximum number of writes per commit; the first waits for the last. */
const largestGroupSize = 128;

/** Refuses the writes whose wait has ended. */
function refuseOverdue(waiting: Waiting[], refusal: unknown): void {
  const now = monotonicNow();
  while (waiting[0] !== undefined && waiting[0].deadlineMs <= now) waiting.shift()?.reject(refusal);
}

/** Takes the write lock; meanwhile refuses writes whose wait has ended. False when no write is left. */
async function lock(port: WritePort, waiting: Waiting[]): Promise<boolean> {
  for (let [next] = waiting; next !== undefined; [next] = waiting) {
    const refusal = await port.lock(Math.max(0, next.deadlineMs - monotonicNow()));
    if (refusal === undefined) return true;
    refuseOverdue(waiting, refusal);
  }
  return false;
}

const setSavepoint = sql`SAVEPOINT one`;
const release = sql`RELEASE SAVEPOINT one`;
const rollbackTo = sql`ROLLBACK TO SAVEPOINT one`;

/** Thrown when a write that has no savepoint can only be rolled back together with its group. */
class SavepointNeededError extends Error {}

/** Runs one write of a group. Refuses with `SavepointNeededError` when it has failed after its first change. */
async function runOne(port: WritePort, { work, keep, inSavepoint: wantsSavepoint, resolve, reject }: Waiting, isOnly: boolean): Promise<Attempt> {
  const inSavepoint = wantsSavepoint && !isOnly;
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
    const result = await work(scope.queries);
    scope.end();
    await end(keep);
    return { kept: keep, settle: () => resolve(result) };
  } catch (error) {
    scope.end();
    if (error instanceof SavepointNeededError || port.endsTransaction(error)) throw error;
    await end(false);
    return { kept: false, settle: () => reject(port.explain(error)) };
  }
}

/** Rolls back after a failed write. If that fails too, the state of the transaction is unknown, and every write of the group is rejected. */
async function rollBack(port: WritePort, writes: readonly Waiting[], cause: unknown): Promise<void> {
  try {
    await port.rollback();
  } catch (error) {
    for (const { reject } of writes) reject(port.explain(cause));
    throw port.explain(error);
  }
}

/** Runs a group of writes in one transaction and settles each after the commit. Returns those to try again. */
async function commit(port: WritePort, writes: readonly Waiting[]): Promise<readonly Waiting[]> {
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
    if (attempts.some(({ kept }) => kept)) await port.commit(Math.max(...group.map(({ deadlineMs }) => deadlineMs)));
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

/**
 * The writes of one engine, first come, first served. Waiting writes share one commit, because a flush to disk costs more
 * than the rest of a small write. Savepoints cost a tenth of a small write, and most writes that are refused have not
 * changed anything by then. So only a dry run has one from the start; when another write fails after its first change, its
 * group is rolled back and runs again with savepoints.
 */
export function groupedWrites(open: () => Promise<WritePort>, waitSeconds: number): <T>(work: Work<T>, keep: boolean) => Promise<T> {
  const waiting: Waiting[] = [];
  let running = false;
  const begin = coalesce(() => void drain());
  const drain = async (): Promise<void> => {
    try {
      const port = await open();
      while (await lock(port, waiting)) {
        waiting.unshift(...(await commit(port, waiting.splice(0, largestGroupSize))));
        await nextTurn();
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    }
    running = false;
    // A write may have arrived after the last check.
    if (waiting.length > 0) start();
  };
  const start = (): void => {
    if (running) return;
    running = true;
    begin();
  };
  return <T>(work: Work<T>, keep: boolean) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, keep, inSavepoint: !keep, deadlineMs: monotonicNow() + waitSeconds * 1000, resolve: resolve as (value: unknown) => void, reject });
      start();
    });
}
