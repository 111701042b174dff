import { parentPort, workerData } from 'node:worker_threads';
import { runJobs } from '../http/server/worker-pool/run-jobs.js';
import { localShop } from '../storage/shop.js';
import { engineOf, openEngine } from '../storage/engines.js';

/** The start parameters of a worker thread of the server. */
export interface WorkerOptions {
  readonly purpose: 'jobs' | 'checkpoints';
  readonly store: string;
  /** The same for display: no password. */
  readonly where: string;
  readonly readOnly: boolean;
  readonly nativeBinding: string | undefined;
  /** How long a job waits for a locked store. */
  readonly waitSeconds: number;
}

const checkpointIntervalMs = 500;

const clock = (): number => Date.now();

async function begin(options: WorkerOptions): Promise<void> {
  const { purpose, store, where, readOnly, nativeBinding, waitSeconds } = options;
  // As in the main thread; arguments of its own would replace those of the process, such as --require.
  process.noDeprecation = true;
  if (purpose === 'checkpoints') {
    const checkpointer = await engineOf(store).openCheckpointer?.(store, nativeBinding);
    if (checkpointer) setInterval(checkpointer.run, checkpointIntervalMs);
    return;
  }
  const engine = await openEngine({ store, where, waitSeconds, readOnly, nativeBinding });
  if (parentPort) runJobs(parentPort, (caller) => localShop(engine, { ...caller, clock }, where));
}

// The error ends the thread and reaches the main thread. Copied, because errors of better-sqlite3 lose their message on the way.
void begin(workerData as WorkerOptions).catch(({ message }: Error) => {
  throw new Error(message);
});
