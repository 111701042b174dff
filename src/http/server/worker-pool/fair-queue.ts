import { StoreError } from '../../../domain/errors.js';
import type { Client } from '../../../domain/shop.js';

/** The most jobs of one client that wait. */
export const maximumWaiting = 100;

interface Waiting {
  readonly client: Client;
  readonly start: () => void;
  readonly reject: (refusal: StoreError) => void;
}

/** Jobs of many clients, done in turns. */
export interface FairQueue {
  /**
   * Does a job when the turn of its client comes. Refuses with `overloaded` where too many jobs of that client wait
   * already, and with `cancelled` once the client is gone.
   */
  readonly run: <T>(client: Client, job: () => Promise<T>) => Promise<T>;
}

/** The jobs whose clients are still there; the others are cancelled. */
function withoutGone(jobs: readonly Waiting[]): readonly Waiting[] {
  const gone = new Set(jobs.filter(({ client }) => client.isGone()));
  for (const { reject } of gone) reject(new StoreError('cancelled', 'The client is gone.'));
  return jobs.filter((job) => !gone.has(job));
}

/** Does `atOnce` jobs at a time. Clients take turns, so that many jobs of one delay another by one job each, not by all of them. */
export function fairQueue(atOnce: number): FairQueue {
  // The client whose turn is next comes first.
  const queues = new Map<string, readonly Waiting[]>();
  let running = 0;

  const put = (key: string, jobs: readonly Waiting[]): void => {
    if (jobs.length > 0) queues.set(key, jobs);
    else queues.delete(key);
  };
  const take = (): Waiting | undefined => {
    for (const [key, jobs] of queues) {
      queues.delete(key);
      const [first, ...rest] = withoutGone(jobs);
      put(key, rest);
      if (first) return first;
    }
    return undefined;
  };
  const go = (): void => {
    while (running < atOnce) {
      const job = take();
      if (job === undefined) return;
      running += 1;
      job.start();
    }
  };
  return {
    run: async (client, job) => {
      const jobs = withoutGone(queues.get(client.key) ?? []);
      if (jobs.length >= maximumWaiting) {
        throw new StoreError('overloaded', `${maximumWaiting} requests of this client are waiting already; try again when some are answered.`);
      }
      await new Promise<void>((start, reject) => {
        put(client.key, [...jobs, { client, start, reject }]);
        go();
      });
      try {
        return await job();
      } finally {
        running -= 1;
        go();
      }
    },
  };
}
