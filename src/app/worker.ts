import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { sendHooks } from './hooks.js';
import { runJobs } from '../http/server/worker-pool/run-jobs.js';
import type { LogEntry } from '../http/server/server-options.js';
import type { Engine } from '../storage/engine.js';
import type { OpenOptions } from '../storage/engine-definition.js';
import { localShop } from '../storage/shop.js';
import { system } from '../system.js';
import { engineOf, openEngine } from '../storage/engines.js';

/** The start parameters of a worker thread of the server. */
export interface WorkerOptions extends OpenOptions {
  readonly purpose: 'jobs' | 'checkpoints' | 'hooks';
}

/** The nice value of the thread that sends events to hooks. */
const hooksPriority = 10;

/** While clients make changes, a tenth of a processor is left for requests to hooks: one takes about 1 ms. */
const hookRequestEveryMs = 10;

const checkpointIntervalMs = 500;

const log = (entry: LogEntry): void => parentPort?.postMessage(entry, []);

/** Sends events to the hooks until the main thread says to stop; what it should log goes there. */
async function sendFromThread(engine: Engine, where: string): Promise<void> {
  const sender = sendHooks(engine, where, {
    clock: Date.now,
    requestEveryMs: hookRequestEveryMs,
    // Without the address, which may contain a secret of the receiver.
    onSent: ({ id }, { id: event, type }, { status, error, pauses }) => {
      if (error !== undefined) log({ msg: pauses ? 'hook paused' : 'hook failed', hook: id, event, type, status, error });
    },
    onError: ({ code, message }) => log({ msg: 'hooks cannot be sent', code, error: message }),
  });
  parentPort?.once('message', sender.stop);
  await sender.ended;
  await engine.close();
  parentPort?.close();
}

async function begin({ purpose, ...options }: WorkerOptions): Promise<void> {
  const { store, where, nativeBinding } = options;
  // As in the main thread; arguments of its own would replace those of the process, such as --require.
  process.noDeprecation = true;
  if (purpose === 'checkpoints') {
    const checkpointer = await engineOf(store).openCheckpointer?.(store, nativeBinding);
    const timer = checkpointer && setInterval(checkpointer.run, checkpointIntervalMs);
    parentPort?.once('message', () => {
      clearInterval(timer);
      checkpointer?.close();
      parentPort?.close();
    });
    return;
  }
  if (purpose === 'hooks') {
    // Requests of clients come first. Elsewhere this would be the priority of the whole process.
    if (system.hasThreadPriorities) setPriority(hooksPriority);
    return sendFromThread(await openEngine(options), where);
  }
  // Opened with the first job, whose answer is the refusal of a shop that cannot be opened.
  let engine: Engine | undefined;
  if (parentPort) await runJobs(parentPort, async (caller) => localShop((engine ??= await openEngine(options)), { ...caller, clock: Date.now }, where));
}

// The error ends the thread and reaches the main thread. Copied, because errors of better-sqlite3 lose their message on the way.
void begin(workerData as WorkerOptions).catch(({ message }: Error) => {
  throw new Error(message);
});
