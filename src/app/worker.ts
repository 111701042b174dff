import { parentPort, workerData } from 'node:worker_threads';
import { performTasks } from '../http/server/worker-pool/worker-tasks.js';
import { localShop } from '../storage/shop.js';
import { engineOf, openEngine } from '../storage/engines.js';

/** What a thread beside the server is started with. */
export interface WorkOrder {
  readonly work: 'tasks' | 'checkpoints';
  readonly store: string;
  /** The same as people may read it. */
  readonly where: string;
  readonly nativeBinding: string | undefined;
  /** How long a task waits for a locked store, in seconds. */
  readonly waitSeconds: number;
}

const checkpointEvery = 500;

async function begin({ work, store, where, nativeBinding, waitSeconds }: WorkOrder): Promise<void> {
  if (work === 'checkpoints') {
    const checkpointer = await engineOf(store).openCheckpointer?.(store, nativeBinding);
    if (checkpointer) setInterval(checkpointer.run, checkpointEvery);
    return;
  }
  const engine = await openEngine({ store, where, waitSeconds, nativeBinding });
  if (parentPort) performTasks(parentPort, (asker) => localShop(engine, { ...asker, clock: () => Date.now() }, where));
}

// A failure ends the thread, which whoever started it hears of; the errors of better-sqlite3 would lose their message on the way.
void begin(workerData as WorkOrder).catch(({ message }: Error) => {
  throw new Error(message);
});
