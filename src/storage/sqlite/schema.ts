import { type RefusalOptions, StoreError } from '../../domain/errors.js';
import { migrations } from '../migrations/migrations.js';
import type { Driver } from './driver.js';
import type Database from 'better-sqlite3';

/** A table, index, trigger or view, with the statement that makes it. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly sql: string;
}

/** What differs from the schema that the migrations make. */
export interface SchemaDifference {
  readonly missing: readonly SchemaObject[];
  /** As they ought to be. */
  readonly changed: readonly SchemaObject[];
  readonly strange: readonly SchemaObject[];
}

// Tables that SQLite makes for itself, such as the statistics of ANALYZE.
const ownToSqlite = /^CREATE TABLE sqlite_(stat[134]|sequence)\([a-z,]+\)$/;

/** Every object of a schema, whatever its name; a row without a statement is an index that belongs to a table. */
function objectsOf(database: Database.Database): readonly SchemaObject[] {
  const rows = database.prepare<[], SchemaObject>('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
  return rows.filter(({ sql }) => !ownToSqlite.test(sql));
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

/** What the migrations up to a version make of an empty file. */
function schemaOfVersion(version: number, driver: Driver): readonly SchemaObject[] {
  const fresh = driver.inMemory();
  try {
    for (const migration of migrations.filter((one) => one.version <= version)) for (const step of migration.sqlite) fresh.exec(step);
    return objectsOf(fresh);
  } finally {
    fresh.close();
  }
}

/** Compares the schema of a shop with the one that the migrations up to its version make. */
export function schemaDifference(database: Database.Database, version: number, driver: Driver): SchemaDifference {
  const [found, wanted] = [objectsOf(database), schemaOfVersion(version, driver)];
  const foundSql = new Map(found.map((object) => [keyOf(object), object.sql]));
  const wantedKeys = new Set(wanted.map(keyOf));
  // A damaged or forged schema may hold a name twice.
  const isDouble = (object: SchemaObject, index: number): boolean => found.findIndex((other) => keyOf(other) === keyOf(object)) !== index;
  return {
    missing: wanted.filter((object) => !foundSql.has(keyOf(object))),
    changed: wanted.filter((object) => (foundSql.get(keyOf(object)) ?? object.sql) !== object.sql),
    strange: found.filter((object, index) => !wantedKeys.has(keyOf(object)) || isDouble(object, index)),
  };
}

const shownObjects = 10;
const shownName = 60;

/** Objects as a message names them. */
export function namesOf(objects: readonly SchemaObject[]): string {
  const names = objects.slice(0, shownObjects).map(({ type, name }) => `${type} ${name.length > shownName ? `${name.slice(0, shownName)}…` : name}`);
  return `${names.join(', ')}${objects.length > shownObjects ? ` and ${objects.length - shownObjects} more` : ''}`;
}

/** Refuses a file whose schema is not the one that petstore makes for its version, with `store_unreadable`. */
export function refuseForeignSchema(database: Database.Database, path: string, version: number, driver: Driver, next: RefusalOptions): void {
  const { missing, changed, strange } = schemaDifference(database, version, driver);
  const parts = [
    [missing, 'missing'],
    [changed, 'changed'],
    [strange, 'not of petstore'],
  ] as const;
  const problems = parts.filter(([objects]) => objects.length > 0).map(([objects, problem]) => `${namesOf(objects)} ${problem}`);
  if (problems.length === 0) return;
  throw new StoreError('store_unreadable', `${path} does not have the schema of a petstore shop: ${problems.join('; ')}.`, next);
}

const ownStatements: ReadonlySet<string> = new Set(migrations.flatMap(({ sqlite }) => sqlite));

/** Statements that run nothing when rows are written. */
const passive = /^CREATE (TABLE|INDEX|UNIQUE INDEX|VIEW) /;

/**
 * Refuses a file with a trigger that petstore did not make, with `store_unreadable`: it would run at the next write. The
 * whole schema is compared only where a statement is not one of the migrations word for word.
 */
export function refuseForeignTriggers(database: Database.Database, path: string, driver: Driver): void {
  const unknown = objectsOf(database).filter(({ sql }) => !passive.test(sql) && !ownStatements.has(sql));
  if (unknown.length === 0) return;
  const { changed, strange } = schemaDifference(database, Number(database.pragma('user_version', { simple: true })), driver);
  const foreign = new Set([...changed, ...strange].map(keyOf));
  const found = unknown.filter((object) => foreign.has(keyOf(object)));
  if (found.length === 0) return;
  throw new StoreError('store_unreadable', `${path} has objects that petstore did not create: ${namesOf(found)}; nothing was changed.`, {
    details: { reason: 'foreign_objects' },
  });
}
