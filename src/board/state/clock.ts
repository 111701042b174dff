/** The present time, in ms since 1970. */
export function now(): number {
  return Date.now();
}

/** The time zone of this browser, such as Europe/Berlin: days and clock times are local. */
export const timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Resolves after a time, or at once when `until` is aborted. */
export function wait(milliseconds: number, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until?.aborted === true) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      until?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    until?.addEventListener('abort', done);
  });
}

/** Resolves after a time, or earlier when the network comes back or `until` is aborted. */
export async function waitForNetwork(longestMs: number, until?: AbortSignal): Promise<void> {
  const network = new AbortController();
  const isBack = (): void => network.abort();
  addEventListener('online', isBack);
  await wait(longestMs, until === undefined ? network.signal : AbortSignal.any([until, network.signal]));
  removeEventListener('online', isBack);
}

/** Calls `work` after a time; returns a function that prevents it. */
export function after(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}

/** A factor between 0.5 and 1.5, so that clients of a server that comes back do not all return at the same moment. */
export function jitter(): number {
  return 0.5 + Math.random();
}

/** A text that nobody has used before. `crypto.randomUUID` does not exist on a page without https. */
export function randomText(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
