import type { Worker as Thread } from 'node:worker_threads';
import type { Log } from '../http/server/server-options.js';

const restartDelayMs = 1000;

/** Starts the thread that runs checkpoints, and again after a failure: without checkpoints the write-ahead log grows without limit. */
export function checkpointThread(start: () => Thread, log: Log): { readonly stop: () => Promise<unknown> } {
  let thread: Thread | undefined;
  let restart: NodeJS.Timeout | undefined;
  const startThread = (): void => {
    thread = start();
    thread.on('error', (error) => {
      log.error({ msg: 'checkpoints failed', error: error.message });
      restart = setTimeout(startThread, restartDelayMs);
    });
  };
  startThread();
  return {
    stop: async () => {
      clearTimeout(restart);
      await thread?.terminate();
    },
  };
}
