import { driverFor } from './driver.js';
import { isSqliteError } from './errors.js';

// A larger log is restarted, which briefly blocks writers.
const maximumLogBytes = 32 * 1024 * 1024;

// A long read prevents a restart: the larger the log, the longer the read is waited for. Writers wait too, by default at most 5 s.
const busyTimeoutMs = 100;
const maximumBusyTimeoutMs = 2500;

/**
 * Moves the log into the database file; on a busy shop slow enough to need its own thread. `limit` is the size in bytes
 * from which the log is restarted.
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
        // For example a full disk: the log keeps the commits, and writers get the error.
        if (!isSqliteError(error)) throw error;
      }
    },
    close: () => database.close(),
  };
}
