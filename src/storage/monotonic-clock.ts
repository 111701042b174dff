/** Milliseconds since some instant, on a clock that nobody sets. `performance.now` tells the same, but takes one of them when it is first used. */
export function monotonicNow(): number {
  return process.uptime() * 1000;
}
