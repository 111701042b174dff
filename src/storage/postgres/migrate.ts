import { monotonicNow } from '../retry.js';
import { codeOf, schemaTooNew } from '../errors.js';
import { pending, schemaVersion } from '../migrations/migrations.js';
import { explainRead, isForbidden } from './errors.js';
import { lockTimeout, retryTransient } from './deadlines.js';
import { connectAndRun, endAndRelease, withConnection, type Pool } from './pool.js';

const undefinedTable = '42P01';
/** Held by the process that migrates a database, which may have no shop yet. */
const advisoryLock = 7_387_386;

/** The schema version; undefined when there is no shop. Refuses a newer version with `schema_too_new`. */
export async function schemaVersionOf(pool: Pool, where: string): Promise<number | undefined> {
  try {
    const { rows } = await withConnection(pool, ({ run }) => run<{ readonly version: number }>('SELECT schema_version AS version FROM shop WHERE id = 1'));
    const version = rows[0]?.version;
    if (version !== undefined && version > schemaVersion()) throw schemaTooNew(where, version, schemaVersion());
    return version;
  } catch (error) {
    if (codeOf(error) === undefinedTable) return undefined;
    throw isForbidden(error) ? explainRead(error, where) : error;
  }
}

/** Migrates the schema in one transaction; several processes may do this at the same time. */
export async function migrate(pool: Pool, waitSeconds: number): Promise<void> {
  const deadlineMs = monotonicNow() + waitSeconds * 1000;
  await retryTransient(deadlineMs, async () => {
    const begin = (): string => `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '${lockTimeout(deadlineMs)}';
      SET LOCAL idle_in_transaction_session_timeout = '5s'; SELECT pg_advisory_xact_lock(${advisoryLock})`;
    const { connection } = await connectAndRun(pool, ({ run }) => run(begin()), deadlineMs);
    try {
      // The row that every writer locks first. Those of the former version end before it changes, and others see that it has.
      await connection.run('CREATE TABLE IF NOT EXISTS shop (id INTEGER PRIMARY KEY CHECK (id = 1), schema_version INTEGER NOT NULL)');
      await connection.run('INSERT INTO shop (id, schema_version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING');
      const { rows } = await connection.run<{ readonly version: number }>('SELECT schema_version AS version FROM shop WHERE id = 1 FOR UPDATE');
      for (const { version, postgres } of pending(rows[0]?.version ?? 0)) {
        for (const statement of postgres) await connection.run(statement);
        await connection.run(`UPDATE shop SET schema_version = ${version} WHERE id = 1`);
      }
      await connection.run('COMMIT');
    } finally {
      await endAndRelease(pool, connection, 'ROLLBACK');
    }
  });
}
