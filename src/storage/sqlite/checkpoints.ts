import { driverFor } from './driver.js';
import { isSqliteError } from './errors.js';

// When the log is larger it is restarted from its beginning, which briefly blocks writers.
const maximumLogBytes = 32 * 1024 * 1024;

// A long read prevents a restart, and the larger the log, the longer this waits for reads. Meanwhile writers wait; by default they give up after 5 s.
const busyTimeoutMs = 100;
const maximumBusyTimeoutMs = 2500;

/**
 * Moves the log into the database file. On a busy shop this is so slow that it needs its own thread. The log is restarted
 * when it is larger than `limit` bytes.
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
        // For example a full disk: the log still has the commits, and the next writer reports the error.
        if (!isSqliteError(error)) throw error;
      }
    },
    close: () => database.close(),
  };
}
