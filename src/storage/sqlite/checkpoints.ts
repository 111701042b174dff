import { driverFor } from './driver.js';
import { isSqliteError } from './errors.js';

// A log beyond this is started again from its beginning, which holds up writers for a moment; below, nobody waits.
const maximumLogBytes = 32 * 1024 * 1024;

// Reports of a large shop may be read all the time: the larger the log, the longer their end is waited for, in ms. Writers
// wait as well, by default no longer than 5 s.
const busyTimeoutMs = 100;
const maximumBusyTimeoutMs = 2500;

/**
 * Moves what was committed from the log into the file of a shop; slow enough on a busy shop to have a thread of its own.
 * `limit` is the size of a log that is started again, in bytes.
 */
export async function checkpointer(
  path: string,
  nativeBinding: string | undefined,
  limit = maximumLogBytes,
): Promise<{ readonly run: () => void; readonly close: () => void }> {
  const database = (await driverFor(nativeBinding)).open(path, { timeout: busyTimeoutMs });
  database.pragma('synchronous = FULL');
  const pageSize = Number(database.pragma('page_size', { simple: true }));
  return {
    run: () => {
      try {
        const [outcome] = database.pragma('wal_checkpoint(PASSIVE)') as readonly { readonly log: number }[];
        const excess = ((outcome?.log ?? 0) * pageSize) / limit;
        if (excess <= 1) return;
        database.pragma(`busy_timeout = ${Math.min(maximumBusyTimeoutMs, Math.round(busyTimeoutMs * excess ** 2))}`);
        database.pragma('wal_checkpoint(RESTART)');
      } catch (error) {
        // On a full disk, say, the log keeps what was committed until there is room; whoever writes is told.
        if (!isSqliteError(error)) throw error;
      }
    },
    close: () => database.close(),
  };
}
