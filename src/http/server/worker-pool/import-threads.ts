import type { Client } from '../../../domain/shop.js';
import { fairQueue } from './fair-queue.js';
import type { WorkerThread } from './worker-thread.js';

/**
 * Worker threads for imports. Each runs one import at a time, so that a thread that ends, out of memory for example, fails
 * only that import. Clients take turns.
 */
export interface ImportThreads {
  /** Runs work on a free thread. Refuses with `overloaded` and `cancelled`, like the queue. */
  readonly run: <T>(client: Client, work: (thread: WorkerThread) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<unknown>;
}

/** The number of imports that run at a time; others wait. */
export const importThreadCount = 2;

/** The import threads of a server; each starts with its first import. */
export function importThreads(create: () => WorkerThread): ImportThreads {
  const threads = Array.from({ length: importThreadCount }, create);
  const free = [...threads];
  const queue = fairQueue(importThreadCount);
  return {
    run: (client, work) =>
      queue.run(client, async () => {
        const thread = free.pop();
        if (thread === undefined) throw new Error('More imports run than there are threads.');
        try {
          return await work(thread);
        } finally {
          free.push(thread);
        }
      }),
    close: () => Promise.all(threads.map((thread) => thread.close())),
  };
}
