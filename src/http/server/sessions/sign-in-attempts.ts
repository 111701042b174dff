import { StoreError } from '../../../domain/errors.js';

const maximumFailures = 10;
const windowMs = 60_000;
const maximumAddresses = 10_000;

/** Limits the failed attempts to sign in of each client. */
export interface SignInAttempts {
  /**
   * Counts an attempt as a failure, and returns a function that uncounts it, to be called when it has succeeded. After 10 failures
   * in a minute it calls `onExceeded` with the seconds to wait and refuses with `rate_limited`.
   */
  readonly begin: (client: string, onExceeded: (seconds: number) => void) => () => void;
}

/** The attempts at one server. Of more than 10,000 clients the oldest are forgotten. */
export function signInAttempts(clock: () => number): SignInAttempts {
  const windows = new Map<string, { failures: number; readonly endsAt: number }>();
  return {
    begin: (client, onExceeded) => {
      const now = clock();
      const known = windows.get(client);
      // A window that ends later than a new one was begun before the clock was set back.
      const isCurrent = known !== undefined && known.endsAt > now && known.endsAt <= now + windowMs;
      const own = isCurrent ? known : { failures: 0, endsAt: now + windowMs };
      if (own.failures >= maximumFailures) {
        const seconds = Math.ceil((own.endsAt - now) / 1000);
        onExceeded(seconds);
        throw new StoreError('rate_limited', `More than ${maximumFailures} failed attempts to sign in within a minute; try again in ${seconds} s.`);
      }
      own.failures += 1;
      if (own !== known) {
        windows.delete(client);
        windows.set(client, own);
      }
      const [oldest] = windows.keys();
      if (windows.size > maximumAddresses && oldest !== undefined) windows.delete(oldest);
      return () => void (own.failures -= 1);
    },
  };
}
