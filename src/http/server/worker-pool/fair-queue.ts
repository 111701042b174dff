import { StoreError } from '../../../domain/errors.js';
import type { Client } from '../../../domain/shop.js';
import { fairTurns } from '../fair-turns.js';

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

/** Whether the client of a job is still connected; cancels the job otherwise. */
function isWaiting({ client, reject }: Waiting): boolean {
  if (!client.isGone()) return true;
  reject(new StoreError('cancelled', 'The client has disconnected.'));
  return false;
}

/** Runs `maximumRunning` jobs at a time. A client with many jobs delays another client by one job, not by all of them. */
export function fairQueue(maximumRunning: number): FairQueue {
  const turns = fairTurns<string, Waiting>(isWaiting);
  let running = 0;

  const startNext = (): void => {
    while (running < maximumRunning) {
      const job = turns.take();
      if (job === undefined) return;
      running += 1;
      job.start();
    }
  };
  return {
    run: async (client, job) => {
      if (turns.count(client.key) >= maximumWaiting) {
        throw new StoreError('overloaded', `${maximumWaiting} requests of this client are waiting; try again when some are done.`);
      }
      await new Promise<void>((start, reject) => {
        turns.add(client.key, { client, start, reject });
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
