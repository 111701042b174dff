import Database from 'better-sqlite3';
import { copyFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ErrorCode } from '../../src/domain/errors.js';
import { migrations, pending, schemaVersion } from '../../src/storage/migrations/migrations.js';
import type { Migration } from '../../src/storage/migrations/migration.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { schemaVersionOf } from '../../src/storage/sqlite/migrate.js';
import { inDirectory } from '../support/stores.js';
import { changeFile, createRawStore, rawRows } from '../support/raw-store.js';
import { secondMigration, withMigration } from '../support/second-migration.js';
import { expectRefusal } from '../support/expect-refusal.js';

const petsInAscii = 0x50455453;

async function makeShop(path: string): Promise<void> {
  const engine = await openSqlite(path, { create: true, waitSeconds: 5 });
  await engine.write((queries) => queries.run(sql`INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs')`));
  await engine.close();
}

function pragma(path: string, name: string): unknown {
  const database = new Database(path, { readonly: true });
  const value = database.pragma(name, { simple: true });
  database.close();
  return value;
}

async function opens(path: string, create: boolean): Promise<void> {
  await (await openSqlite(path, { create, waitSeconds: 1 })).close();
}

/** Expects that a path is refused, for reading and for init, and that its bytes are unchanged. */
async function expectRefusedPath(path: string, code: ErrorCode, ...parts: readonly RegExp[]): Promise<void> {
  const before = await readFile(path);
  for (const create of [false, true]) {
    await expectRefusal(code, opens(path, create), new RegExp(path), ...parts);
    expect(before.equals(await readFile(path))).toBe(true);
  }
}

test('a shop file has the application id and the schema version', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await makeShop(path);
    expect(pragma(path, 'application_id')).toBe(petsInAscii);
    expect(pragma(path, 'user_version')).toBe(schemaVersion());
    expect((await readFile(path)).subarray(68, 72).toString('ascii')).toBe('PETS');
  });
});

test('a shop that another process creates while its version is read is not the database of another program', async () => {
  await inDirectory(async (directory) => {
    const [path, created] = [join(directory, 'shop.db'), join(directory, 'created.db')];
    await makeShop(created);
    const database = new Database(path);
    const read = database.pragma.bind(database);
    let isCreated = false;
    database.pragma = (...args) => {
      const value = read(...args);
      if (args[0] === 'application_id' && !isCreated) {
        isCreated = true;
        copyFileSync(created, path);
      }
      return value;
    };
    expect(schemaVersionOf(database, path)).toBe(schemaVersion());
    database.close();
  });
});

test('migrations are numbered from 1 without a gap, and a shop runs those above its version', () => {
  const versions = migrations.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
  expect(schemaVersion()).toBe(versions.at(-1));
  expect(pending(0)).toEqual(migrations);
  expect(pending(schemaVersion())).toEqual([]);
});

/** Every row of every table of a file. */
function rowsOf(path: string): ReadonlyMap<string, readonly unknown[]> {
  const database = new Database(path, { readonly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as readonly string[];
  const rows = new Map(tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]));
  database.close();
  return rows;
}

for (const create of [false, true]) {
  test(`a shop of the version before keeps its rows when it is opened ${create ? 'by init' : 'to work with'}`, async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'shop.db');
      createRawStore(path, rawRows);
      const before = rowsOf(path);
      await withMigration(async () => {
        const engine = await openSqlite(path, { create, waitSeconds: 1 });
        expect(await engine.read((queries) => queries.all(sql`SELECT name, colour FROM categories`))).toEqual([{ name: 'Dogs', colour: 'grey' }]);
        await engine.close();
        expect(pragma(path, 'user_version')).toBe(secondMigration.version);
        expect([...before.values()].flat().length).toBe(6);
        // A migration adds columns and tables.
        expect(Object.fromEntries(rowsOf(path))).toMatchObject(Object.fromEntries(before));
      });
    });
  });
}

test('a migrated shop has the schema of a new shop', async () => {
  await inDirectory(async (directory) => {
    const schemaOf = (path: string): unknown => {
      const database = new Database(path, { readonly: true });
      const schema = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
      database.close();
      return schema;
    };
    createRawStore(join(directory, 'first.db'));
    await withMigration(async () => {
      await opens(join(directory, 'first.db'), false);
      await opens(join(directory, 'fresh.db'), true);
      expect(schemaOf(join(directory, 'first.db'))).toEqual(schemaOf(join(directory, 'fresh.db')));
    });
  });
});

test('a failed migration leaves the shop as it was', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    createRawStore(path, rawRows);
    const before = rowsOf(path);
    const broken = { ...secondMigration, sqlite: [...secondMigration.sqlite, 'CREATE TABLE nonsense ('] };
    await withMigration(() => expect(opens(path, false)).rejects.toThrow(/incomplete input/), broken);
    expect(pragma(path, 'user_version')).toBe(schemaVersion());
    expect(rowsOf(path)).toEqual(before);
    await opens(path, false);
  });
});

test('refuses a database of another program without changing it', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'other.db');
    changeFile(path, 'CREATE TABLE pets (id INTEGER PRIMARY KEY); INSERT INTO pets VALUES (1)');
    await expectRefusedPath(path, 'store_unreadable', /database of another program/);
    expect(pragma(path, 'journal_mode')).toBe('delete');
    const versioned = join(directory, 'versioned.db');
    changeFile(versioned, 'PRAGMA user_version = 1; VACUUM');
    await expectRefusedPath(versioned, 'store_unreadable', /database of another program/);
    const marked = join(directory, 'marked.db');
    changeFile(marked, 'PRAGMA application_id = 7; VACUUM');
    await expectRefusedPath(marked, 'store_unreadable', /database of another program/);
  });
});

test('refuses a directory', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await mkdir(path);
    for (const create of [false, true]) await expectRefusal('store_unreadable', opens(path, create), new RegExp(`${path} is not a file`));
    expect(await readdir(path)).toEqual([]);
  });
});

test('reports why a folder cannot be created', async () => {
  await inDirectory(async (directory) => {
    await writeFile(join(directory, 'file'), 'x');
    await expectRefusal('store_unreadable', opens(join(directory, 'file', 'shop.db'), true), /cannot be created: .*(ENOTDIR|EEXIST)/);
  });
});

test('a damaged shop is store_unreadable, not a wrong answer', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await makeShop(path);
    const bytes = await readFile(path);
    bytes.fill(0xff, 100, bytes.length);
    await writeFile(path, bytes);
    await expectRefusal('store_unreadable', opens(path, false), /is damaged; nothing was changed/);
    await writeFile(path, bytes.subarray(0, 50));
    await expectRefusedPath(path, 'store_unreadable', /is (damaged|not a petstore shop)/);
  });
});

test('a failed migration leaves an empty file', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    const [first] = migrations;
    const broken = { version: 1, columns: {}, sqlite: [...(first?.sqlite ?? []).slice(0, 3), 'CREATE TABLE nonsense ('], postgres: [] };
    const kept = [...migrations];
    const list = migrations as Migration[];
    list.splice(0, list.length, broken);
    try {
      await expect(opens(path, true)).rejects.toThrow(/incomplete input/);
      expect(pragma(path, 'user_version')).toBe(0);
    } finally {
      list.splice(0, list.length, ...kept);
    }
    const database = new Database(path, { readonly: true });
    expect(database.prepare('SELECT count(*) AS n FROM sqlite_schema').get()).toEqual({ n: 0 });
    database.close();
    await opens(path, true);
    expect(pragma(path, 'user_version')).toBe(schemaVersion());
  });
});
