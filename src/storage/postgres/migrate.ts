import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../retry.js';
import { schemaTooNew } from '../errors.js';
import { migrations, schemaVersion } from '../migrations/migrations.js';
import { codeOf, explainRead, isForbidden } from './errors.js';
import { lockText } from './commit.js';
import { retryTransient } from './deadlines.js';
import { connectAndRun, endAndRelease, withConnection, type Pool } from './pool.js';

const undefinedTable = '42P01';
/** Codes for an object that another process created at the same time: its row in a catalog (23505), the table (42P07) or its type (42710). */
const createdConcurrently = new Set(['23505', '42P07', '42710']);
const unsupported = '0A000';
const maximumRetries = 100;

/** The schema version; undefined when there is no shop. Refuses a newer version with `schema_too_new`. */
export async function schemaVersionOf(pool: Pool, where: string): Promise<number | undefined> {
  try {
    const { rows } = await withConnection(pool, ({ run }) => run<{ readonly version: number }>('SELECT schema_version AS version FROM shop WHERE id = 1'));
    const version = rows[0]?.version;
    if (version !== undefined && version > schemaVersion()) throw schemaTooNew(where, version, schemaVersion());
    return version === 0 ? undefined : version;
  } catch (error) {
    if (codeOf(error) === undefinedTable) return undefined;
    throw isForbidden(error) ? explainRead(error, where) : error;
  }
}

/** Creates the row that every writer locks first. It has the schema version, and the number of statements of the next version that have been run. */
async function createShopRow(pool: Pool): Promise<void> {
  const texts = [
    `CREATE TABLE IF NOT EXISTS shop (id INTEGER PRIMARY KEY CHECK (id = 1), schema_version INTEGER NOT NULL, steps INTEGER NOT NULL)`,
    'INSERT INTO shop (id, schema_version, steps) VALUES (1, 0, 0) ON CONFLICT (id) DO NOTHING',
  ];
  for (const text of texts) {
    for (let retries = 0; ; retries += 1) {
      try {
        await withConnection(pool, ({ run }) => run(text));
        break;
      } catch (error) {
        if (!createdConcurrently.has(codeOf(error)) || retries > maximumRetries) throw error;
      }
    }
  }
}

/** Runs the next statement of the pending migrations in its own transaction; false when none is pending. */
async function runNextStep(pool: Pool, where: string, deadlineMs: number): Promise<boolean> {
  const { connection, row } = await connectAndRun(pool, () => lockText(deadlineMs - monotonicNow()), deadlineMs);
  try {
    // Read after locking the row, because another process may have run this statement in the meantime.
    const [version, steps] = [Number(row['version']), Number(row['steps'])];
    const next = migrations.find((migration) => migration.version > version);
    if (next === undefined) return false;
    const text = next.postgres[steps];
    if (text !== undefined) await connection.run(text);
    const isLast = steps + 1 >= next.postgres.length;
    await connection.run(`UPDATE shop SET schema_version = ${isLast ? next.version : version}, steps = ${isLast ? 0 : steps + 1} WHERE id = 1`);
    await connection.run('COMMIT');
    return true;
  } catch (error) {
    if (codeOf(error) !== unsupported) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw new StoreError('store_unreadable', `${where} cannot store a shop: it refuses part of the schema (${reason}).`, {
      advice: 'Petstore needs triggers and partial indexes.',
    });
  } finally {
    await endAndRelease(pool, connection, 'ROLLBACK');
  }
}

/** Migrates the schema, one statement per transaction; several processes may do this at the same time. */
export async function migrate(pool: Pool, where: string, waitSeconds: number): Promise<void> {
  // Each statement has its own deadline: all of them together may take longer.
  const attempt = <T>(step: (deadlineMs: number) => Promise<T>): Promise<T> => {
    const deadlineMs = monotonicNow() + waitSeconds * 1000;
    return retryTransient(deadlineMs, () => step(deadlineMs));
  };
  await attempt(() => createShopRow(pool));
  while (await attempt((deadlineMs) => runNextStep(pool, where, deadlineMs)));
}
