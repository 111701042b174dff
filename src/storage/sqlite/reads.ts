import { monotonicNow } from '../retry.js';
import type { Queries, ReadOptions, Work } from '../queries.js';
import { sql } from '../sql.js';
import { expiringQueries } from '../expiring-queries.js';
import type { Connection } from './connection.js';
import { explainRead } from './errors.js';
import type { Engine } from '../engine.js';
import { coalesce } from '../writes/turns.js';

// A group of reads ends after this time, to bound how long other work in the process waits.
const longestGroupMs = 8;

interface Waiting {
  readonly work: Work<unknown>;
  readonly waitedMs: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

async function attempt(queries: Queries, { work, resolve, reject }: Waiting, path: string): Promise<void> {
  try {
    resolve(await work(queries));
  } catch (error) {
    reject(explainRead(error, path));
  }
}

/**
 * The reads of a connection that `open` opens on first use; `takeSnapshot` begins the transaction, for a read that has waited for
 * so long already. Waiting reads share a snapshot, because taking one locks the file.
 */
export function sharedReads(
  open: () => Promise<Connection>,
  takeSnapshot: (connection: Connection, waitedMs: number) => Promise<unknown>,
  path: string,
): Engine['read'] {
  const waiting: Waiting[] = [];
  let isRunning = false;
  const drain = async (): Promise<void> => {
    const group = waiting.splice(0);
    let done = 0;
    try {
      const connection = await open();
      const scope = expiringQueries(connection.queries);
      try {
        await takeSnapshot(connection, group[0]?.waitedMs ?? 0);
        const started = monotonicNow();
        // Some errors, such as one of the disk, end the transaction: the others need another snapshot.
        while (done < group.length && connection.database.inTransaction && monotonicNow() - started < longestGroupMs) {
          const one = group[done];
          done += 1;
          if (one) await attempt(scope.queries, one, path);
        }
      } finally {
        scope.end();
        // Nothing was changed, and a COMMIT fails after an error of the disk, whose refusal it would replace.
        if (connection.database.inTransaction) await connection.queries.run(sql`ROLLBACK`);
      }
      waiting.unshift(...group.slice(done));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    isRunning = waiting.length > 0;
    if (isRunning) next();
  };
  const next = coalesce(() => void drain());
  return <T>(work: Work<T>, { waitedMs = 0 }: ReadOptions = {}) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, waitedMs, resolve: resolve as (value: unknown) => void, reject });
      if (isRunning) return;
      isRunning = true;
      next();
    });
}
