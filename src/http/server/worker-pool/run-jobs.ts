import type { MessagePort } from 'node:worker_threads';
import { StoreError } from '../../../domain/errors.js';
import { operations } from '../../../domain/operations.js';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { ImportOptions, StopSignal } from '../../../domain/imports/import-options.js';
import type { Shop } from '../../../domain/shop.js';
import { bytesOf } from '../../../formats/stored-file.js';
import type { ImportCallback } from '../../contract/import-header.js';
import { sentRefusal, type CallbackCalls, type CallbacksReturned, type Job, type JobCaller, type JobRequest, type JobResponse } from './messages.js';

/** A stop signal in shared memory, set by the main thread. */
function sharedSignal(stopped: Int32Array): StopSignal {
  return {
    throwIfAborted: () => {
      if (Atomics.load(stopped, 0) !== 0) throw new StoreError('cancelled', 'The client disconnected; nothing was changed.');
    },
  };
}

const callsPerMessage = 500;
/** Deliver immediately: the user confirms a preview, and a list of changes is long. */
const immediateCallbacks: ReadonlySet<ImportCallback> = new Set(['onChanges', 'onPreview']);

interface CallbackBatcher {
  /** Callbacks for the import that collect their calls. */
  readonly callbacks: Readonly<Record<string, (...values: readonly unknown[]) => Promise<void>>>;
  readonly flush: () => Promise<void>;
}

/** Sends calls of callbacks in batches; `send` resolves when the callbacks have returned. */
function callbackBatcher(names: readonly ImportCallback[], send: (calls: CallbackCalls['calls']) => Promise<void>): CallbackBatcher {
  let waiting: CallbackCalls['calls'][number][] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    await send(batch);
  };
  const pass =
    (name: ImportCallback) =>
    async (...values: readonly unknown[]) => {
      waiting.push([name, values]);
      if (waiting.length >= callsPerMessage || immediateCallbacks.has(name)) await flush();
    };
  return { callbacks: Object.fromEntries(names.map((name) => [name, pass(name)])), flush };
}

const operationsById = new Map(operations.map((operation) => [operation.id, operation]));

async function perform(shop: Shop, job: Job, send: (calls: CallbackCalls['calls']) => Promise<void>, onReplay: () => void): Promise<unknown> {
  if (job.task === 'undoBatch') return shop.undoBatch(job.batchId, { ...job.options, onReplay });
  if (job.task === 'calls') {
    const operation = operationsById.get(job.operation);
    if (operation === undefined) throw new Error(`There is no operation ${job.operation}.`);
    return shop.callEach(operation, job.inputs, { ...job.options, onReplay });
  }
  const { callbacks, flush } = callbackBatcher(job.callbacks, send);
  const file: ImportFile = { ...job.file, bytes: bytesOf(job.source) };
  const options: ImportOptions = { ...(job.options as ImportOptions), ...callbacks, signal: sharedSignal(job.stopped) };
  const report = await shop[job.task](file, options);
  await flush();
  return report;
}

/** Runs the jobs that arrive at a port, in the calling thread. */
export function runJobs(port: MessagePort, shopOf: (caller: JobCaller) => Shop): void {
  const waiting = new Map<number, (answer: CallbacksReturned) => void>();
  const send = (id: number) => async (calls: CallbackCalls['calls']) => {
    const answer = new Promise<CallbacksReturned>((resolve) => waiting.set(id, resolve));
    port.postMessage({ id, calls } satisfies CallbackCalls);
    if ((await answer).failed) throw new Error('A callback of the import failed.');
  };
  const run = async ({ id, caller, job }: JobRequest): Promise<JobResponse> => {
    let replayed = false;
    try {
      const value = await perform(shopOf(caller), job, send(id), () => (replayed = true));
      return { id, value, replayed };
    } catch (error) {
      if (error instanceof StoreError) return { id, refusal: sentRefusal(error) };
      return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  port.on('message', (message: JobRequest | CallbacksReturned) => {
    if ('returned' in message) {
      waiting.get(message.returned)?.(message);
      waiting.delete(message.returned);
    } else void run(message).then((response) => port.postMessage(response));
  });
}
