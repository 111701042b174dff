/** Milliseconds on a monotonic clock. `performance.now` would cost a millisecond of start-up on first use. */
export function monotonicNow(): number {
  return process.uptime() * 1000;
}
