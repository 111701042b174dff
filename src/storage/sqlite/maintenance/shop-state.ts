import { entryTime, ledgerWithBatches } from '../../tables/fragments.js';
import { numberPragma, schemaVersionOf } from '../migrate.js';
import { StoreError, type RefusalOptions } from '../../../domain/errors.js';
import type { MaintenanceContext } from '../../engine-definition.js';
import type { ShopState } from '../../../domain/maintenance/maintenance.js';
import { formatDateTime } from '../../../domain/values/time.js';
import { connect } from '../connection.js';
import type { Driver } from '../driver.js';
import { retryWhileBusy } from '../retry.js';
import { explain, isBusy, isDamaged } from '../errors.js';
import { statIfExists } from '../shop-file.js';
import { refuseForeignSchema, refuseUnsafeObjects } from '../schema.js';
import type Database from 'better-sqlite3';
import { existsSync } from 'node:fs';

/** How a file is opened for maintenance. */
export interface FileAccess extends Pick<MaintenanceContext, 'waitSeconds' | 'nativeBinding'> {
  readonly driver: Driver;
}

/** Runs work on a read-only connection without migrating; errors name `shownPath`, the path that the user gave. */
export async function withFile<T>(
  path: string,
  { waitSeconds, driver }: FileAccess,
  work: (database: Database.Database) => T | Promise<T>,
  shownPath = path,
): Promise<T> {
  const database = await retryWhileBusy(shownPath, waitSeconds, () => connect(driver, path, true));
  try {
    return await retryWhileBusy(shownPath, waitSeconds, () => work(database));
  } finally {
    database.close();
  }
}

/** Runs work that reads one file and writes `path`. Errors name `path`, except when the source is locked or damaged. */
export async function writingTo(path: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw isBusy(error) || isDamaged(error) ? error : explain(error, path);
  }
}

/** The state of a shop; undefined when none was created in the file. Refuses foreign and newer files. */
export function stateOf(database: Database.Database, path: string): ShopState | undefined {
  const schemaVersion = schemaVersionOf(database, path);
  if (schemaVersion === 0) return undefined;
  const one = (text: string): number | null => database.prepare<[], number | null>(text).pluck().get() ?? null;
  const at = one(`SELECT ${entryTime.text} FROM ${ledgerWithBatches.text} ORDER BY l.id DESC LIMIT 1`);
  return {
    pets: one('SELECT count(*) FROM pets WHERE archived = 0') ?? 0,
    newestEntry: one('SELECT max(id) FROM ledger') ?? 0,
    newestAt: at === null ? undefined : formatDateTime(at),
    schemaVersion,
  };
}

/** The state of a shop whose file may be missing; with `strict` refuses a foreign schema. */
export async function stateOfFile(path: string, { strict, ...access }: FileAccess & { readonly strict: boolean }): Promise<ShopState | undefined> {
  // A journal of a killed process; only a writable connection can roll it back.
  if (statIfExists(path)?.isFile() !== true || existsSync(`${path}-journal`)) return undefined;
  return withFile(path, access, (database) => {
    const isEmpty = schemaVersionOf(database, path) === 0;
    if (!isEmpty && strict) refuseForeignSchema(database, path, access.driver, { details: { reason: 'inconsistent' } });
    if (!isEmpty && !strict) refuseUnsafeObjects(database, path, access.driver);
    return stateOf(database, path);
  });
}

/** The damage that SQLite's integrity check finds, at most `maximumLines` lines. */
export function damageIn(database: Database.Database, maximumLines = 1): readonly string[] {
  const lines = database.prepare<[], string>(`PRAGMA integrity_check(${maximumLines})`).pluck().all();
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines.map((line) => line.replaceAll(/\s*\n\s*/g, ' '));
}

/** The conditions of the CHECKs in a statement that creates a table. */
function checksIn(statement: string): readonly string[] {
  return [...statement.matchAll(/\bCHECK \(/g)].map(({ index }) => {
    const start = statement.indexOf('(', index);
    let [end, depth] = [start, 0];
    do {
      depth += { '(': 1, ')': -1 }[statement[end] ?? ')'] ?? 0;
      end += 1;
    } while (depth > 0);
    return statement.slice(start, end);
  });
}

/**
 * The tables with rows that break a CHECK, one clause each for a message: SQLite's integrity check leaves CHECKs out on a
 * connection that only reads. The schema must be that of petstore.
 */
export function brokenChecksIn(database: Database.Database): readonly string[] {
  const tables = database.prepare<[], Readonly<{ name: string; sql: string }>>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`).all();
  return tables.flatMap(({ name, sql }) => {
    const broken = checksIn(sql).map((check) => `NOT ${check}`);
    const isBroken = broken.length > 0 && database.prepare(`SELECT 1 FROM ${name} WHERE ${broken.join(' OR ')}`).get() !== undefined;
    return isBroken ? [`a row of ${name} has a value that this table does not allow`] : [];
  });
}

/** The rows whose foreign key refers to a row that does not exist, at most `most`, one clause each for a message. */
export function danglingReferencesIn(database: Database.Database, most = 1): readonly string[] {
  const found = database.prepare<[number], Readonly<{ table: string; rowid: number | null; parent: string }>>(
    'SELECT "table", "rowid", parent FROM pragma_foreign_key_check LIMIT ?',
  );
  return found.all(most).map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to a row of ${parent} that does not exist`);
}

/**
 * Refuses what neither a backup may contain nor a restore accepts, with `store_unreadable`: a schema that is not the one of petstore, damage,
 * rows that their tables do not allow, and references to missing rows. `next` adds advice or details.
 */
export function refuseUnrestorable(database: Database.Database, path: string, { driver }: FileAccess, next: RefusalOptions): void {
  // First, because the checks of SQLite run the expressions of indexes, columns and views.
  if (schemaVersionOf(database, path) > 0) refuseForeignSchema(database, path, driver, next);
  const [first] = [...damageIn(database), ...brokenChecksIn(database), ...danglingReferencesIn(database)];
  if (first !== undefined) throw new StoreError('store_unreadable', `${path} is damaged: ${first}.`, next);
}

/** Gives a file the page size of another, without which SQLite cannot write its pages into that. */
export function matchPageSize(restored: Database.Database, live: Database.Database): void {
  const wanted = numberPragma(live, 'page_size');
  if (numberPragma(restored, 'page_size') === wanted) return;
  restored.exec(`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${wanted}; VACUUM; PRAGMA journal_mode = WAL`);
}
