import type { StoreError } from '../domain/errors.js';
import { monotonicNow } from './monotonic-clock.js';
import type { Engine, Queries, Work } from './engine.js';
import { sql, type Sql } from './sql.js';
import { coalesce } from './coalesce.js';
import { expiringQueries } from './expiring-queries.js';

/** How a write that ran beside others ended: with its result, refused, or it has to run again, alone or in a later group. */
export type WorkOutcome = { readonly value: unknown } | { readonly error: unknown } | 'alone' | 'later';

/** A group of writes that run side by side in one transaction. */
export interface SideBySide {
  /** Whether all of them have to run alone. */
  readonly isEmpty: boolean;
  /** Sends the first statements. Called each time that the statement which takes the lock was sent. */
  readonly begin: () => void;
  /**
   * Runs the writes once the lock is held, and returns their outcomes in order; without a result among them, the
   * transaction has to be rolled back. `sent` settles when the last changes were made;
   * the commit may be sent before that. After an error the transaction can only be rolled back.
   */
  readonly perform: () => Promise<{ readonly outcomes: readonly WorkOutcome[]; readonly sent: Promise<void> }>;
}

/** The transactions that `groupedWrites` needs from an engine, one at a time. */
export interface WritePort {
  /**
   * Begins an exclusive write transaction and waits at most `waitMs` for the lock. Returns `store_busy` or a transient
   * refusal instead of throwing it; throws everything else. `onSent` is called when the statement was sent.
   */
  readonly lock: (waitMs: number, onSent?: () => void) => Promise<StoreError | undefined>;
  /** Prepares writes that run side by side; undefined where one after the other takes no longer. */
  readonly sideBySide?: (works: readonly Work<unknown>[]) => Promise<SideBySide>;
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

/** A queued write. */
interface Waiting {
  readonly work: Work<unknown>;
  readonly keep: boolean;
  /** When the write gives up, in ms of `monotonicNow`. */
  readonly deadlineMs: number;
  /** Whether it runs in a savepoint of its own, so that it can be rolled back alone. */
  readonly inSavepoint: boolean;
  /** Whether it runs after the other writes of its transaction, not beside them. */
  readonly isAlone: boolean;
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

/** Removes the next writes of one kind from the queue. */
function takeGroup(waiting: Waiting[], belongs: (one: Waiting) => boolean): readonly Waiting[] {
  const next = waiting.splice(0, largestGroupSize);
  waiting.unshift(...next.filter((one) => !belongs(one)));
  return next.filter(belongs);
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
async function runOne(port: WritePort, { work, keep, inSavepoint: wantsSavepoint, resolve, reject }: Waiting, isOnly: boolean): Promise<Attempt> {
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

/** The writes to try again after an error that rolled back a group; the others are rejected. */
function afterError(port: WritePort, group: readonly Waiting[], error: unknown): readonly Waiting[] {
  // Which write has failed, or in which order they would not affect each other, shows when they run one after the other.
  if (!port.isTransient(error)) return group.map((one) => ({ ...one, isAlone: true }));
  const now = monotonicNow();
  for (const { deadlineMs, reject } of group) if (deadlineMs <= now) reject(port.explain(error));
  return group.filter(({ deadlineMs }) => deadlineMs > now);
}

/** Runs writes side by side under the lock and settles each after the commit. Returns those to try again. */
async function performGroup(port: WritePort, group: readonly Waiting[], { perform }: SideBySide): Promise<readonly Waiting[]> {
  let outcomes: readonly WorkOutcome[];
  try {
    const performed = await perform();
    outcomes = performed.outcomes;
    if (outcomes.some((outcome) => typeof outcome === 'object' && 'value' in outcome)) {
      const committing = port.commit(Math.max(...group.map(({ deadlineMs }) => deadlineMs)));
      const [committed, sent] = await Promise.allSettled([committing, performed.sent]);
      // A commit fails because of a change that failed before it.
      if (committed.status === 'rejected') throw sent.status === 'rejected' && !port.isTransient(sent.reason) ? sent.reason : committed.reason;
    } else await port.rollback();
  } catch (error) {
    await rollBack(port, group, error);
    return afterError(port, group, error);
  }
  return group.flatMap((one, index) => {
    const outcome = outcomes[index] ?? 'later';
    if (outcome === 'later') return [one];
    if (outcome === 'alone') return [{ ...one, isAlone: true }];
    if ('value' in outcome) one.resolve(outcome.value);
    else one.reject(port.explain(outcome.error));
    return [];
  });
}

/** Takes the lock for a prepared group and runs it; writes to try again return to the front of the queue. */
async function runGroup(port: WritePort, group: readonly Waiting[], plan: SideBySide, waiting: Waiting[]): Promise<void> {
  let refusal: StoreError | undefined;
  let again = group;
  try {
    refusal = await port.lock(Math.max(0, (group[0]?.deadlineMs ?? 0) - monotonicNow()), plan.begin);
    if (refusal === undefined) again = await performGroup(port, group, plan);
  } finally {
    waiting.unshift(...again);
  }
  if (refusal !== undefined) refuseOverdue(waiting, refusal);
}

/** Runs the next transaction of the writes that wait. */
async function runNext(port: WritePort, waiting: Waiting[]): Promise<void> {
  const runsInTurn = ({ isAlone }: Waiting): boolean => isAlone || port.sideBySide === undefined;
  if (port.sideBySide === undefined || waiting[0]?.isAlone === true) {
    if (await lock(port, waiting)) waiting.unshift(...(await commit(port, takeGroup(waiting, runsInTurn))));
    return;
  }
  const group = takeGroup(waiting, (one) => !runsInTurn(one));
  const plan = await port.sideBySide(group.map(({ work }) => work));
  if (plan.isEmpty) waiting.unshift(...group.map((one) => ({ ...one, isAlone: true })));
  else await runGroup(port, group, plan, waiting);
}

/**
 * The writes of one engine, first come, first served. Waiting writes share one commit, because a flush to disk costs more
 * than the rest of a small write. Savepoints cost a tenth of a small write, and most writes that are refused have not
 * changed anything by then. So only a dry run has one from the start; when another write fails after its first change, its
 * group is rolled back and runs again with savepoints.
 */
export function groupedWrites(open: () => Promise<WritePort>, waitSeconds: number): Engine['write'] {
  const waiting: Waiting[] = [];
  let running = false;
  const begin = coalesce(() => void drain());
  const drain = async (): Promise<void> => {
    try {
      const port = await open();
      while (waiting.length > 0) {
        await runNext(port, waiting);
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
  return <T>(work: Work<T>, keep = true, isSmall = false) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        work,
        keep,
        inSavepoint: !keep,
        isAlone: !keep || !isSmall,
        deadlineMs: monotonicNow() + waitSeconds * 1000,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      start();
    });
}
