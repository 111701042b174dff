import { openedReadOnly, StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../retry.js';
import type { OpenOptions } from '../engine-definition.js';
import type { Engine } from '../engine.js';
import { expiringQueries } from '../expiring-queries.js';
import type { Work } from '../queries.js';
import { schemaVersion } from '../migrations/migrations.js';
import { groupedWrites } from '../writes/grouped-writes.js';
import { insertRows, insertStock } from './bulk.js';
import type { Connection, SilenceTimes } from './connection.js';
import { retryTransient } from './deadlines.js';
import { explain, explainRead } from './errors.js';
import { migrate, schemaVersionOf } from './migrate.js';
import { checkWritable, connectAndRun, connectAndSend, endAndRelease, openPool, withConnection, type Pool } from './pool.js';
import { queriesOf } from './statements.js';
import { writePort } from './write-port.js';

/** How a database is opened; a missing database is never created. */
export interface PostgresOptions extends Omit<OpenOptions, 'store' | 'forManyClients' | 'nativeBinding'> {
  /** The maximum number of connections. */
  readonly connections?: number;
  /** For tests: when a silent server is checked. */
  readonly silenceTimes?: SilenceTimes;
}

const defaultConnections = 4;
/** How long a check whether the shop can be written to is repeated; probes give up soon. */
const checkMs = 1000;

/** Not of tables without rows: a plan for those reads a whole table, and stays in use while the first orders come. */
const analyzeFilled = `DO $$ BEGIN EXECUTE (SELECT 'ANALYZE ' || string_agg(CAST(oid AS regclass)::TEXT, ', ') FROM pg_class
  WHERE relnamespace = CAST(current_schema AS regnamespace) AND relkind = 'r' AND pg_relation_size(oid) > 0); END $$`;

/**
 * Begins a snapshot. A page of a list reads a few rows by an index, from memory: with the default cost of a random read PostgreSQL
 * sorts whole tables instead. Compiling a statement to machine code (jit) takes longer than any page.
 */
const beginRead = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL random_page_cost = 1.1; SET LOCAL jit = off';

/** Runs work on one snapshot, which it tries to take until `deadlineMs` of `monotonicNow`. A read that may be repeated costs one round trip for each of its own queries, and none to begin. */
async function snapshot<T>(pool: Pool, work: Work<T>, isOnce: boolean, deadlineMs: number): Promise<T> {
  // Other work must not begin before there is a connection that answers.
  const open = async (): Promise<Connection> =>
    isOnce ? (await connectAndRun(pool, ({ run }) => run(beginRead), deadlineMs)).connection : connectAndSend(pool, beginRead, deadlineMs);
  const connection = await retryTransient(deadlineMs, open);
  const scope = expiringQueries(queriesOf(() => connection, !isOnce));
  try {
    return await work(scope.queries);
  } finally {
    scope.end();
    void endAndRelease(pool, connection, 'COMMIT');
  }
}

/**
 * Opens a shop in a PostgreSQL database. Refuses with `store_unreachable`, `store_missing`, `schema_too_new`,
 * `store_read_only` or `store_busy`. Further connections are opened on first use.
 */
export async function openPostgres(
  address: string,
  { where, create = false, readOnly = false, onCreated, waitSeconds, connections = defaultConnections, silenceTimes }: PostgresOptions,
): Promise<Engine> {
  const pool = openPool(address, { connections, waitSeconds, silenceTimes });
  try {
    const version = await retryTransient(monotonicNow() + waitSeconds * 1000, () => schemaVersionOf(pool, where));
    if (version === undefined && !create) throw new StoreError('store_missing', `There is no shop at ${where}.`);
    if (readOnly && version !== schemaVersion())
      throw openedReadOnly(`${where} has the schema of an older petstore and is opened for reading only, so it was not upgraded.`);
    if (version !== schemaVersion()) await migrate(pool, waitSeconds);
    if (version === undefined) onCreated?.();
  } catch (error) {
    await pool.end();
    throw explain(error, where);
  }
  const write = groupedWrites(async () => writePort(pool, where, waitSeconds), waitSeconds);
  const engine: Pick<Engine, 'read' | 'write'> = {
    read: async (work, { isOnce = false, waitedMs = 0 } = {}) => {
      const deadlineMs = monotonicNow() + waitSeconds * 1000 - waitedMs;
      try {
        const attempt = () => snapshot(pool, work, isOnce, deadlineMs);
        return await (isOnce ? attempt() : retryTransient(deadlineMs, attempt));
      } catch (error) {
        throw explainRead(error, where);
      }
    },
    write,
  };
  return {
    ...engine,
    changeMark: () => undefined,
    insertRows,
    insertStock,
    // The server does the same after a minute, unless that is turned off.
    updateStatistics: async () => void (await withConnection(pool, ({ run }) => run(analyzeFilled)).catch(() => undefined)),
    checkWritable: async () => {
      try {
        await retryTransient(monotonicNow() + checkMs, () => withConnection(pool, (connection) => checkWritable(connection, pool)));
      } catch (error) {
        throw explain(error, where);
      }
    },
    close: () => pool.end(),
  };
}
