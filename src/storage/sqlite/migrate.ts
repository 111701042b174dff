import { applicationId } from './connection.js';
import { StoreError } from '../../domain/errors.js';
import { schemaVersion, pending } from '../migrations/migrations.js';
import { schemaTooNew } from '../errors.js';
import { retryWhileBusy } from './retry.js';
import { explain } from './errors.js';
import type Database from 'better-sqlite3';

/** Reads a numeric pragma. */
export function numberPragma(database: Database.Database, pragma: string): number {
  return Number(database.pragma(pragma, { simple: true }));
}

/** The schema version, 0 for an empty file. Refuses a database of another program with `store_unreadable`, and a newer version with `schema_too_new`. */
export function schemaVersionOf(database: Database.Database, path: string): number {
  // The id first: another process that creates the shop sets both at once.
  const id = numberPragma(database, 'application_id');
  const version = numberPragma(database, 'user_version');
  if (id !== applicationId) {
    if (id === 0 && version === 0 && database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return 0;
    // It may have been created since.
    if (id === 0 && numberPragma(database, 'application_id') === applicationId) return schemaVersionOf(database, path);
    throw new StoreError('store_unreadable', `${path} is a database of another program, not a petstore shop.`);
  }
  if (version < 1)
    throw new StoreError('store_unreadable', `${path} has schema version ${version}, which petstore never writes.`, { advice: 'Restore a backup.' });
  if (version > schemaVersion()) throw schemaTooNew(path, version, schemaVersion());
  return version;
}

/** Migrates the schema and returns the version found inside the transaction, because another process may migrate at the same time. */
export async function migrate(database: Database.Database, path: string, waitSeconds: number): Promise<number> {
  // Checked before writing, because a database of another program must stay unchanged.
  await retryWhileBusy(path, waitSeconds, () => schemaVersionOf(database, path));
  await retryWhileBusy(path, waitSeconds, () => database.pragma('journal_mode = WAL'));
  await retryWhileBusy(path, waitSeconds, () => database.exec('BEGIN IMMEDIATE'));
  try {
    const found = schemaVersionOf(database, path);
    for (const migration of pending(found)) {
      for (const step of migration.sqlite) database.exec(step);
      database.pragma(`user_version = ${migration.version}`);
      database.pragma(`application_id = ${applicationId}`);
    }
    database.exec('COMMIT');
    return found;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw explain(error, path);
  }
}
