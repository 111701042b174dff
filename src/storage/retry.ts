import { monotonicNow } from './monotonic-clock.js';

/** When to try again, and how long to pause in between. */
export interface RetryOptions {
  /** When to give up, on the clock of `monotonicNow`. The first attempt is always made. */
  readonly deadline: number;
  readonly isRetryable: (error: unknown) => boolean;
  readonly firstPauseMs: number;
  /** Pauses double up to this. */
  readonly longestPauseMs: number;
  /** The length of a pause, given its upper bound; without it every pause lasts the bound. */
  readonly jitter?: (boundMs: number) => number;
}

/** Repeats an attempt until it succeeds, fails with an error that is not retryable, or the deadline has passed; then throws the last error. */
export async function retry<T>(attempt: () => T | Promise<T>, options: RetryOptions): Promise<T> {
  const { deadline, isRetryable, firstPauseMs, longestPauseMs, jitter = (boundMs) => boundMs } = options;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || monotonicNow() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, jitter(pauseMs)));
  }
}
