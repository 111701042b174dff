import { closeSync } from 'node:fs';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { ImportOptions } from '../../../domain/imports/import-options.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { Client, Shop, UndoReport } from '../../../domain/shop.js';
import { storeBytes } from '../../../formats/stored-file.js';
import type { Importers } from './import-threads.js';
import { tells, type Asker, type Job } from './messages.js';
import type { Beside, Callbacks, Done } from './worker-thread.js';

/** The threads of a server: one that changes much at once, one that looks through the whole shop, and those that import files. */
export interface Threads {
  readonly changing: Beside;
  readonly looking: Beside;
  readonly importing: Importers;
}

/** Beyond so many inputs a request is long work. */
const fewInputs = 20;

/**
 * Receives a file, then has a thread import it; what it tells comes back as it goes on. A thread that read the file as
 * it arrives would wait for the slowest of its clients.
 */
async function importApart(
  threads: Importers,
  client: Client,
  asker: Asker,
  task: 'importStock' | 'importPets',
  { bytes, ...file }: ImportFile,
  asked: ImportOptions,
): Promise<ImportReport> {
  const { signal, ...others } = asked;
  const callbacks = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value === 'function')) as Callbacks;
  const options = Object.fromEntries(Object.entries(others).filter(([, value]) => typeof value !== 'function'));
  const heard = tells.filter((tell) => callbacks[tell]);
  const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  signal?.addEventListener?.('abort', () => void Atomics.store(stopped, 0, 1));
  const source = await storeBytes(bytes);
  try {
    signal?.throwIfAborted();
    const { value } = await threads.run(client, (thread) => thread.ask(asker, { task, file, options, tells: heard, source, stopped }, callbacks));
    return value as ImportReport;
  } finally {
    closeSync(source);
  }
}

const onlyClient: Client = { key: '', isGone: () => false };

/** The same shop, but its long work is done on other threads: this one goes on answering meanwhile. Clients take turns there. */
export function apart(shop: Shop, asker: Asker, { changing, looking, importing }: Threads, client: Client = onlyClient): Shop {
  const inTurn = (thread: Beside, job: Job): Promise<Done> => thread.queue.run(client, () => thread.ask(asker, job));
  const callEach: Shop['callEach'] = async (operation, inputs, options = {}) => {
    if (inputs.length <= fewInputs && !inputs.some((input) => operation.costOf(input as never) === 'shop')) return shop.callEach(operation, inputs, options);
    const { onReplay, ...said } = options;
    const thread = operation.kind === 'read' ? looking : changing;
    const { value, replayed } = await inTurn(thread, { task: 'calls', operation: operation.id, inputs, options: said });
    if (replayed) onReplay?.();
    return value as never;
  };
  return {
    ...shop,
    callEach,
    call: async (operation, input, options) => {
      const [output] = await callEach(operation, [input], options);
      return output as NonNullable<typeof output>;
    },
    importStock: (file, options) => importApart(importing, client, asker, 'importStock', file, options),
    importPets: (file, options) => importApart(importing, client, asker, 'importPets', file, options),
    undoBatch: async (batchId, { onReplay, ...options }) => {
      const { value, replayed } = await inTurn(changing, { task: 'undoBatch', batchId, options });
      if (replayed) onReplay?.();
      return value as UndoReport;
    },
  };
}
