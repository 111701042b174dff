import { type RefusalOptions, StoreError } from '../../domain/errors.js';
import { migrations } from '../migrations/migrations.js';
import type { Driver } from './driver.js';
import { numberPragma } from './migrate.js';
import type Database from 'better-sqlite3';

/** A table, index, trigger or view, and the statement that creates it. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly sql: string;
}

/** Whether an object can be dropped, and created again without a loss. */
export function isRepairable({ type }: SchemaObject): boolean {
  return type === 'index' || type === 'trigger' || type === 'view';
}

/** The differences between a schema and the one that the migrations create. */
export interface SchemaDifference {
  readonly missing: readonly SchemaObject[];
  /** With the statements of the migrations, not those of the file. */
  readonly changed: readonly SchemaObject[];
  readonly foreign: readonly SchemaObject[];
}

// Tables that SQLite creates for its own use, such as the statistics of ANALYZE.
const createdBySqlite = /^CREATE TABLE sqlite_(stat[134]|sequence)\([a-z,]+\)$/;

// Text, because SQLite also accepts a schema that another program wrote as blobs.
const allObjects = 'SELECT type, CAST(name AS TEXT) AS name, CAST(sql AS TEXT) AS sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid';

/** All objects of a schema except those of SQLite itself. A row without a statement is an index that SQLite created for a constraint. */
function objectsOf(database: Database.Database): readonly SchemaObject[] {
  const rows = database.prepare<[], SchemaObject>(allObjects).all();
  return rows.filter(({ sql }) => !createdBySqlite.test(sql));
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

/** The schema that the migrations up to the version of a shop create in an empty database. */
function wantedObjects(database: Database.Database, driver: Driver): readonly SchemaObject[] {
  const version = numberPragma(database, 'user_version');
  const fresh = driver.inMemory();
  try {
    for (const migration of migrations.filter((one) => one.version <= version)) for (const step of migration.sqlite) fresh.exec(step);
    return objectsOf(fresh);
  } finally {
    fresh.close();
  }
}

/** Compares the schema of a shop with the one that the migrations up to its version create. */
export function schemaDifference(database: Database.Database, driver: Driver): SchemaDifference {
  const [found, wanted] = [objectsOf(database), wantedObjects(database, driver)];
  const foundByKey = new Map(found.map((object) => [keyOf(object), object]));
  const wantedKeys = new Set(wanted.map(keyOf));
  return {
    missing: wanted.filter((object) => !foundByKey.has(keyOf(object))),
    changed: wanted.filter((object) => (foundByKey.get(keyOf(object)) ?? object).sql !== object.sql),
    foreign: found.filter((object) => !wantedKeys.has(keyOf(object))),
  };
}

const shownObjects = 10;
const shownNameLength = 60;

/** The objects for a message: type and name of the first ten, and the number of the others. */
function namesOf(objects: readonly SchemaObject[]): string {
  const names = objects
    .slice(0, shownObjects)
    .map(({ type, name }) => `${type} ${name.length > shownNameLength ? `${name.slice(0, shownNameLength)}…` : name}`);
  return `${names.join(', ')}${objects.length > shownObjects ? ` and ${objects.length - shownObjects} more` : ''}`;
}

/** The differences as clauses for a message. */
export function problemsIn({ missing, changed, foreign }: SchemaDifference): readonly string[] {
  const parts = [
    [missing, 'missing'],
    [changed, 'changed'],
    [foreign, 'not created by petstore'],
  ] as const;
  return parts.filter(([objects]) => objects.length > 0).map(([objects, problem]) => `${namesOf(objects)} ${problem}`);
}

/** Refuses a file whose schema is not the one that petstore creates for its version, with `store_unreadable`; `next` adds advice or details. */
export function refuseForeignSchema(database: Database.Database, path: string, driver: Driver, next: RefusalOptions): void {
  const problems = problemsIn(schemaDifference(database, driver));
  if (problems.length === 0) return;
  throw new StoreError('store_unreadable', `${path} does not have the schema of a petstore shop: ${problems.join('; ')}.`, next);
}

const migrationStatements: ReadonlySet<string> = new Set(migrations.flatMap(({ sqlite }) => sqlite));
const ownNames = new Set([...migrationStatements].map((text) => /^CREATE (?:TABLE|VIEW) (\w+)/.exec(text)?.[1]));

// Only columns, not a condition and not an expression: also "a || b" and "a LIKE b" can take all memory or never end.
const plainIndex = /^CREATE (?:UNIQUE )?INDEX [^(]+\((?:\s*(?:"\w+"|\w+)(?: COLLATE (?:BINARY|NOCASE|RTRIM))?(?: ASC| DESC)?\s*(?:,|\)$))+$/i;

/** Whether an object that petstore did not create in this form may run an expression. */
export function isUnsafe({ type, name, sql }: SchemaObject): boolean {
  if (ownNames.has(name.toLowerCase())) return true;
  if (type === 'index') return !plainIndex.test(sql);
  // A table that computes a column or checks a value, or a virtual table.
  if (type === 'table') return /\b(AS|CHECK|VIRTUAL)\b/i.test(sql);
  return type !== 'view';
}

/**
 * The objects that petstore did not create and that may run an expression: it may take all memory, and never end. To save
 * time, the whole schema is compared only when a statement is not literally one of the migrations.
 */
export function unsafeObjects(database: Database.Database, driver: Driver): readonly SchemaObject[] {
  const unknown = objectsOf(database).filter((object) => !migrationStatements.has(object.sql) && isUnsafe(object));
  if (unknown.length === 0) return [];
  const wanted = new Set(wantedObjects(database, driver).map(({ sql }) => sql));
  return unknown.filter(({ sql }) => !wanted.has(sql));
}

/** Refuses a file with such an object, with `store_unreadable`, before any row is read. */
export function refuseUnsafeObjects(database: Database.Database, path: string, driver: Driver): void {
  const found = unsafeObjects(database, driver);
  if (found.length === 0) return;
  throw new StoreError('store_unreadable', `${path} has objects that petstore did not create: ${namesOf(found)}; nothing was changed.`, {
    details: { reason: found.every(isRepairable) ? 'foreign_objects' : 'not_repairable' },
  });
}
