import type { Connection } from './connection.js';
import type { WritePort } from '../grouped-writes.js';
import { retryWhileBusy } from './retry.js';
import { sql } from '../sql.js';
import { StoreError } from '../../domain/errors.js';
import { busy } from '../errors.js';
import { explain } from './errors.js';

/** The write transactions of a connection. The event loop never runs inside a transaction, so transactions do not interleave. */
export function writePort({ database, queries }: Connection, path: string, waitSeconds: number, checkFileUnchanged: () => void): WritePort {
  return {
    lock: async (waitMs) => {
      checkFileUnchanged();
      try {
        await retryWhileBusy(path, waitMs / 1000, () => queries.run(sql`BEGIN IMMEDIATE`));
        return undefined;
      } catch (error) {
        if (error instanceof StoreError && error.code === 'store_busy') return busy(path, waitSeconds);
        throw error;
      }
    },
    queries,
    commit: async () => void (await queries.run(sql`COMMIT`)),
    rollback: () => {
      if (database.inTransaction) database.exec('ROLLBACK');
    },
    // On some errors, such as a full disk, SQLite rolls back the whole transaction.
    endsTransaction: () => !database.inTransaction,
    isTransient: () => false,
    explain: (error) => explain(error, path),
  };
}
