import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import type { Log, LogEntry } from '../http/server/server-options.js';

const pauseMs = 1000;
/** How long a thread may take to end: requests that are under way, and the last progress. */
const stopMs = 6000;

/**
 * Runs a thread beside those that answer requests as soon as it is needed, and again after a failure, which is logged as `failure`.
 * What the thread posts is logged as an error; it ends at the message `stop`, which the function that it returns sends.
 */
export function backgroundThread(start: () => Thread, isNeeded: () => Promise<boolean>, failure: string, log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let thread: Thread | undefined;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      // A shop that cannot be read now is asked again.
      if ((await isNeeded().catch(() => false)) && !signal.aborted) {
        thread = start().on('message', (entry: LogEntry) => log.error(entry));
        await once(thread, 'exit').catch((error: Error) => log.error({ msg: failure, error: error.message }));
      }
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const ended = loop();
  return async () => {
    stopping.abort();
    thread?.postMessage('stop', []);
    const timer = setTimeout(() => void thread?.terminate(), stopMs);
    await ended;
    clearTimeout(timer);
  };
}
