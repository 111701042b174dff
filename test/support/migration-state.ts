import Database from 'better-sqlite3';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { storeProblems } from './inspect-store.js';
import { addMigration, secondMigration, withMigration } from './second-migration.js';

/** Opens one shop after the other with one more migration, which migrates it, and prints the name of each. */
export async function migrateAll(paths: readonly string[]): Promise<void> {
  addMigration();
  for (const path of paths) {
    await (await openSqlite(path, { waitSeconds: 5 })).close();
    writeSync(1, `${basename(path, '.db')}\n`);
  }
}

function schemaOf(database: Database.Database): { readonly version: number; readonly names: string } {
  const names = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').raw().all();
  return { version: Number(database.pragma('user_version', { simple: true })), names: JSON.stringify(names) };
}

const schemas = new Map<number, string>();

/**
 * Inspects a copy of a shop that may have been migrated; `said` is whether the migration was
 * reported. Every shop of a version must have the same schema and be migrated when it is opened next.
 */
export async function migrationState(path: string, said: boolean): Promise<{ readonly version: number; readonly wrong: string | undefined }> {
  const place = mkdtempSync(join(tmpdir(), 'petstore-migrated-'));
  const copy = join(place, 'shop.db');
  try {
    for (const ending of ['', '-wal']) if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending);
    const database = new Database(copy);
    const { version, names } = schemaOf(database);
    database.close();
    const known = schemas.get(version) ?? names;
    schemas.set(version, known);
    if (known !== names) return { version, wrong: `is half migrated to ${version}` };
    if (version !== 1 && version !== secondMigration.version) return { version, wrong: `stands at ${version}` };
    if (said && version === 1) return { version, wrong: 'was said to be migrated, and is not' };
    const wrong = await withMigration(() => storeProblems(copy));
    return { version, wrong: wrong.length > 0 ? wrong.join(', ') : undefined };
  } finally {
    rmSync(place, { recursive: true });
  }
}
