import type { Engine } from '../engine.js';
import type { Work } from '../queries.js';
import { PreparationOutdatedError } from '../errors.js';
import { groupedWrites } from '../writes/grouped-writes.js';
import type { Client, Pool } from './pool.js';
import { writePort } from './write-port.js';

/** Takes the lock in a transaction that has begun without it, works, and commits. Throws `PreparationOutdatedError` when the transaction was lost. */
export type ContinuedWrite = <T>(client: Client, work: Work<T>) => Promise<T>;

/** The continued writes of a database. */
export function continuedWrites(pool: Pool, where: string, waitSeconds: number): ContinuedWrite {
  return (client, work) => {
    let connections = 0;
    const connect: Pool['connect'] = async (deadlineMs) => {
      connections += 1;
      return connections === 1 ? client : pool.connect(deadlineMs);
    };
    const write: Engine['write'] = groupedWrites(async () => writePort({ ...pool, connect }, where, waitSeconds), waitSeconds);
    return write(async (queries) => {
      // Another connection: the first one was lost, or its transaction has ended with an error.
      if (connections > 1) throw new PreparationOutdatedError();
      return work(queries);
    });
  };
}
