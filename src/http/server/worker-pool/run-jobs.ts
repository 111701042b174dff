import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { StoreError } from '../../../domain/errors.js';
import { operations } from '../../../domain/operations.js';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { ImportOptions, StopSignal } from '../../../domain/imports/import-options.js';
import type { Shop } from '../../../domain/shop.js';
import { bytesOf } from '../../../formats/stored-file.js';
import type { ImportCallback } from '../../contract/import-header.js';
import type { CallbackCalls, CallbacksReturned, Job, JobCaller, JobRequest, JobResponse } from './messages.js';

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

async function answer(shop: Promise<Shop>, job: Job, send: (calls: CallbackCalls['calls']) => Promise<void>): Promise<JobResponse> {
  let replayed = false;
  try {
    const value = await perform(await shop, job, send, () => (replayed = true));
    return { value, replayed };
  } catch (error) {
    if (error instanceof StoreError) {
      const { code, message, details, advice } = error;
      return { refusal: { code, message, details, advice } };
    }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Runs the jobs that arrive at a port one after another, in the calling thread. */
export async function runJobs(port: MessagePort, shopOf: (caller: JobCaller) => Promise<Shop>): Promise<void> {
  const messages = on(port, 'message');
  const next = async <Message>(): Promise<Message> => ((await messages.next()).value as [Message])[0];
  const send = async (calls: CallbackCalls['calls']): Promise<void> => {
    port.postMessage({ calls } satisfies CallbackCalls);
    if ((await next<CallbacksReturned>()).failed) throw new Error('A callback of the import failed.');
  };
  for (;;) {
    const { caller, job } = await next<JobRequest>();
    port.postMessage(await answer(shopOf(caller), job, send));
  }
}
