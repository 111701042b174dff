import { driverFor } from './driver.js';
import { isFailureOfSqlite } from './failures.js';

// A log beyond this is started again from its beginning, which holds up writers for a moment; below, nobody waits.
const largestLog = 32 * 1024 * 1024;

/** Moves what was committed from the log into the file of a shop; slow enough on a busy shop to have a thread of its own. */
export async function checkpointer(path: string, nativeBinding: string | undefined): Promise<{ readonly run: () => void; readonly close: () => void }> {
  const database = (await driverFor(nativeBinding)).open(path, { timeout: 100 });
  database.pragma('synchronous = FULL');
  const pageSize = Number(database.pragma('page_size', { simple: true }));
  return {
    run: () => {
      try {
        const [outcome] = database.pragma('wal_checkpoint(PASSIVE)') as readonly { readonly log: number }[];
        if ((outcome?.log ?? 0) * pageSize > largestLog) database.pragma('wal_checkpoint(RESTART)');
      } catch (error) {
        // On a full disk, say, the log keeps what was committed until there is room; whoever writes is told.
        if (!isFailureOfSqlite(error)) throw error;
      }
    },
    close: () => database.close(),
  };
}
