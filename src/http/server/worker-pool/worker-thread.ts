import type { Worker as Thread } from 'node:worker_threads';
import { isErrorCode, StoreError } from '../../../domain/errors.js';
import type { CallbackCalls, CallbacksReturned, Job, JobCaller, JobResponse } from './messages.js';

/** The callbacks of a job by name. */
export type Callbacks = Readonly<Record<string, ((...values: readonly unknown[]) => unknown) | undefined>>;

/** The result of a job. */
export interface JobResult {
  readonly value: unknown;
  /** Whether the result is repeated from an earlier request with the same key. */
  readonly replayed: boolean;
}

/** A worker thread that runs jobs for the main thread. */
export interface WorkerThread {
  /** Runs a job. Refuses with the refusals of the job and the errors of its callbacks; fails when the thread ends. */
  readonly run: (caller: JobCaller, job: Job, callbacks?: Callbacks) => Promise<JobResult>;
  readonly close: () => Promise<void>;
}

interface PendingJob {
  readonly callbacks: Callbacks;
  /** The error of a callback; the thread then stops the job. */
  failure?: { readonly error: unknown };
  readonly resolve: (response: JobResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls callbacks in order, then tells the waiting thread whether to continue the job. */
async function answerCalls(thread: Thread, job: PendingJob, { id, calls }: CallbackCalls): Promise<void> {
  try {
    for (const [name, values] of calls) await job.callbacks[name]?.(...values);
  } catch (error) {
    job.failure = { error };
  }
  const answer: CallbacksReturned = { returned: id, failed: job.failure !== undefined };
  thread.postMessage(answer, []);
}

function resultOf(response: JobResponse): JobResult {
  if ('value' in response) return response;
  if ('refusal' in response) throw new StoreError(response.refusal.code, response.refusal.message, response.refusal);
  throw new Error(response.failure);
}

/** The error of a thread: a refusal arrives without its class, but with its name and its fields. */
function refusalOf(error: Error & Partial<Pick<StoreError, 'code' | 'details' | 'advice'>>): Error {
  const { name, code, details, advice, message } = error;
  if (name !== 'StoreError' || !isErrorCode(code)) return error;
  return new StoreError(code, message, { advice, ...(details && { details }) });
}

/** A worker thread, started with its first job and again after it ended. */
export function workerThread(start: () => Thread): WorkerThread {
  const pending = new Map<number, PendingJob>();
  let thread: Thread | undefined;
  let count = 0;
  const running = (): Thread => {
    if (thread) return thread;
    const started = start();
    started.on('message', (message: JobResponse | CallbackCalls) => {
      const job = pending.get(message.id);
      if (job === undefined) return;
      if ('calls' in message) {
        void answerCalls(started, job, message);
        return;
      }
      pending.delete(message.id);
      if (job.failure) job.reject(job.failure.error);
      else job.resolve(message);
    });
    const onEnd = (error: Error): void => {
      if (thread !== started) return;
      thread = undefined;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('error', (error) => onEnd(refusalOf(error)));
    started.on('exit', () => onEnd(new Error('The worker thread ended.')));
    thread = started;
    return started;
  };
  return {
    run: async (caller, job, callbacks = {}) => {
      const id = (count += 1);
      const response = await new Promise<JobResponse>((resolve, reject) => {
        pending.set(id, { resolve, reject, callbacks });
        running().postMessage({ id, caller, job }, []);
      });
      return resultOf(response);
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}
