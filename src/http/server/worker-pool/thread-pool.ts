import { StoreError } from '../../../domain/errors.js';
import type { Client } from '../../../domain/shop.js';
import { fairTurns } from '../fair-turns.js';
import type { WorkerThread } from './worker-thread.js';

/** The maximum number of waiting jobs of one client. */
export const maximumWaiting = 100;

interface Waiting {
  readonly client: Client;
  readonly start: (thread: WorkerThread) => void;
  readonly reject: (refusal: StoreError) => void;
}

/** Worker threads of which clients take turns: a client with many jobs delays another client by one job, not by all of them. */
export interface ThreadPool {
  /**
   * Runs work on a thread when it is the turn of its client. Refuses with `overloaded` when too much work of the client waits, and
   * with `cancelled` when the client has disconnected.
   */
  readonly run: <T>(client: Client, work: (thread: WorkerThread) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<unknown>;
}

/** Whether the client of a job is still connected; cancels the job otherwise. */
function isWaiting({ client, reject }: Waiting): boolean {
  if (!client.isGone()) return true;
  reject(new StoreError('cancelled', 'The client has disconnected.'));
  return false;
}

/** A pool of threads, each of which starts with its first job. */
export function threadPool(create: () => WorkerThread, threads = 1): ThreadPool {
  const all = Array.from({ length: threads }, create);
  const free = [...all];
  const turns = fairTurns<string, Waiting>(isWaiting);

  const startNext = (): void => {
    for (let thread = free.pop(); thread !== undefined; thread = free.pop()) {
      const job = turns.take();
      if (job === undefined) return void free.push(thread);
      job.start(thread);
    }
  };
  return {
    run: async (client, work) => {
      if (turns.count(client.key) >= maximumWaiting) {
        throw new StoreError('overloaded', `${maximumWaiting} requests of this client are waiting; try again when some are done.`);
      }
      const thread = await new Promise<WorkerThread>((start, reject) => {
        turns.add(client.key, { client, start, reject });
        startNext();
      });
      try {
        return await work(thread);
      } finally {
        free.push(thread);
        startNext();
      }
    },
    close: () => Promise.all(all.map((thread) => thread.close())),
  };
}
