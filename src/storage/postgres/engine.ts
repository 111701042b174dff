import { openedReadOnly, StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../retry.js';
import type { Engine } from '../engine.js';
import { schemaVersion } from '../migrations/migrations.js';
import { groupedWrites } from '../writes/grouped-writes.js';
import { stockPort } from './bulk.js';
import { bulkPets } from '../bulk/bulk-pets.js';
import { bulkStock } from '../bulk/bulk-stock.js';
import { retryTransient } from './deadlines.js';
import { explain, explainRead } from './errors.js';
import { insertRows } from './insert.js';
import { migrate, schemaVersionOf } from './migrate.js';
import { petPort } from './pet-bulk.js';
import { openPool, withConnection } from './pool.js';
import { checkWritable } from './route.js';
import { snapshot } from './snapshot.js';
import { openStaging } from './staging.js';
import type { WatchdogTimes } from './watchdog.js';
import { writePort } from './write-port.js';

/** How a database is opened. */
export interface PostgresOptions {
  /** The address for display, without the password. */
  readonly where: string;
  /** Creates the schema when it is missing; the database must exist. */
  readonly create?: boolean;
  /** Leaves an older schema as it is, which is refused. */
  readonly readOnly?: boolean;
  /** Called when the schema was created. */
  readonly onCreated?: () => void;
  /** How long to wait for locks, and for a server that cannot be reached. */
  readonly waitSeconds: number;
  /** The maximum number of connections. */
  readonly connections?: number;
  /** For tests: when connections that do not answer are broken. */
  readonly watchdogTimes?: WatchdogTimes;
}

const defaultConnections = 4;
/** How long a check whether the shop can be written to is repeated; probes give up soon. */
const checkMs = 1000;

/**
 * Opens a shop in a PostgreSQL database. Refuses with `store_unreachable`, `store_missing`, `schema_too_new`,
 * `store_read_only` or `store_busy`. Connections are opened on first use.
 */
export async function openPostgres(
  address: string,
  { where, create = false, readOnly = false, onCreated, waitSeconds, connections = defaultConnections, watchdogTimes }: PostgresOptions,
): Promise<Engine> {
  const pool = openPool(address, { connections, waitSeconds, watchdogTimes });
  try {
    const version = await retryTransient(monotonicNow() + waitSeconds * 1000, () => schemaVersionOf(pool, where));
    if (version === undefined && !create) throw new StoreError('store_missing', `There is no shop at ${where}.`);
    if (readOnly && version !== schemaVersion())
      throw openedReadOnly(`${where} has the schema of an older petstore, which a shop that is opened for reading only keeps.`);
    if (version !== schemaVersion()) await migrate(pool, where, waitSeconds);
    if (version === undefined) onCreated?.();
  } catch (error) {
    await pool.end();
    throw explain(error, where);
  }
  const write = groupedWrites(async () => writePort(pool, where, waitSeconds), waitSeconds);
  const engine: Pick<Engine, 'read' | 'write'> = {
    read: async (work, { isRepeatable = false, waitedMs = 0 } = {}) => {
      const deadlineMs = monotonicNow() + waitSeconds * 1000 - waitedMs;
      try {
        const attempt = () => snapshot(pool, work, { isRepeatable, deadlineMs });
        return await (isRepeatable ? retryTransient(deadlineMs, attempt) : attempt());
      } catch (error) {
        throw explainRead(error, where);
      }
    },
    write,
  };
  return {
    ...engine,
    bulkStock: async () => bulkStock(stockPort(engine, await openStaging(pool, { table: 'staged_moves', where, waitSeconds }))),
    bulkPets: async () => bulkPets(petPort(engine, await openStaging(pool, { table: 'staged_pets', where, waitSeconds }))),
    insertRows,
    // The server does the same after a minute, unless that is turned off.
    updateStatistics: async () => void (await withConnection(pool, ({ run }) => run('ANALYZE')).catch(() => undefined)),
    checkWritable: async () => {
      try {
        await retryTransient(monotonicNow() + checkMs, () => withConnection(pool, (connection) => checkWritable(connection, pool.abandon)));
      } catch (error) {
        throw explain(error, where);
      }
    },
    close: () => pool.end(),
  };
}
