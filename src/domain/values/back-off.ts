/** The pauses between the attempts of one call. */
export interface BackOff {
  readonly firstMs: number;
  /** Pauses double up to this. */
  readonly longestMs: number;
  /** Picks the length of a pause up to a bound, so that clients which failed together do not come back together; without it a pause lasts the bound. */
  readonly jitter?: (boundMs: number) => number;
}

/** How long to pause before retry number `retry`, counted from 0. */
export function pauseMs(retry: number, { firstMs, longestMs, jitter = (boundMs) => boundMs }: BackOff): number {
  return jitter(Math.min(firstMs * 2 ** retry, longestMs));
}
