import type { StoreError } from '../../domain/errors.js';
import { coalesce } from '../coalesce.js';
import type { Engine } from '../engine.js';
import type { Work, WriteOptions } from '../queries.js';
import { monotonicNow } from '../monotonic-clock.js';
import { performInTurn } from './in-turn.js';
import { performSideBySide } from './side-by-side.js';
import type { WaitingWrite } from './waiting-write.js';
import type { SideBySide, WritePort } from './write-port.js';

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

/** How long to wait for a lock, in ms: until the first of these writes gives up. */
function lockWaitMs(writes: readonly WaitingWrite[]): number {
  const firstDeadlineMs = writes.reduce((first, { deadlineMs }) => Math.min(first, deadlineMs), Infinity);
  return Math.max(0, firstDeadlineMs - monotonicNow());
}

/** Removes the next writes of one kind from the queue. */
function takeGroup(waiting: WaitingWrite[], belongs: (one: WaitingWrite) => boolean): readonly WaitingWrite[] {
  const next = waiting.splice(0, largestGroupSize);
  waiting.unshift(...next.filter((one) => !belongs(one)));
  return next.filter(belongs);
}

/** Takes the write lock; meanwhile refuses writes whose wait has ended. False when no write is left. */
async function lock(port: WritePort, waiting: WaitingWrite[]): Promise<boolean> {
  while (waiting.length > 0) {
    const refusal = await port.lock(lockWaitMs(waiting));
    if (refusal === undefined) return true;
    refuseOverdue(waiting, refusal);
  }
  return false;
}

/** Takes the lock for a prepared group and runs it; writes to try again return to the front of the queue. */
async function runGroup(port: WritePort, group: readonly WaitingWrite[], plan: SideBySide, waiting: WaitingWrite[]): Promise<void> {
  let refusal: StoreError | undefined;
  let again = group;
  try {
    refusal = await port.lock(lockWaitMs(group), plan.begin);
    if (refusal === undefined) again = await performSideBySide(port, group, plan);
  } finally {
    waiting.unshift(...again);
  }
  if (refusal !== undefined) refuseOverdue(waiting, refusal);
}

/** Runs the next transaction of the writes that wait. */
async function runNext(port: WritePort, waiting: WaitingWrite[]): Promise<void> {
  const runsInTurn = ({ isAlone }: WaitingWrite): boolean => isAlone || port.sideBySide === undefined;
  if (port.sideBySide === undefined || waiting[0]?.isAlone === true) {
    if (await lock(port, waiting)) waiting.unshift(...(await performInTurn(port, takeGroup(waiting, runsInTurn))));
    return;
  }
  const group = takeGroup(waiting, (one) => !runsInTurn(one));
  const plan = await port.sideBySide(group.map(({ work }) => work));
  if (plan.isEmpty) waiting.unshift(...group.map((one) => ({ ...one, isAlone: true })));
  else await runGroup(port, group, plan, waiting);
}

/**
 * The writes of one engine, first come, first served. Waiting writes share one commit, because a flush to disk costs more
 * than the rest of a small write.
 */
export function groupedWrites(open: () => Promise<WritePort>, waitSeconds: number): Engine['write'] {
  const waiting: WaitingWrite[] = [];
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
  return <T>(work: Work<T>, { dryRun = false, isSmall = false, waitedMs = 0 }: WriteOptions = {}) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        work,
        dryRun,
        inSavepoint: dryRun,
        isAlone: dryRun || !isSmall,
        deadlineMs: monotonicNow() + waitSeconds * 1000 - waitedMs,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      start();
    });
}
