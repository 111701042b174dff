import { type RefusalOptions, StoreError } from '../../domain/errors.js';
import { migrations } from '../migrations/migrations.js';
import type { Driver } from './driver.js';
import type Database from 'better-sqlite3';

/** A table, index, trigger or view, and the statement that creates it. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly sql: string;
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

/** All objects of a schema except those of SQLite itself. A row without a statement is an index that SQLite created for a constraint. */
function objectsOf(database: Database.Database): readonly SchemaObject[] {
  const rows = database.prepare<[], SchemaObject>('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all();
  return rows.filter(({ sql }) => !createdBySqlite.test(sql));
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name}`;
}

/** The schema that the migrations up to a version create in an empty database. */
function schemaOfVersion(version: number, driver: Driver): readonly SchemaObject[] {
  const fresh = driver.inMemory();
  try {
    for (const migration of migrations.filter((one) => one.version <= version)) for (const step of migration.sqlite) fresh.exec(step);
    return objectsOf(fresh);
  } finally {
    fresh.close();
  }
}

/** Compares the schema of a shop with the one that the migrations up to its version create. */
export function schemaDifference(database: Database.Database, version: number, driver: Driver): SchemaDifference {
  const [found, wanted] = [objectsOf(database), schemaOfVersion(version, driver)];
  const foundSql = new Map(found.map((object) => [keyOf(object), object.sql]));
  const wantedKeys = new Set(wanted.map(keyOf));
  // A damaged or manipulated schema may contain a name twice.
  const isDuplicate = (object: SchemaObject, index: number): boolean => found.findIndex((other) => keyOf(other) === keyOf(object)) !== index;
  return {
    missing: wanted.filter((object) => !foundSql.has(keyOf(object))),
    changed: wanted.filter((object) => (foundSql.get(keyOf(object)) ?? object.sql) !== object.sql),
    foreign: found.filter((object, index) => !wantedKeys.has(keyOf(object)) || isDuplicate(object, index)),
  };
}

const shownObjects = 10;
const shownNameLength = 60;

/** The objects for a message: type and name of the first ten, and the number of the others. */
export function namesOf(objects: readonly SchemaObject[]): string {
  const names = objects
    .slice(0, shownObjects)
    .map(({ type, name }) => `${type} ${name.length > shownNameLength ? `${name.slice(0, shownNameLength)}…` : name}`);
  return `${names.join(', ')}${objects.length > shownObjects ? ` and ${objects.length - shownObjects} more` : ''}`;
}

/** A file whose schema is compared with that of its version. */
interface SchemaOf {
  readonly path: string;
  readonly version: number;
  readonly driver: Driver;
}

/** Refuses a file whose schema is not the one that petstore creates for its version, with `store_unreadable`; `next` adds advice or details. */
export function refuseForeignSchema(database: Database.Database, { path, version, driver }: SchemaOf, next: RefusalOptions): void {
  const { missing, changed, foreign } = schemaDifference(database, version, driver);
  const parts = [
    [missing, 'missing'],
    [changed, 'changed'],
    [foreign, 'not created by petstore'],
  ] as const;
  const problems = parts.filter(([objects]) => objects.length > 0).map(([objects, problem]) => `${namesOf(objects)} ${problem}`);
  if (problems.length === 0) return;
  throw new StoreError('store_unreadable', `${path} does not have the schema of a petstore shop: ${problems.join('; ')}.`, next);
}

const migrationStatements: ReadonlySet<string> = new Set(migrations.flatMap(({ sqlite }) => sqlite));

/** Statements that create an object without code that runs when rows are written. */
const withoutCode = /^CREATE (TABLE|INDEX|UNIQUE INDEX|VIEW) /;

/**
 * Refuses a file with a trigger that petstore did not create, with `store_unreadable`: it would run at the next write. To
 * save time, the whole schema is compared only when a statement is not literally one of the migrations.
 */
export function refuseForeignTriggers(database: Database.Database, path: string, driver: Driver): void {
  const unknown = objectsOf(database).filter(({ sql }) => !withoutCode.test(sql) && !migrationStatements.has(sql));
  if (unknown.length === 0) return;
  const { changed, foreign } = schemaDifference(database, Number(database.pragma('user_version', { simple: true })), driver);
  const unwanted = new Set([...changed, ...foreign].map(keyOf));
  const found = unknown.filter((object) => unwanted.has(keyOf(object)));
  if (found.length === 0) return;
  throw new StoreError('store_unreadable', `${path} has objects that petstore did not create: ${namesOf(found)}; nothing was changed.`, {
    details: { reason: 'foreign_objects' },
  });
}
