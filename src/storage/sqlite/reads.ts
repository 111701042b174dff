import { monotonicNow } from '../retry.js';
import type { Work } from '../queries.js';
import { sql } from '../sql.js';
import { expiringQueries } from '../expiring-queries.js';
import type { Connection } from './connection.js';
import { explainRead } from './errors.js';
import { coalesce, takingTurns, type Turns } from '../writes/turns.js';

/** The reads of one connection. */
export interface Reads {
  /** Runs work on a snapshot. Waiting reads share one, because taking a snapshot locks the file. */
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Runs work while no snapshot is open. */
  readonly between: <T>(work: () => Promise<T>) => Promise<T>;
}

// A group of reads ends after this time, to bound how long other work in the process waits.
const longestGroupMs = 8;

interface Waiting {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

async function attempt({ queries }: Connection, { work, resolve, reject }: Waiting, path: string): Promise<void> {
  const scope = expiringQueries(queries);
  try {
    resolve(await work(scope.queries));
  } catch (error) {
    reject(explainRead(error, path));
  } finally {
    scope.end();
  }
}

/**
 * The reads of a connection that `open` opens on first use; `begin` takes a snapshot and may wait for a lock. On a connection
 * that also writes, `turns` are those of its writes.
 */
export function sharedReads(
  open: () => Promise<Connection>,
  begin: (connection: Connection) => Promise<unknown>,
  path: string,
  turns: Turns = takingTurns(),
): Reads {
  let waiting: Waiting[] = [];
  const between: Reads['between'] = async (work) => {
    const end = await turns.take();
    try {
      return await work();
    } finally {
      end();
    }
  };
  const drain = async (): Promise<void> => {
    const group = waiting;
    waiting = [];
    let done = 0;
    try {
      const connection = await open();
      await begin(connection);
      const started = monotonicNow();
      try {
        while (done < group.length && monotonicNow() - started < longestGroupMs) {
          const one = group[done];
          done += 1;
          if (one) await attempt(connection, one, path);
        }
      } finally {
        if (connection.database.inTransaction) await connection.queries.run(sql`COMMIT`);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    waiting.unshift(...group.slice(done));
    if (waiting.length > 0) next();
  };
  const next = coalesce(() => void between(drain));
  return {
    between,
    read: <T>(work: Work<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        if (waiting.length === 1) next();
      }),
  };
}
