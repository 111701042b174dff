import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { ImportFile, ImportReport } from '../../domain/imports.js';
import type { Operation } from '../../domain/operation.js';
import type { Client, Shop, UndoReport } from '../../domain/shop.js';
import { tells, type Asker, type Job, type Piece } from './messages.js';
import type { Beside, Callbacks, Done } from './thread.js';

/** The threads of a server: one that changes much at once, one that looks through the whole shop. */
export interface Threads {
  readonly changing: Beside;
  readonly looking: Beside;
}

/** Operations whose cost grows with the shop; everything else finds its rows by an index. */
const wholeShop: readonly string[] = ['getSummary', 'reportStock', 'reportMovements', 'reportSellThrough', 'setLowDefault'];
/** Parameters that make a list look through more rows than it shows, or a change through many. */
const farReaching = ['at', 'q', 'actor', 'kind', 'batchId', 'moveTo'];

function reachesFar({ id }: Operation<never, never, unknown>, input: object): boolean {
  return wholeShop.includes(id) || ('count' in input && input.count === true) || farReaching.some((name) => name in input);
}

/** Beyond so many inputs a request is long work. */
const fewInputs = 20;

/** Hands the bytes of a file over as they are asked for; remembers why they broke off. */
function feed(port: MessagePort, bytes: ImportFile['bytes']): () => unknown {
  const source = bytes[Symbol.asyncIterator]();
  let reason: unknown;
  const next = async (): Promise<void> => {
    try {
      const { done, value } = await source.next();
      // A copy of just these bytes: the buffer they lie in may hold others besides.
      const chunk = done === true ? undefined : new Uint8Array(value);
      port.postMessage({ ...(chunk && { chunk }) } satisfies Piece, chunk ? [chunk.buffer] : []);
    } catch (error) {
      reason = error;
      port.postMessage({ broken: true } satisfies Piece, []);
    }
  };
  port.on('message', () => void next());
  return () => reason;
}

/** Sends a file to the thread; what it tells comes back as it goes on. */
async function importApart(
  thread: Beside,
  asker: Asker,
  task: 'importStock' | 'importPets',
  { bytes, ...file }: ImportFile,
  asked: object,
): Promise<ImportReport> {
  const { port1, port2 } = new MessageChannel();
  const broken = feed(port1, bytes);
  const callbacks = Object.fromEntries(Object.entries(asked).filter(([, value]) => typeof value === 'function')) as Callbacks;
  const options = Object.fromEntries(Object.entries(asked).filter(([, value]) => typeof value !== 'function'));
  try {
    const heard = tells.filter((tell) => callbacks[tell]);
    const { value } = await thread.ask(asker, { task, file, options, tells: heard, bytes: port2 }, callbacks);
    return value as ImportReport;
  } catch (error) {
    throw broken() ?? error;
  } finally {
    port1.close();
  }
}

const onlyClient: Client = { key: '', isGone: () => false };

/** The same shop, but its long work is done on other threads: this one goes on answering meanwhile. Clients take turns there. */
export function apart(shop: Shop, asker: Asker, { changing, looking }: Threads, client: Client = onlyClient): Shop {
  const inTurn = (thread: Beside, job: Job): Promise<Done> => thread.queue.run(client, () => thread.ask(asker, job));
  const callEach: Shop['callEach'] = async (operation, inputs, options = {}) => {
    if (inputs.length <= fewInputs && !inputs.some((input) => reachesFar(operation as never, input as object)))
      return shop.callEach(operation, inputs, options);
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
    importStock: (file, options) => importApart(changing, asker, 'importStock', file, options),
    importPets: (file, options) => importApart(changing, asker, 'importPets', file, options),
    undoBatch: async (batchId, { onReplay, ...options }) => {
      const { value, replayed } = await inTurn(changing, { task: 'undoBatch', batchId, options });
      if (replayed) onReplay?.();
      return value as UndoReport;
    },
  };
}
