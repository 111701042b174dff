import { pauseMs, type BackOff } from '../domain/values/back-off.js';

/** Milliseconds on a monotonic clock. `performance.now` would slow down the start-up. */
export function monotonicNow(): number {
  return process.uptime() * 1000;
}

/** When to try again, and how long to pause in between. */
export interface RetryOptions extends BackOff {
  /** When to give up, in ms of `monotonicNow`. The first attempt is always made. */
  readonly deadlineMs: number;
  readonly isRetryable: (error: unknown) => boolean;
}

/** Repeats an attempt until it succeeds. Throws the error when it is not retryable or the deadline has passed. */
export async function retry<T>(attempt: () => T | Promise<T>, options: RetryOptions): Promise<T> {
  const { deadlineMs, isRetryable } = options;
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || monotonicNow() >= deadlineMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs(retries, options)));
  }
}
