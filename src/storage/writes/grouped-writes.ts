import { StoreError } from '../../domain/errors.js';
import { coalesce } from './turns.js';
import type { Engine } from '../engine.js';
import { monotonicNow } from '../retry.js';
import type { WriteOptions, WriteWork } from '../queries.js';
import { runPipelined } from './pipelined.js';
import { RunAloneError, runOne, type Attempt, type Attempts, type Pipeline, type WaitingWrite, type WritePort } from './write-port.js';

/** The maximum number of writes per commit; the first waits for the last. */
const largestGroupSize = 128;

/** Lets other events run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Refuses the writes whose wait has ended. */
function refuseOverdue(waiting: WaitingWrite[], refusal: unknown): void {
  const now = monotonicNow();
  // Any number of writes may wait, so they are not spread into arguments.
  for (const one of waiting.splice(0)) {
    if (one.deadlineMs <= now) one.reject(refusal);
    else waiting.push(one);
  }
}

/** When the first of these writes gives up, in ms of `monotonicNow`. */
function firstDeadlineMs(writes: readonly WaitingWrite[]): number {
  return writes.reduce((first, { deadlineMs }) => Math.min(first, deadlineMs), Infinity);
}

/** Takes the write lock; meanwhile refuses writes whose wait has ended. False when no write is left. */
async function lock(port: WritePort, waiting: WaitingWrite[]): Promise<boolean> {
  while (waiting.length > 0) {
    const refusal = await port.lock(Math.max(0, firstDeadlineMs(waiting) - monotonicNow()));
    if (refusal === undefined) return true;
    refuseOverdue(waiting, refusal);
  }
  return false;
}

/** Writes of one transaction: with a pipeline they run beside each other, otherwise in turn. */
interface Group {
  readonly writes: readonly WaitingWrite[];
  readonly pipeline: Pipeline | undefined;
}

/** Removes the next writes that run in the same way from the queue. */
function takeGroup({ pipeline }: WritePort, waiting: WaitingWrite[]): Group {
  const runsBeside = (one: WaitingWrite | undefined): boolean => pipeline !== undefined && one?.records !== undefined && !one.isAlone;
  const isPipelined = runsBeside(waiting[0]);
  const end = waiting[0]?.isAlone ? 1 : waiting.findIndex((one, index) => index === largestGroupSize || one.isAlone || runsBeside(one) !== isPipelined);
  return { writes: waiting.splice(0, end < 0 ? waiting.length : end), pipeline: isPipelined ? pipeline : undefined };
}

/** Rolls back after an error. If that fails too, the state of the transaction is unknown, and every write of the group is rejected. */
async function rollBack(port: WritePort, writes: readonly WaitingWrite[], cause: unknown): Promise<void> {
  try {
    await port.rollback();
  } catch (error) {
    for (const { reject } of writes) reject(port.explain(cause));
    throw port.explain(error);
  }
}

/** Commits what a group has changed, or rolls back if nothing is kept; throws when the writes have to be rolled back. */
async function endTransaction(port: WritePort, { attempts, sent = [] }: Attempts): Promise<void> {
  if (!attempts.some(({ isKept }) => isKept)) return port.rollback();
  try {
    await port.commit(firstDeadlineMs(attempts.map(({ one }) => one)));
  } catch (error) {
    // A commit fails because of a change that failed before it.
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
    if (error instanceof StoreError || failed?.status !== 'rejected') throw error;
    throw port.isTransient(failed.reason) ? failed.reason : new RunAloneError();
  }
}

// A group ends after this time, to bound how long other work in the process waits.
const longestTurnsMs = 10;

/** Runs writes one after the other in the current transaction; those that have not begun when the time is up have no attempt. */
async function runInTurn(port: WritePort, writes: readonly WaitingWrite[]): Promise<Attempts> {
  const attempts: Attempt[] = [];
  const begunMs = monotonicNow();
  for (const one of writes) {
    if (attempts.length > 0 && monotonicNow() - begunMs > longestTurnsMs) break;
    attempts.push(await runOne(port, one, { queries: port.queries, isOnly: writes.length === 1 }));
  }
  return { attempts };
}

/** Runs a group in the current transaction and settles each of its writes. Returns those to try again. */
async function performGroup(port: WritePort, { writes, pipeline }: Group): Promise<readonly WaitingWrite[]> {
  let made: Attempts | undefined;
  let failure: unknown;
  try {
    made = pipeline ? await runPipelined(port, pipeline, writes) : await runInTurn(port, writes);
    await endTransaction(port, made);
  } catch (error) {
    await rollBack(port, writes, error);
    if (error instanceof RunAloneError) return writes.map((one) => ({ ...one, isAlone: true }));
    const now = monotonicNow();
    if (port.isTransient(error)) {
      for (const { deadlineMs, reject } of writes) if (deadlineMs <= now) reject(port.explain(error));
      return writes.filter(({ deadlineMs }) => deadlineMs > now);
    }
    failure = port.explain(error);
  }
  const attempts = made?.attempts ?? writes.map((one): Attempt => ({ one, isKept: true, settle: () => undefined }));
  for (const { one, isKept, settle } of attempts) {
    if (failure !== undefined && isKept) one.reject(failure);
    else settle();
  }
  const settled = new Set(attempts.map(({ one }) => one));
  return writes.filter((one) => !settled.has(one));
}

/**
 * The writes of one engine, first come, first served. Waiting writes share one commit, because a flush to disk costs more
 * than the rest of a small write. When one of a group fails after its first change, the group is rolled back and its writes run
 * again, each alone.
 */
export function groupedWrites(open: () => Promise<WritePort>, waitSeconds: number): Engine['write'] {
  const waiting: WaitingWrite[] = [];
  let running = false;
  const begin = coalesce(() => void drain());
  const drain = async (): Promise<void> => {
    try {
      const port = await open();
      while (await lock(port, waiting)) {
        waiting.unshift(...(await performGroup(port, takeGroup(port, waiting))));
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
  return <T>(work: WriteWork<T>, { dryRun = false, at = 0, records, waitedMs = 0 }: WriteOptions = {}) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        work,
        dryRun,
        isAlone: dryRun,
        at,
        records,
        deadlineMs: monotonicNow() + waitSeconds * 1000 - waitedMs,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      start();
    });
}
