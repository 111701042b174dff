import type { Worker as Thread } from 'node:worker_threads';
import { StoreError } from '../../../domain/errors.js';
import { fairQueue, type FairQueue } from './fair-queue.js';
import type { Asker, Heard, Job, Response, Told } from './messages.js';

/** The callbacks of a job by their names. */
export type Callbacks = Readonly<Record<string, ((...values: readonly unknown[]) => unknown) | undefined>>;

/** What a job came to. */
export interface Done {
  readonly value: unknown;
  /** Whether it had been done before under the same key. */
  readonly replayed: boolean;
}

/** A thread that does jobs beside this one. */
export interface Beside {
  /** Does a job; refuses with what the job refuses, or fails when the thread dies. */
  readonly ask: (asker: Asker, job: Job, callbacks?: Callbacks) => Promise<Done>;
  readonly close: () => Promise<void>;
  /** The turns in which clients have their jobs done. */
  readonly queue: FairQueue;
}

interface Pending {
  readonly callbacks: Callbacks;
  /** What a callback failed with; the thread then stops the job. */
  failure?: { readonly error: unknown };
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls callbacks one after the other, and tells the thread, which waits for that, whether to go on with the job. */
async function answerTold(thread: Thread, job: Pending, { id, told }: Told): Promise<void> {
  try {
    for (const [tell, values] of told) await job.callbacks[tell]?.(...values);
  } catch (error) {
    job.failure = { error };
  }
  const heard: Heard = { heard: id, failed: job.failure !== undefined };
  thread.postMessage(heard, []);
}

function outcome(response: Response): Done {
  if ('value' in response) return response;
  if ('refusal' in response) throw new StoreError(response.refusal.code, response.refusal.message, response.refusal.hint);
  throw new Error(response.failure);
}

/** A thread that `start` begins when there is a job, and again after it died; its queue lets `jobsAtOnce` go on at a time. */
export function beside(start: () => Thread, jobsAtOnce = 1): Beside {
  const pending = new Map<number, Pending>();
  let thread: Thread | undefined;
  let count = 0;
  const running = (): Thread => {
    if (thread) return thread;
    const started = start();
    started.on('message', (message: Response | Told) => {
      const job = pending.get(message.id);
      if (job === undefined) return;
      if ('told' in message) {
        void answerTold(started, job, message);
        return;
      }
      pending.delete(message.id);
      if (job.failure) job.reject(job.failure.error);
      else job.resolve(message);
    });
    const died = (error: Error): void => {
      if (thread !== started) return;
      thread = undefined;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    // A refusal on the way here loses its class, and its status with it.
    started.on('error', (error) => died(error instanceof StoreError ? new StoreError(error.code, error.message, error.hint) : error));
    started.on('exit', () => died(new Error('The thread for long work ended.')));
    thread = started;
    return started;
  };
  return {
    ask: async (asker, job, callbacks = {}) => {
      const id = (count += 1);
      const response = await new Promise<Response>((resolve, reject) => {
        pending.set(id, { resolve, reject, callbacks });
        running().postMessage({ id, asker, job }, []);
      });
      return outcome(response);
    },
    close: async () => {
      await thread?.terminate();
    },
    queue: fairQueue(jobsAtOnce),
  };
}
