import type { Client } from '../../../domain/shop.js';
import { fairQueue } from './fair-queue.js';
import type { WorkerThread } from './worker-thread.js';

/** Worker threads of which clients take turns. */
export interface ThreadPool {
  /** Runs work on a free thread. Refuses with `overloaded` and `cancelled`, like the queue. */
  readonly run: <T>(client: Client, work: (thread: WorkerThread) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<unknown>;
}

/** The size of a pool. */
export interface ThreadPoolSize {
  readonly threads?: number;
  readonly jobsPerThread?: number;
}

/** A pool of threads, each of which starts with its first job. By default it is one thread that runs one job at a time. */
export function threadPool(create: () => WorkerThread, { threads = 1, jobsPerThread = 1 }: ThreadPoolSize = {}): ThreadPool {
  const all = Array.from({ length: threads }, create);
  // A thread is listed once for each job that it can take.
  const free = all.flatMap((thread) => Array.from({ length: jobsPerThread }, () => thread));
  const queue = fairQueue(free.length);
  return {
    run: (client, work) =>
      queue.run(client, async () => {
        const thread = free.pop();
        if (thread === undefined) throw new Error('More jobs run than the threads can take.');
        try {
          return await work(thread);
        } finally {
          free.push(thread);
        }
      }),
    close: () => Promise.all(all.map((thread) => thread.close())),
  };
}
