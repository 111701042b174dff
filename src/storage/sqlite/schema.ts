import { type RefusalOptions, StoreError } from '../../domain/errors.js';
import { migrations } from '../migrations/migrations.js';
import type { Driver } from './driver.js';
import type Database from 'better-sqlite3';

/** A table, index, trigger or view, and the statement that creates it. */
export interface SchemaObject {
  readonly type: 'table' | 'index' | 'trigger' | 'view';
  readonly name: string;
  readonly sql: string;
  /** 1 for what a statement can drop: not a table, and not what is written as only a manipulated schema has it. */
  readonly repairable: number;
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

// Longer than any statement of petstore.
const longestStatement = 20_000;

// SQLite also accepts a manipulated schema with types in capital letters, with blobs in place of texts, and with huge texts.
const textOf = (column: string): string => `CAST(substr(${column}, 1, ${longestStatement}) AS TEXT)`;
const allObjects = `SELECT lower(${textOf('type')}) AS type, ${textOf('name')} AS name, ${textOf('sql')} AS sql,
  type IN ('index', 'trigger', 'view') AND typeof(name) = 'text' AS repairable FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid`;

/** All objects of a schema except those of SQLite itself. A row without a statement is an index that SQLite created for a constraint. */
function objectsOf(database: Database.Database): readonly SchemaObject[] {
  const rows = database.prepare<[], SchemaObject>(allObjects).all();
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
  const foundByKey = new Map(found.map((object) => [keyOf(object), object]));
  const wantedKeys = new Set(wanted.map(keyOf));
  // A damaged or manipulated schema may contain a name twice.
  const isDuplicate = (object: SchemaObject, index: number): boolean => found.findIndex((other) => keyOf(other) === keyOf(object)) !== index;
  return {
    missing: wanted.filter((object) => !foundByKey.has(keyOf(object))),
    changed: wanted.flatMap((object) => {
      const { sql, repairable } = foundByKey.get(keyOf(object)) ?? object;
      return sql === object.sql ? [] : [{ ...object, repairable }];
    }),
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
const ownNames = new Set([...migrationStatements].map((text) => /^CREATE (?:TABLE|VIEW) (\w+)/.exec(text)?.[1]));

/** What runs the expressions of objects. */
export type Access = 'reading' | 'writing';

// Only columns, not a condition and not an expression: also "a || b" and "a LIKE b" can take all memory or never end.
const plainIndex = /^CREATE (?:UNIQUE )?INDEX [^(]+\((?:\s*(?:"\w+"|\w+)(?: COLLATE (?:BINARY|NOCASE|RTRIM))?(?: ASC| DESC)?\s*(?:,|\)$))+$/i;

/** Whether an object that petstore did not create in this form may run an expression. */
function mayRun({ type, name, sql }: SchemaObject, access: Access): boolean {
  if (type === 'trigger') return access === 'writing';
  if (ownNames.has(name.toLowerCase()) || sql.length === longestStatement) return true;
  if (type === 'view') return false;
  // An index of an expression, a table that computes a column or checks a value, or a virtual table.
  return type === 'index' ? !plainIndex.test(sql) : /\b(AS|CHECK|VIRTUAL)\b/i.test(sql);
}

/**
 * The objects that petstore did not create and that may run an expression: it may take all memory, and never end. To save
 * time, the whole schema is compared only when a statement is not literally one of the migrations.
 */
export function unsafeObjects(database: Database.Database, driver: Driver, access: Access): readonly SchemaObject[] {
  const unknown = objectsOf(database).filter((object) => !migrationStatements.has(object.sql) && mayRun(object, access));
  if (unknown.length === 0) return [];
  const wanted = new Set(schemaOfVersion(Number(database.pragma('user_version', { simple: true })), driver).map(({ sql }) => sql));
  return unknown.filter(({ sql }) => !wanted.has(sql));
}

/** Refuses a file with such an object, with `store_unreadable`, before any row is read. */
export function refuseUnsafeObjects(database: Database.Database, path: string, driver: Driver, access: Access): void {
  const found = unsafeObjects(database, driver, access);
  if (found.length === 0) return;
  throw new StoreError('store_unreadable', `${path} has objects that petstore did not create: ${namesOf(found)}; nothing was changed.`, {
    details: { reason: found.every(({ repairable }) => repairable) ? 'foreign_objects' : 'not_repairable' },
  });
}
