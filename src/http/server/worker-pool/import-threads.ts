import type { Client } from '../../../domain/shop.js';
import { fairQueue } from './fair-queue.js';
import type { Beside } from './worker-thread.js';

/**
 * Threads that import files, each one file at a time: a thread that dies, out of memory for instance, fails no other
 * import. Clients take turns.
 */
export interface Importers {
  /** Runs work on a thread that nobody else uses meanwhile. Refuses like the queue. */
  readonly run: <T>(client: Client, work: (thread: Beside) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<unknown>;
}

/** The imports that a server works on at a time; the others wait. */
export const importsAtOnce = 2;

/** Makes the threads of a server; each is started with its first import. */
export function importers(make: () => Beside): Importers {
  const threads = Array.from({ length: importsAtOnce }, make);
  const free = [...threads];
  const queue = fairQueue(importsAtOnce);
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
