import { StoreError } from '../../../domain/errors.js';
import type { Client } from '../../../domain/shop.js';

/** The maximum number of waiting jobs of one client. */
export const maximumWaiting = 100;

interface Waiting {
  readonly client: Client;
  readonly start: () => void;
  readonly reject: (refusal: StoreError) => void;
}

/** A queue in which clients take turns. */
export interface FairQueue {
  /**
   * Runs a job when it is the turn of its client. Refuses with `overloaded` when too many jobs of the client wait, and with
   * `cancelled` when the client has disconnected.
   */
  readonly run: <T>(client: Client, job: () => Promise<T>) => Promise<T>;
}

/** The jobs of connected clients; cancels the others. */
function connectedOnly(jobs: readonly Waiting[]): readonly Waiting[] {
  const gone = new Set(jobs.filter(({ client }) => client.isGone()));
  for (const { reject } of gone) reject(new StoreError('cancelled', 'The client has disconnected.'));
  return jobs.filter((job) => !gone.has(job));
}

/** Runs `maximumRunning` jobs at a time. A client with many jobs delays another client by one job, not by all of them. */
export function fairQueue(maximumRunning: number): FairQueue {
  // In the order of turns: the first client is next.
  const queues = new Map<string, readonly Waiting[]>();
  let running = 0;

  const put = (key: string, jobs: readonly Waiting[]): void => {
    if (jobs.length > 0) queues.set(key, jobs);
    else queues.delete(key);
  };
  const take = (): Waiting | undefined => {
    for (const [key, jobs] of queues) {
      queues.delete(key);
      const [first, ...rest] = connectedOnly(jobs);
      put(key, rest);
      if (first) return first;
    }
    return undefined;
  };
  const startNext = (): void => {
    while (running < maximumRunning) {
      const job = take();
      if (job === undefined) return;
      running += 1;
      job.start();
    }
  };
  return {
    run: async (client, job) => {
      const jobs = connectedOnly(queues.get(client.key) ?? []);
      if (jobs.length >= maximumWaiting) {
        throw new StoreError('overloaded', `${maximumWaiting} requests of this client are waiting; try again when some are done.`);
      }
      await new Promise<void>((start, reject) => {
        put(client.key, [...jobs, { client, start, reject }]);
        startNext();
      });
      try {
        return await job();
      } finally {
        running -= 1;
        startNext();
      }
    },
  };
}
