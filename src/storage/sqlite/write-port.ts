import type { Connection } from './connection.js';
import type { WritePort } from '../writes/write-port.js';
import { retryWhileBusy } from './retry.js';
import { sql } from '../sql.js';
import { StoreError } from '../../domain/errors.js';
import { storeBusy } from '../errors.js';
import { explain } from './errors.js';
import type { OpenFile } from './shop-file.js';
import type { Turns } from '../writes/turns.js';

/**
 * The write transactions of a connection, in turns with its reads. The event loop never runs inside a transaction, so
 * transactions do not interleave.
 */
export function writePort({ database, queries }: Connection, turns: Turns, { path, waitSeconds, checkUnchanged }: OpenFile): WritePort {
  let endTurn: (() => void) | undefined;
  const begin = async (): Promise<void> => {
    const end = await turns.take();
    try {
      await queries.run(sql`BEGIN IMMEDIATE`);
      endTurn = end;
    } catch (error) {
      end();
      throw error;
    }
  };
  return {
    lock: async (waitMs) => {
      checkUnchanged();
      try {
        await retryWhileBusy(path, waitMs / 1000, begin);
        return undefined;
      } catch (error) {
        if (error instanceof StoreError && error.code === 'store_busy') return storeBusy(path, waitSeconds);
        throw error;
      }
    },
    queries,
    commit: async () => {
      await queries.run(sql`COMMIT`);
      endTurn?.();
    },
    rollback: () => {
      if (database.inTransaction) database.exec('ROLLBACK');
      endTurn?.();
    },
    // On some errors, such as a full disk, SQLite rolls back the whole transaction.
    endsTransaction: () => !database.inTransaction,
    isTransient: () => false,
    explain: (error) => explain(error, path),
  };
}
