import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import type { Log, LogEntry } from '../http/server/server-options.js';

const lookEveryMs = 1000;
/** How long the thread may take to end: requests that are under way, and the last progress. */
const stopMs = 6000;

/** Starts the thread that sends events to hooks as soon as the shop has one, and again after a failure. */
export function hookThread(start: () => Thread, hasHooks: () => Promise<boolean>, log: Log): { readonly stop: () => Promise<unknown> } {
  const stopping = new AbortController();
  let thread: Thread | undefined;
  const run = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      thread = start();
      thread.on('message', (entry: LogEntry) => log.error(entry));
      thread.on('error', (error) => log.error({ msg: 'hooks failed', error: error.message }));
      thread.on('exit', () => resolve());
    });
    if (stopping.signal.aborted) thread?.postMessage('stop', []);
    await ended;
    thread = undefined;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A shop that cannot be read now is asked again.
      if (await hasHooks().catch(() => false)) await run();
      await sleep(lookEveryMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      thread?.postMessage('stop', []);
      const isOver = await Promise.race([ended.then(() => true), sleep(stopMs, false, { ref: false })]);
      if (!isOver) await thread?.terminate();
    },
  };
}
