import type { Connection } from './connection.js';
import type { WritePort } from '../writes/write-port.js';
import { retryWhileBusy } from './retry.js';
import { sql } from '../sql.js';
import { StoreError } from '../../domain/errors.js';
import { storeBusy } from '../errors.js';
import { explain } from './errors.js';
import type { OpenFile } from './shop-file.js';

/** The write transactions of a connection. The event loop never runs inside one. */
export function writePort({ database, queries }: Connection, { path, waitSeconds, checkUnchanged }: OpenFile): WritePort {
  return {
    lock: async (waitMs) => {
      checkUnchanged();
      try {
        await retryWhileBusy(path, waitMs / 1000, () => queries.run(sql`BEGIN IMMEDIATE`));
        return undefined;
      } catch (error) {
        if (error instanceof StoreError && error.code === 'store_busy') return storeBusy(path, waitSeconds);
        throw error;
      }
    },
    queries,
    commit: () => queries.run(sql`COMMIT`),
    rollback: () => {
      if (database.inTransaction) database.exec('ROLLBACK');
    },
    // On some errors, such as a full disk, SQLite rolls back the whole transaction.
    endsTransaction: () => !database.inTransaction,
    isTransient: () => false,
    explain: (error) => explain(error, path),
  };
}
