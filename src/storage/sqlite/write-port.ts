import type { Connection } from './connection.js';
import type { WritePort } from '../writes/write-port.js';
import { retryWhileBusy } from './retry.js';
import { sql } from '../sql.js';
import { entryTime, ledgerWithBatches } from '../tables/fragments.js';
import { StoreError } from '../../domain/errors.js';
import { queriesThrough, refuseLate } from '../expiring-queries.js';
import { explain } from './errors.js';
import type { OpenFile } from './shop-file.js';

const newestTime = sql`SELECT ${entryTime} AS at FROM ${ledgerWithBatches} ORDER BY l.id DESC LIMIT 1`;

/** The write transactions of a connection. The event loop never runs inside one. */
export function writePort({ database, queries }: Connection, { path, waitSeconds, checkUnchanged }: OpenFile): WritePort {
  let newestAt = 0;
  const rollback = (): void => {
    if (database.inTransaction) database.exec('ROLLBACK');
  };
  // On some errors, such as one of the disk, SQLite rolls back the whole transaction; a later statement would be committed by itself.
  const ofTransaction = queriesThrough(queries, (query, send) => (database.inTransaction ? send(query) : refuseLate()));
  return {
    lock: async (waitMs) => {
      checkUnchanged();
      try {
        await retryWhileBusy(path, waitSeconds, () => queries.run(sql`BEGIN IMMEDIATE`), waitSeconds * 1000 - waitMs);
        newestAt = (await queries.get<{ readonly at: number }>(newestTime))?.at ?? 0;
        return undefined;
      } catch (error) {
        rollback();
        const refusal = explain(error, path);
        if (refusal instanceof StoreError && refusal.code === 'store_busy') return refusal;
        throw refusal;
      }
    },
    queries: { ...ofTransaction, clock: { at: () => newestAt, advanceTo: (at) => (newestAt = at) } },
    commit: () => queries.run(sql`COMMIT`),
    rollback,
    endsTransaction: () => !database.inTransaction,
    isTransient: () => false,
    explain: (error) => explain(error, path),
  };
}
