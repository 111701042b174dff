import type { MessagePort } from 'node:worker_threads';
import { StoreError } from '../../../domain/errors.js';
import { operations } from '../../../domain/operations.js';
import type { ImportFile } from '../../../domain/imports/import-file.js';
import type { ImportOptions } from '../../../domain/imports/import-options.js';
import type { StopSignal } from '../../../domain/imports/import-report.js';
import type { Shop } from '../../../domain/shop.js';
import { bytesOf } from '../../../formats/stored-file.js';
import { refusalOf, type Asker, type Heard, type Job, type Request, type Response, type Tell, type Told } from './messages.js';

/** A signal that another thread gives through shared memory. */
function sharedSignal(stopped: Int32Array): StopSignal {
  return {
    throwIfAborted: () => {
      if (Atomics.load(stopped, 0) !== 0) throw new StoreError('cancelled', 'The client is gone; nothing was changed.');
    },
  };
}

const toldTogether = 500;
/** Delivered immediately: a preview is before a question, and changes are long already. */
const toldAtOnce: ReadonlySet<Tell> = new Set(['onChanges', 'onPreview']);

interface Teller {
  /** The callbacks of an import, each of which passes on what it is told. */
  readonly callbacks: Readonly<Record<string, (...values: readonly unknown[]) => Promise<void>>>;
  readonly flush: () => Promise<void>;
}

/** Passes calls of callbacks on, many at once; `send` settles when they were heard. */
function tellerOf(names: readonly Tell[], send: (told: Told['told']) => Promise<void>): Teller {
  let told: Told['told'][number][] = [];
  const flush = async (): Promise<void> => {
    if (told.length === 0) return;
    const batch = told;
    told = [];
    await send(batch);
  };
  const pass =
    (name: Tell) =>
    async (...values: readonly unknown[]) => {
      told.push([name, values]);
      // Nothing goes on before somebody has seen what is about to change.
      if (told.length >= toldTogether || toldAtOnce.has(name)) await flush();
    };
  return { callbacks: Object.fromEntries(names.map((name) => [name, pass(name)])), flush };
}

const named = new Map(operations.map((operation) => [operation.id, operation]));

async function perform(shop: Shop, job: Job, send: (told: Told['told']) => Promise<void>, onReplay: () => void): Promise<unknown> {
  if (job.task === 'undoBatch') return shop.undoBatch(job.batchId, { ...job.options, onReplay });
  if (job.task === 'calls') {
    const operation = named.get(job.operation);
    if (operation === undefined) throw new Error(`There is no operation ${job.operation}.`);
    return shop.callEach(operation, job.inputs, { ...job.options, onReplay });
  }
  const { callbacks, flush } = tellerOf(job.tells, send);
  const file: ImportFile = { ...job.file, bytes: bytesOf(job.source) };
  const options: ImportOptions = { ...(job.options as ImportOptions), ...callbacks, signal: sharedSignal(job.stopped) };
  const report = await (job.task === 'importPets' ? shop.importPets(file, options) : shop.importStock(file, options));
  await flush();
  return report;
}

/** Performs the tasks that come through a port, on the thread it was called on. */
export function performTasks(port: MessagePort, shopOf: (asker: Asker) => Shop): void {
  const hearing = new Map<number, (heard: Heard) => void>();
  const send = (id: number) => async (told: Told['told']) => {
    const heard = new Promise<Heard>((resolve) => hearing.set(id, resolve));
    port.postMessage({ id, told } satisfies Told);
    if ((await heard).failed) throw new Error('A callback of the import failed.');
  };
  const answer = async ({ id, asker, job }: Request): Promise<Response> => {
    let replayed = false;
    try {
      const value = await perform(shopOf(asker), job, send(id), () => (replayed = true));
      return { id, value, replayed };
    } catch (error) {
      if (error instanceof StoreError) return { id, refusal: refusalOf(error) };
      return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  port.on('message', (message: Request | Heard) => {
    if ('heard' in message) {
      hearing.get(message.heard)?.(message);
      hearing.delete(message.heard);
    } else void answer(message).then((response) => port.postMessage(response));
  });
}
