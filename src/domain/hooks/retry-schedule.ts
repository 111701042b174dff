const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The pauses before the second and every further attempt. */
const pausesMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** A pause is up to a tenth longer, so that hooks which failed together do not come back together. */
const jitterShare = 0.1;
const longestWaitMs = 24 * hour;

/** How an attempt to send failed. */
export interface Failure {
  /** Attempts that failed so far, with this one. */
  readonly attempts: number;
  /** How long the receiver asked to wait (Retry-After). */
  readonly retryAfterMs?: number | undefined;
  /** Whether the receiver said that it is gone for good (410). */
  readonly gone?: boolean | undefined;
}

/** How long to wait before the next attempt, in ms; undefined when the hook is paused instead. `random` is from 0 to 1. */
export function retryPauseMs({ attempts, retryAfterMs: askedMs = 0, gone = false }: Failure, random: number): number | undefined {
  const pause = pausesMs[attempts - 1];
  if (gone || pause === undefined) return undefined;
  return Math.max(Math.round(pause * (1 + jitterShare * random)), Math.min(askedMs, longestWaitMs));
}

/** The pause that a Retry-After header asks for, in ms: a number of seconds or a date (RFC 9110, 10.2.3); undefined for any other text. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * second;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0);
}
