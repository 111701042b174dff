import type Database from 'better-sqlite3';
import { migrations } from '../migrate.js';
import type { Driver } from './driver.js';

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

function objectsOf(database: Database.Database): ReadonlyMap<string, SchemaObject> {
  const rows = database
    .prepare<[], SchemaObject>("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
    .all();
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row]));
}

/** What the migrations up to a version make of an empty file. */
function madeBy(version: number, driver: Driver): ReadonlyMap<string, SchemaObject> {
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
  const [found, wanted] = [objectsOf(database), madeBy(version, driver)];
  const all = [...wanted];
  return {
    missing: all.filter(([key]) => !found.has(key)).map(([, object]) => object),
    changed: all.filter(([key, { sql }]) => (found.get(key)?.sql ?? sql) !== sql).map(([, object]) => object),
    strange: [...found].filter(([key]) => !wanted.has(key)).map(([, object]) => object),
  };
}
