import { StoreError } from '../../domain/errors.js';
import { monotonicNow } from '../monotonic-clock.js';
import { tooNew } from '../errors.js';
import { migrations, schemaVersion } from '../migrations/migrations.js';
import { codeOf } from './errors.js';
import { connectAndRun, endAndRelease, retryTransient, type Pool } from './pool.js';
import { lockText } from './write-port.js';

const undefinedTable = '42P01';
/** Two who make the same table at once: one of them hears this of a table, its type or its index. */
const createdConcurrently = new Set(['23505', '42P07', '42710']);
const unsupported = '0A000';

/** The version of the schema; undefined where there is no shop. */
export async function versionOf(pool: Pool, where: string): Promise<number | undefined> {
  try {
    const { rows } = await pool.query<{ readonly version: number }>('SELECT schema_version AS version FROM shop WHERE id = 1');
    const version = rows[0]?.version;
    if (version !== undefined && version > schemaVersion) throw tooNew(where, version, schemaVersion);
    return version === 0 ? undefined : version;
  } catch (error) {
    if (codeOf(error) === undefinedTable) return undefined;
    throw error;
  }
}

/** Makes the one row that all writers take first. It tells how far the schema has come: its version, and how many statements of the next one were run. */
async function createShopRow(pool: Pool): Promise<void> {
  const texts = [
    `CREATE TABLE IF NOT EXISTS shop (id INTEGER PRIMARY KEY CHECK (id = 1), schema_version INTEGER NOT NULL, steps INTEGER NOT NULL)`,
    'INSERT INTO shop (id, schema_version, steps) VALUES (1, 0, 0) ON CONFLICT (id) DO NOTHING',
  ];
  for (const text of texts) {
    for (let tries = 0; ; tries += 1) {
      try {
        await pool.query(text);
        break;
      } catch (error) {
        if (!createdConcurrently.has(codeOf(error)) || tries > 100) throw error;
      }
    }
  }
}

/** Runs the next statement of the schema in a transaction of its own; answers whether more are left. */
async function step(pool: Pool, where: string, until: number): Promise<boolean> {
  const { client, row } = await connectAndRun(pool, lockText(until - monotonicNow()));
  try {
    // Looked at behind the row: others may have come further meanwhile.
    const [version, steps] = [Number(row['version']), Number(row['steps'])];
    const next = migrations.find((migration) => migration.version > version);
    if (next === undefined) return false;
    const text = next.postgres[steps];
    if (text !== undefined) await client.query(text);
    const isLast = steps + 1 >= next.postgres.length;
    await client.query(`UPDATE shop SET schema_version = ${isLast ? next.version : version}, steps = ${isLast ? 0 : steps + 1} WHERE id = 1`);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    if (codeOf(error) !== unsupported) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw new StoreError('store_unreadable', `${where} cannot store a shop: it refuses part of the schema (${reason}).`, {
      advice: 'Petstore needs triggers and partial indexes.',
    });
  } finally {
    await endAndRelease(client, 'ROLLBACK');
  }
}

/** Brings the schema up to date, one statement after the other; several programs may do so at once. */
export async function migrate(pool: Pool, where: string, waitSeconds: number): Promise<void> {
  const until = monotonicNow() + waitSeconds * 1000;
  await retryTransient(until, () => createShopRow(pool));
  while (await retryTransient(until, () => step(pool, where, until)));
}
