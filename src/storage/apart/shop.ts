import { MessageChannel, type MessagePort, type Worker as Thread } from 'node:worker_threads';
import { StoreError } from '../../domain/errors.js';
import type { ImportFile, ImportReport } from '../../domain/imports.js';
import type { Shop, UndoReport } from '../../domain/shop.js';
import { tells, type Heard, type Piece, type Request, type Response, type Task, type Told } from './messages.js';

/** Tasks that another thread performs. */
export interface Tasks {
  /** A shop whose long work is done on the other thread; everything else stays as it is. */
  readonly shopOf: (shop: Shop, actor: string) => Shop;
  readonly close: () => Promise<void>;
}

type Callbacks = Readonly<Record<string, ((...values: readonly unknown[]) => unknown) | undefined>>;

interface Pending {
  readonly callbacks: Callbacks;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** Hands the bytes of a file over as they are asked for; remembers why they broke off. */
function feed(port: MessagePort, bytes: ImportFile['bytes']): () => unknown {
  const source = bytes[Symbol.asyncIterator]();
  let reason: unknown;
  port.on('message', () => {
    source.next().then(
      ({ done, value }) => {
        // A copy of just these bytes: the buffer they lie in may hold others besides.
        const chunk = done === true ? undefined : new Uint8Array(value);
        port.postMessage({ ...(chunk && { chunk }) } satisfies Piece, chunk ? [chunk.buffer] : []);
      },
      (error: unknown) => {
        reason = error;
        port.postMessage({ broken: true } satisfies Piece);
      },
    );
  });
  return () => reason;
}

/** Sends long work to a thread, which `start` begins when there is some and again after it died. */
export function tasksApart(start: () => Thread): Tasks {
  const pending = new Map<number, Pending>();
  let thread: Thread | undefined;
  let count = 0;
  const running = (): Thread => {
    if (thread) return thread;
    const started = start();
    started.on('message', (message: Response | Told) => {
      const task = pending.get(message.id);
      if ('told' in message) {
        const heard = (failed: boolean): void => started.postMessage({ heard: message.id, failed } satisfies Heard);
        void hear(task?.callbacks ?? {}, message.told).then(heard);
        return;
      }
      pending.delete(message.id);
      task?.resolve(message);
    });
    const died = (error: Error): void => {
      if (thread === started) thread = undefined;
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    };
    started.on('error', died);
    started.on('exit', () => died(new Error('The thread for long work ended.')));
    thread = started;
    return started;
  };
  const ask = async (task: Task, actor: string, subject: Request['subject'], asked: object, port?: MessagePort): Promise<Response> => {
    const id = (count += 1);
    const callbacks = Object.fromEntries(Object.entries(asked).filter(([, value]) => typeof value === 'function')) as Callbacks;
    const options = Object.fromEntries(Object.entries(asked).filter(([, value]) => typeof value !== 'function'));
    const heard = tells.filter((tell) => callbacks[tell]);
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject, callbacks });
      running().postMessage({ id, task, actor, subject, options, tells: heard, ...(port && { bytes: port }) } satisfies Request, port ? [port] : []);
    });
  };
  const imported = async (task: Task, actor: string, { bytes, ...subject }: ImportFile, options: object): Promise<ImportReport> => {
    const { port1, port2 } = new MessageChannel();
    const broken = feed(port1, bytes);
    try {
      const response = await ask(task, actor, subject, options, port2);
      const reason = broken();
      if (reason !== undefined) throw reason;
      return valueOf(response) as ImportReport;
    } finally {
      port1.close();
    }
  };
  return {
    shopOf: (shop, actor) => ({
      ...shop,
      importStock: (file, options) => imported('importStock', actor, file, options),
      importPets: (file, options) => imported('importPets', actor, file, options),
      undoBatch: async (batchId, { onReplay, ...options }) => {
        const response = await ask('undoBatch', actor, batchId, options);
        if ('replayed' in response && response.replayed) onReplay?.();
        return valueOf(response) as UndoReport;
      },
    }),
    close: async () => {
      await thread?.terminate();
    },
  };
}

/** Calls callbacks one after the other; answers whether one failed. */
async function hear(callbacks: Callbacks, told: Told['told']): Promise<boolean> {
  try {
    for (const [tell, values] of told) await callbacks[tell]?.(...values);
    return false;
  } catch {
    return true;
  }
}

function valueOf(response: Response): unknown {
  if ('value' in response) return response.value;
  if ('refusal' in response) throw new StoreError(response.refusal.code, response.refusal.message, response.refusal.hint);
  throw new Error(response.failure);
}
