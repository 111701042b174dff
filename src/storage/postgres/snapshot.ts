import type { Work } from '../queries.js';
import { expiringQueries } from '../expiring-queries.js';
import type { Connection } from './connection.js';
import { retryTransient } from './deadlines.js';
import { connectAndRun, connectAndSend, endAndRelease, type Pool } from './pool.js';
import { queriesOf } from './statements.js';

/**
 * Begins a snapshot. A page of a list reads a few rows by an index, from memory: with the default cost of a random read PostgreSQL
 * sorts whole tables instead. Compiling a statement to machine code (jit) takes longer than any page.
 */
const beginRead = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL random_page_cost = 1.1; SET LOCAL jit = off';

interface SnapshotOptions {
  readonly isRepeatable: boolean;
  /** When to stop trying to take the snapshot, in ms of `monotonicNow`. */
  readonly deadlineMs: number;
}

/** Runs work on one snapshot. A repeatable read costs one round trip for each of its own queries, and none to begin. */
export async function snapshot<T>(pool: Pool, work: Work<T>, { isRepeatable, deadlineMs }: SnapshotOptions): Promise<T> {
  // Other work must not begin before there is a connection that answers.
  const open = async (): Promise<Connection> =>
    isRepeatable ? connectAndSend(pool, beginRead, deadlineMs) : (await connectAndRun(pool, () => beginRead, deadlineMs)).connection;
  const connection = await retryTransient(deadlineMs, open);
  const scope = expiringQueries(queriesOf(() => connection, isRepeatable));
  try {
    return await work(scope.queries);
  } finally {
    scope.end();
    void endAndRelease(pool, connection, 'COMMIT');
  }
}
