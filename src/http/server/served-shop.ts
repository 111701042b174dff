import { closeSync } from 'node:fs';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportOptions } from '../../domain/imports/import-options.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import type { UndoReport } from '../../domain/imports/undo-batch.js';
import type { Client, Shop } from '../../domain/shop.js';
import { storeBytes } from '../../formats/stored-file.js';
import { importCallbacks } from '../contract/import-header.js';
import type { ImportTask, Job, JobCaller, JobResult } from './worker-pool/messages.js';
import type { ThreadPool } from './worker-pool/thread-pool.js';
import type { Callbacks } from './worker-pool/worker-thread.js';

/** The worker threads of a server: for long writes, for long reads, and for imports. */
export interface WorkerPool {
  readonly writes: ThreadPool;
  readonly reads: ThreadPool;
  /** Runs one import at a time on each thread: a thread that ends, for example out of memory, fails only that import. */
  readonly imports: ThreadPool;
}

/** The maximum number of inputs of a call on the main thread. */
const maximumInputs = 20;

/**
 * Receives a whole file, then imports it on a worker thread, which calls the callbacks here. A thread that read the file
 * while it arrives would be blocked by a slow client.
 */
async function importOnWorker(
  run: (job: Job, callbacks: Callbacks) => Promise<JobResult>,
  task: ImportTask,
  { bytes, ...file }: ImportFile,
  { signal, ...others }: ImportOptions,
): Promise<ImportReport> {
  const callbacks = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value === 'function')) as Callbacks;
  const options = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value !== 'function'));
  const names = importCallbacks.filter((name) => callbacks[name]);
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  signal?.addEventListener?.('abort', () => void Atomics.store(stopped, 0, 1));
  const source = await storeBytes(bytes);
  try {
    signal?.throwIfAborted();
    const { value } = await run({ task, file, options, callbacks: names, source, stopped }, callbacks);
    return value as ImportReport;
  } finally {
    closeSync(source);
  }
}

const onlyClient: Client = { key: '', isGone: () => false };

/** The same shop, but long operations run on worker threads, where clients take turns; the main thread stays free to answer others. */
export function pooledShop(shop: Shop, caller: JobCaller, { reads, writes, imports }: WorkerPool, findClient: () => Client = () => onlyClient): Shop {
  const runInTurn = (threads: ThreadPool, job: Job): Promise<JobResult> => threads.run(findClient(), (thread) => thread.run(caller, job));
  const runImport = (task: ImportTask) => (file: ImportFile, options: ImportOptions) => {
    const client = findClient();
    return importOnWorker((job, callbacks) => imports.run(client, (thread) => thread.run(caller, job, callbacks)), task, file, options);
  };
  const runEach: Shop['callEach'] = async (operation, inputs, { onReplay, ...others } = {}) => {
    const threads = operation.kind === 'read' ? reads : writes;
    const { value, replayed } = await runInTurn(threads, { task: 'calls', operation: operation.id, inputs, options: others });
    if (replayed) onReplay?.();
    return value as never;
  };
  return {
    ...shop,
    callEach: (operation, inputs, options) => {
      const isShort = inputs.length <= maximumInputs && !inputs.some((input) => operation.costOf(input as never) === 'shop');
      return isShort ? shop.callEach(operation, inputs, options) : runEach(operation, inputs, options);
    },
    call: async (operation, input, options) => {
      if (operation.costOf(input as never) !== 'shop') return shop.call(operation, input, options);
      const [output] = await runEach(operation, [input], options);
      return output as NonNullable<typeof output>;
    },
    importStock: runImport('importStock'),
    importCodes: runImport('importCodes'),
    importPets: runImport('importPets'),
    undoBatch: async (batchId, { onReplay, ...options }) => {
      const { value, replayed } = await runInTurn(writes, { task: 'undoBatch', batchId, options });
      if (replayed) onReplay?.();
      return value as UndoReport;
    },
  };
}
