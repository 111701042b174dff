import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import type { Log, LogEntry } from '../http/server/server-options.js';

const pauseMs = 1000;
/** How long a thread may take to end: requests that are under way, and the last progress. */
const stopMs = 6000;

/** A thread beside those that answer requests. It logs what it posts as an error, and ends at the message `stop`. */
interface BackgroundThread {
  readonly start: () => Thread;
  /** Whether there is something to do for it. */
  readonly isNeeded: () => Promise<boolean>;
  /** What is logged when it fails. */
  readonly failure: string;
}

/** Runs a thread as soon as it is needed, and again after a failure. */
export function backgroundThread({ start, isNeeded, failure }: BackgroundThread, log: Log): { readonly stop: () => Promise<unknown> } {
  const stopping = new AbortController();
  let thread: Thread | undefined;
  const run = async (): Promise<void> => {
    const ended = new Promise<void>((resolve) => {
      thread = start();
      thread.on('message', (entry: LogEntry) => log.error(entry));
      thread.on('error', (error) => log.error({ msg: failure, error: error.message }));
      thread.on('exit', () => resolve());
    });
    if (stopping.signal.aborted) thread?.postMessage('stop', []);
    await ended;
    thread = undefined;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A shop that cannot be read now is asked again.
      if (await isNeeded().catch(() => false)) await run();
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
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
