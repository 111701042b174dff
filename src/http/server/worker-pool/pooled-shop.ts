import { closeSync } from 'node:fs';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { ImportOptions } from '../../../domain/imports/import-options.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { Client, Shop, UndoReport } from '../../../domain/shop.js';
import { storeBytes } from '../../../formats/stored-file.js';
import type { ImportThreads } from './import-threads.js';
import { importCallbacks } from '../../contract/import-header.js';
import type { Job, JobCaller } from './messages.js';
import type { Callbacks, JobResult, WorkerThread } from './worker-thread.js';

/** The worker threads of a server: for long writes, for long reads, and for imports. */
export interface WorkerPool {
  readonly writes: WorkerThread;
  readonly reads: WorkerThread;
  readonly imports: ImportThreads;
}

/** The maximum number of inputs of a call on the main thread. */
const maximumInputs = 20;

/**
 * Receives a whole file, then imports it on a worker thread, which calls the callbacks here. A thread that read the file
 * while it arrives would be blocked by a slow client.
 */
async function importOnWorker(
  threads: ImportThreads,
  client: Client,
  caller: JobCaller,
  task: 'importStock' | 'importPets',
  { bytes, ...file }: ImportFile,
  importOptions: ImportOptions,
): Promise<ImportReport> {
  const { signal, ...others } = importOptions;
  const callbacks = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value === 'function')) as Callbacks;
  const options = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value !== 'function'));
  const names = importCallbacks.filter((name) => callbacks[name]);
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  signal?.addEventListener?.('abort', () => void Atomics.store(stopped, 0, 1));
  const source = await storeBytes(bytes);
  try {
    signal?.throwIfAborted();
    const { value } = await threads.run(client, (thread) => thread.run(caller, { task, file, options, callbacks: names, source, stopped }, callbacks));
    return value as ImportReport;
  } finally {
    closeSync(source);
  }
}

const onlyClient: Client = { key: '', isGone: () => false };

/** The same shop, but long operations run on worker threads, where clients take turns; the main thread stays free to answer others. */
export function pooledShop(shop: Shop, caller: JobCaller, { reads, writes, imports }: WorkerPool, findClient: () => Client = () => onlyClient): Shop {
  const runInTurn = (thread: WorkerThread, job: Job): Promise<JobResult> => thread.queue.run(findClient(), () => thread.run(caller, job));
  const runEach: Shop['callEach'] = async (operation, inputs, { onReplay, ...others } = {}) => {
    const thread = operation.kind === 'read' ? reads : writes;
    const { value, replayed } = await runInTurn(thread, { task: 'calls', operation: operation.id, inputs, options: others });
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
    importStock: (file, options) => importOnWorker(imports, findClient(), caller, 'importStock', file, options),
    importPets: (file, options) => importOnWorker(imports, findClient(), caller, 'importPets', file, options),
    undoBatch: async (batchId, { onReplay, ...options }) => {
      const { value, replayed } = await runInTurn(writes, { task: 'undoBatch', batchId, options });
      if (replayed) onReplay?.();
      return value as UndoReport;
    },
  };
}
