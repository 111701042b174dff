import type { BackOff } from '../../domain/values/back-off.js';
import { storeBusy } from '../errors.js';
import { monotonicNow, retry } from '../retry.js';
import { explain, isBusy } from './errors.js';

// A process that writes without pause releases the lock only for moments; a long pause would miss them.
const backOff: BackOff = { firstMs: 1, longestMs: 5 };

/** Repeats an attempt while another connection holds a lock; refuses with `store_busy` after `waitSeconds`, of which `waitedMs` are over. The event loop keeps running. */
export async function retryWhileBusy<T>(path: string, waitSeconds: number, attempt: () => T | Promise<T>, waitedMs = 0): Promise<T> {
  const deadlineMs = monotonicNow() + waitSeconds * 1000 - waitedMs;
  try {
    return await retry(attempt, { deadlineMs, isRetryable: isBusy, ...backOff });
  } catch (error) {
    throw isBusy(error) ? storeBusy(path, waitSeconds) : explain(error, path);
  }
}
