import { randomInt } from 'node:crypto';
import { monotonicNow, retry } from '../retry.js';
import type { Connection } from './connection.js';
import { codeOf } from '../errors.js';
import { isTransient } from './errors.js';

// All deadlines are in ms of `monotonicNow`.

/** How long opening a connection may take, even if the caller waits for less. */
const connectMs = 5000;
/** How long a connection waits beyond a deadline: the server reports a lock timeout only at the deadline itself. */
export const answerMs = 1000;
/** How long the outcome of a commit is looked up, if the write has waited for so long. */
const lookUpMs = 2000;
/** How long a commit may take at least. */
const shortestCommitMs = 1000;

/** How long a connection may take beyond the deadline of a caller that waits for `waitMs`. */
export function extraMsOf(waitMs: number): number {
  return Math.max(0, connectMs - waitMs);
}

/** The `lock_timeout` of a wait until `deadlineMs`. 0 would disable it. */
export function lockTimeout(deadlineMs: number): string {
  return `${Math.max(1, Math.ceil(deadlineMs - monotonicNow()))}ms`;
}

/** When to stop waiting for the statements of small writes, which read and change few rows, so that they can be repeated. */
export function statementDeadline(deadlineMs: number): number {
  return Math.max(deadlineMs - lookUpMs, monotonicNow() + shortestCommitMs);
}

/**
 * When to stop waiting for a commit, so that time is left to look up its outcome. A standby may take as long for a large
 * change as the primary has taken.
 */
export function commitDeadline(deadlineMs: number, lockedMs: number): number {
  const now = monotonicNow();
  return Math.max(deadlineMs - lookUpMs, now + Math.max(shortestCommitMs, now - lockedMs));
}

/** When to stop looking up the outcome of a commit. */
export function lookUpDeadline(deadlineMs: number, waitSeconds: number): number {
  return Math.max(deadlineMs, monotonicNow() + Math.min(waitSeconds * 1000, lookUpMs));
}

/** Runs work on a connection that is broken at `deadlineMs`: a stopped process of the server cannot be told from a busy one. */
export async function breakAt<T>(connection: Connection, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(connection.break, Math.max(0, deadlineMs - monotonicNow()));
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** Repeats an attempt that fails with a transient error until `deadlineMs`. */
export async function retryTransient<T>(deadlineMs: number, attempt: () => Promise<T>): Promise<T> {
  let earlier: unknown;
  const informed = async (): Promise<T> => {
    try {
      return await attempt();
    } catch (error) {
      // A timeout says less than the error before it.
      if (earlier === undefined || codeOf(error) !== 'ETIMEDOUT') earlier = error;
      throw earlier;
    }
  };
  // Random pauses, so that clients that failed at the same time do not retry at the same time.
  return retry(informed, { deadlineMs, isRetryable: isTransient, firstMs: 4, longestMs: 200, jitter: (boundMs) => randomInt(1, boundMs) });
}
