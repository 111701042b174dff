import { monotonicNow } from '../retry.js';
import type { Queries, Work } from '../queries.js';
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
 * The reads of a connection that `open` opens on first use; `begin` opens the transaction; its first query takes the
 * snapshot. Waiting reads share a snapshot, because taking one locks the file.
 */
export function sharedReads(open: () => Promise<Connection>, begin: (connection: Connection) => Promise<unknown>, path: string): Engine['read'] {
  const waiting: Waiting[] = [];
  let isRunning = false;
  const drain = async (): Promise<void> => {
    const group = waiting.splice(0);
    let done = 0;
    try {
      const connection = await open();
      await begin(connection);
      const scope = expiringQueries(connection.queries);
      const started = monotonicNow();
      try {
        while (done < group.length && monotonicNow() - started < longestGroupMs) {
          const one = group[done];
          done += 1;
          if (one) await attempt(scope.queries, one, path);
        }
      } finally {
        scope.end();
        if (connection.database.inTransaction) await connection.queries.run(sql`COMMIT`);
      }
      waiting.unshift(...group.slice(done));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    isRunning = waiting.length > 0;
    if (isRunning) next();
  };
  const next = coalesce(() => void drain());
  return <T>(work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (isRunning) return;
      isRunning = true;
      next();
    });
}
