import { on } from 'node:events';
import type { Worker as Thread } from 'node:worker_threads';
import { StoreError } from '../../../domain/errors.js';
import type { CallbackCalls, CallbacksReturned, Job, JobCaller, JobRequest, JobResponse, JobResult } from './messages.js';

/** The callbacks of a job by name. */
export type Callbacks = Readonly<Record<string, ((...values: readonly unknown[]) => unknown) | undefined>>;

/** A worker thread that runs jobs for the main thread, one at a time. */
export interface WorkerThread {
  /** Runs a job. Refuses with the refusals of the job and the errors of its callbacks; fails when the thread ends. */
  readonly run: (caller: JobCaller, job: Job, callbacks?: Callbacks) => Promise<JobResult>;
  readonly close: () => Promise<void>;
}

function resultOf(response: JobResponse): JobResult {
  if ('value' in response) return response;
  if ('refusal' in response) throw new StoreError(response.refusal.code, response.refusal.message, response.refusal);
  throw new Error(response.failure);
}

/** Sends a job to a thread, and calls its callbacks until the result arrives. */
async function runOn(thread: Thread, request: JobRequest, callbacks: Callbacks): Promise<JobResult> {
  const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterable<readonly [JobResponse | CallbackCalls]>;
  thread.postMessage(request, []);
  // The error of a callback; the thread then stops the job.
  let failure: { readonly error: unknown } | undefined;
  for await (const [message] of messages) {
    if (!('calls' in message)) {
      if (failure) throw failure.error;
      return resultOf(message);
    }
    try {
      for (const [name, values] of message.calls) await callbacks[name]?.(...values);
    } catch (error) {
      failure = { error };
    }
    thread.postMessage({ failed: failure !== undefined } satisfies CallbacksReturned, []);
  }
  throw new Error('The worker thread ended.');
}

/** A worker thread, started with its first job and again after it ended. */
export function workerThread(start: () => Thread): WorkerThread {
  let thread: Thread | undefined;
  const running = (): Thread => {
    if (thread) return thread;
    const started = start();
    const forget = (): void => {
      if (thread === started) thread = undefined;
    };
    started.on('error', forget);
    started.on('exit', forget);
    return (thread = started);
  };
  return {
    run: (caller, job, callbacks = {}) => runOn(running(), { caller, job }, callbacks),
    close: async () => {
      await thread?.terminate();
    },
  };
}
