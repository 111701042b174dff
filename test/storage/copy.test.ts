import { columnsOf } from '../../src/storage/migrations/migrations.js';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { copied, copyShop, inspectShop, type OpenShop } from '../../src/storage/copy/copy-shop.js';
import type { Engine } from '../../src/storage/engine.js';
import type { Queries } from '../../src/storage/queries.js';
import { localShop } from '../../src/storage/shop.js';
import { sql } from '../../src/storage/sql.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { dump } from '../support/cli.js';
import { runSampleOperations } from '../support/sample-operations.js';
import { inDirectory } from '../support/stores.js';
import { csv } from '../support/files.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';

/** Tables that are not copied: the schema and the write lock, commit records, sessions, and staged rows. */
const notCopied = ['commits', 'sessions', 'shop', 'staged_moves', 'staged_pets'];

let now = Date.parse('2026-11-20T09:00:00Z');
const shopOn = (engine: Engine) => localShop(engine, { actor: 'ana', source: 'cli', clock: () => (now += 1000) }, 'here');

/** The same store, in which another client places an order before every insert; `placed` counts them. */
function withConcurrentOrders({ engine, where }: OpenShop, other: Engine): { readonly home: OpenShop; readonly placed: () => number } {
  let placed = 0;
  const insertRows: Engine['insertRows'] = async (...rows) => {
    await shopOn(other).call(placeOrder, { body: {} });
    placed += 1;
    await engine.insertRows(...rows);
  };
  return { home: { engine: { ...engine, insertRows }, where }, placed: () => placed };
}

async function file(path: string): Promise<OpenShop> {
  return { engine: await openSqlite(path, { create: true, waitSeconds: 5 }), where: path };
}

async function inDatabase<T>(work: (home: OpenShop, another: () => Promise<Engine>) => Promise<T>): Promise<T> {
  const { address, drop } = await freshDatabase();
  const engine = await openShop(address);
  try {
    return await work({ engine, where: 'the database' }, () => openShop(address));
  } finally {
    await engine.close();
    await drop();
  }
}

/** Two SQLite stores in a new folder. */
function inFiles(work: (from: OpenShop, to: OpenShop, directory: string) => Promise<void>): Promise<void> {
  return inDirectory(async (directory) => {
    const stores = [await file(join(directory, 'from.db')), await file(join(directory, 'to.db'))] as const;
    await work(...stores, directory);
    for (const { engine } of stores) await engine.close();
  });
}

/** Changes a file with another connection. */
function change(path: string, text: string): void {
  const database = new Database(path);
  database.exec(text);
  database.close();
}

async function fill({ engine }: OpenShop): Promise<void> {
  const shop = shopOn(engine);
  await runSampleOperations(shop);
  await shop.call(setLowDefault, { body: { lowAt: 2 } });
  await shop.call(placeOrder, { body: { petId: 2, quantity: 1, shipDate: '2026-12-24T09:00:00Z' } }, { note: 'für „Zoë” 🦜' });
  await shop.call(setInventory, { petId: 2, allowShortage: true, body: { quantity: 0 } });
  await shop.call(setInventory, { petId: 4, body: { quantity: 9 } });
  const last = await engine.read((queries) => queries.get<{ readonly id: number }>(sql`SELECT max(id) AS id FROM ledger WHERE kind = 'count'`));
  await shop.call(undoEntry, { entryId: last?.id ?? 0 });
  await shop.call(startCount, { body: { petIds: [1, 2], note: 'shelf' } });
  await shop.call(addCountLines, {
    countId: 1,
    body: {
      lines: [
        { petId: 1, number: 3, key: 'ä' },
        { petId: 2, number: 1, adds: true },
      ],
    },
  });
  await shop.call(closeCount, { countId: 1, body: { mode: 'keep-going' } });
  await shop.call(startCount, { body: { petIds: [1] } });
  await shop.tokens.create({ name: 'web', scopes: ['pets:read'], expiresAt: '2027-01-01T00:00:00Z' });
  await shop.call(createCategory, { body: { name: 'ねこ "quoted" \\ back', description: '{a,NULL}' } });
}

test('the copied tables are those of the schema, column by column', () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await (await file(path)).engine.close();
    const database = new Database(path, { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
    expect(copied.map(({ name }) => name).toSorted()).toEqual(tables.filter((name) => !notCopied.includes(String(name))));
    for (const { name, columns, key, within } of copied) {
      const found = database.pragma(`table_info(${name})`) as readonly { readonly name: string; readonly type: string; readonly pk: number }[];
      expect([name, columns]).toEqual([name, Object.fromEntries(found.map((column) => [column.name, column.type === 'TEXT' ? 'text' : 'number']))]);
      const primary = found.filter(({ pk }) => pk > 0).map((column) => column.name);
      // If the key is not unique, rows are sorted by all columns.
      if (within) expect([primary, [...key, ...within].toSorted()]).toEqual([[], found.map((column) => column.name).toSorted()]);
      else expect([name, key]).toEqual([name, primary]);
      const parents = (database.pragma(`foreign_key_list(${name})`) as readonly { readonly table: string }[]).map(({ table }) => table);
      const before = copied.slice(
        0,
        copied.findIndex((one) => one.name === name),
      );
      expect(before.map((one) => one.name)).toEqual(expect.arrayContaining(parents));
    }
    database.close();
  }));

test('a copy in another file has the same rows', () =>
  inFiles(async (from, to) => {
    await fill(from);
    const tables = await copyShop(from, to);
    expect(dump(to.where)).toEqual(dump(from.where));
    expect(tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(await inspectShop(from)).toEqual(tables);
    expect(await inspectShop(to)).toEqual(tables);
  }));

test('a copy continues the ids and versions of its original', () =>
  inFiles(async (from, to) => {
    await fill(from);
    await copyShop(from, to);
    const again = now;
    const answers: unknown[] = [];
    for (const { engine } of [from, to]) {
      now = again;
      const shop = shopOn(engine);
      answers.push([
        await shop.call(placeOrder, { body: { petId: 1, quantity: 2 } }, { key: 'k', note: 'by phone' }),
        await shop.call(createPet, { body: { name: 'Rex', categoryId: 1 } }),
        await shop.importStock(csv('petId,delta', '1,5', '2,-3', '77,1', '2,-9', '4,2'), { mode: 'keep-going' }),
      ]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(dump(to.where)).toEqual(dump(from.where));
  }));

test('rows with the same key are not split between pages, also in a schema without row positions', () =>
  inFiles(async (from, to) => {
    change(
      from.where,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12) INSERT INTO batches
        SELECT i, 'stock', 'refused', 'k' || i, '', 'ana', 'import', i, 'atomic', NULL, 1, 0, 0, 1, '', 1, '', NULL, NULL FROM n;
       WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) INSERT INTO batch_errors (batch_id, line, value, code, message)
        SELECT b.id, i / 3, nullif(i % 3, 0), 'invalid_quantity', 'no' FROM n, batches b;`,
    );
    const tables = await copyShop(from, to);
    expect(tables.find(({ name }) => name === 'batch_errors')).toMatchObject({ rows: 12_000 });
    expect(await inspectShop(to)).toEqual(tables);
  }));

test('the same key of many senders is copied across page boundaries', () =>
  inFiles(async (from, to) => {
    change(
      from.where,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
        INSERT INTO replays (key, sender, digest, answer, at) SELECT 'k' || (i % 2), 'token ' || i, '', '[]', i FROM n;`,
    );
    expect((await copyShop(from, to)).find(({ name }) => name === 'replays')).toMatchObject({ rows: 700 });
    expect(dump(to.where)['replays']).toEqual(dump(from.where)['replays']);
  }));

test('a copy has no rows written during the copy, and is consistent', () =>
  inFiles(async (from, to) => {
    await fill(from);
    const before = dump(from.where);
    const other = await openSqlite(from.where, { waitSeconds: 5 });
    const { home, placed } = withConcurrentOrders(to, other);
    await copyShop(from, home);
    await other.close();
    expect(placed()).toBe(copied.length);
    expect(dump(to.where)).toEqual(before);
    expect(dump(from.where)['orders']).toHaveLength((before['orders']?.length ?? 0) + placed());
  }));

for (const { name } of copied) {
  test(`a shop with a row only in ${name} is not empty`, () =>
    inFiles(async (from, to) => {
      await fill(from);
      const row = dump(from.where)[name]?.[0] as Record<string, unknown>;
      const columns = Object.keys(row).map((column) => `"${column}"`);
      change(to.where, 'PRAGMA foreign_keys = OFF');
      const database = new Database(to.where);
      database.pragma('foreign_keys = OFF');
      database.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row));
      database.close();
      const filled = dump(to.where);
      const error = await expectRefusal('store_not_empty', copyShop(from, to), new RegExp(`to\\.db is not empty \\(${name} 1\\)`));
      expect([error.status, dump(to.where)]).toEqual([409, filled]);
    }));
}

/** An engine whose reads or writes return other rows for one query. */
function withAlteredRows(engine: Engine, side: 'read' | 'write', table: string, change_: (rows: readonly unknown[][]) => readonly unknown[][]): Engine {
  const wrong = (queries: Queries): Queries => ({
    ...queries,
    rows: async (query) => {
      const rows = await queries.rows(query);
      return (query.text.includes(`FROM ${table} `) ? change_(rows as unknown as readonly unknown[][]) : rows) as never;
    },
  });
  return {
    ...engine,
    read: (work) => engine.read((queries) => work(side === 'read' ? wrong(queries) : queries)),
    write: (work, options) => engine.write((queries) => work(side === 'write' ? wrong(queries) : queries), options),
  };
}

/** Changes as by a failing disk or memory, which only the comparison can detect. */
const failures: readonly (readonly [what: string, side: 'read' | 'write', table: string, (rows: readonly unknown[][]) => readonly unknown[][]])[] = [
  ['a changed letter in a name', 'write', 'pets', (rows) => rows.map((row, index) => (index === 2 ? row.with(1, 'Rax') : row))],
  ['a missing note', 'write', 'ledger', (rows) => rows.map((row) => row.with(14, null))],
  ['a missing row', 'write', 'orders', (rows) => rows.slice(1)],
  ['two swapped rows', 'write', 'categories', ([one, other, ...rest]) => [other ?? [], one ?? [], ...rest]],
  ['a skipped row', 'read', 'orders', (rows) => rows.slice(0, -1)],
];

for (const [what, side, table, change_] of failures) {
  test(`detects ${what} and copies nothing`, () =>
    inFiles(async (from, to) => {
      await fill(from);
      const empty = dump(to.where);
      const wrong = [from, to].map((home, index) =>
        (index === 0) === (side === 'read') ? { ...home, engine: withAlteredRows(home.engine, side, table, change_) } : home,
      );
      const message = new RegExp(`The copy of ${table} at .*to\\.db differs from .*from\\.db; nothing was copied`);
      await expectRefusal('store_unreadable', copyShop(wrong[0] ?? from, wrong[1] ?? to), message);
      expect(dump(to.where)).toEqual(empty);
      await copyShop(from, to);
      expect(dump(to.where)).toEqual(dump(from.where));
    }));
}

const dropTriggers = 'DROP TRIGGER ledger_keeps_values; DROP TRIGGER ledger_keeps_rows';
const inconsistencies: readonly (readonly [text: string, RegExp])[] = [
  ['UPDATE stock SET quantity = quantity + 1 WHERE pet_id = 3', /pet 3: the stock is not the sum of the ledger entries/],
  [`${dropTriggers}; UPDATE ledger SET delta = delta + 1 WHERE id = 4`, /ledger entry 4: the quantity is not the previous one plus the change/],
  [`${dropTriggers}; UPDATE ledger SET quantity_after = 5 WHERE id = 4`, /ledger entry 4: the quantity is not the previous one plus the change/],
  [`${dropTriggers}; UPDATE ledger SET at = at - 100000 WHERE id = 7`, /ledger entry 7: older than the previous entry/],
  [`${dropTriggers}; DELETE FROM ledger WHERE pet_id = 3 AND delta IS NOT NULL`, /pet 3: the stock is not the sum of the ledger entries/],
];

for (const [text, message] of inconsistencies) {
  test(`refuses to copy an inconsistent ledger: ${message.source}, ${text.length}`, () =>
    inFiles(async (from, to) => {
      await fill(from);
      const empty = dump(to.where);
      change(from.where, text);
      await expectRefusal('store_unreadable', copyShop(from, to), message);
      await expectRefusal('store_unreadable', inspectShop(from), message);
      expect(dump(to.where)).toEqual(empty);
    }));
}

test('progress counts the rows twice, to write and to compare', () =>
  inFiles(async (from, to) => {
    await fill(from);
    const seen: (readonly [number, number])[] = [];
    const tables = await copyShop(from, to, (done, total) => void seen.push([done, total]));
    const total = 2 * tables.reduce((sum, { rows }) => sum + rows, 0);
    expect(seen.at(-1)).toEqual([total, total]);
    expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((one, other) => one - other));
  }));

describe.skipIf(addressOf('') === undefined)('PostgreSQL', () => {
  test('the copied tables are those of the PostgreSQL schema', () =>
    inDatabase(async ({ engine }) => {
      interface Found {
        readonly table: string;
        readonly column: string;
        readonly type: string;
      }
      const found = await engine.read((queries) =>
        // Without views and generated columns.
        queries.all<Found>(sql`SELECT c.table_name AS "table", c.column_name AS "column", c.data_type AS type FROM information_schema.columns c
          JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
          WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER' ORDER BY c.table_name, c.column_name`),
      );
      const kept = found.filter(({ table }) => !notCopied.includes(table));
      expect([...new Set(found.map(({ table }) => table))].filter((table) => notCopied.includes(table))).toEqual(notCopied);
      const listed = copied.flatMap(({ name, columns }) => Object.entries(columns).map(([column, kind]) => `${name} ${column} ${kind}`));
      const staged = found.filter(({ table }) => table === 'staged_pets').map(({ column, type }) => [column, type === 'text' ? 'text' : 'number']);
      expect(Object.fromEntries(staged)).toEqual(columnsOf('staged_pets'));
      expect(kept.map(({ table, column, type }) => `${table} ${column} ${type === 'text' ? 'text' : 'number'}`).toSorted()).toEqual(listed.toSorted());
    }));

  test('a shop copied to a database and back has the same rows', () =>
    inFiles((from, to) =>
      inDatabase(async (database, another) => {
        await fill(from);
        const tables = await copyShop(from, database);
        expect(await inspectShop(database)).toEqual(tables);
        expect(await copyShop(database, to)).toEqual(tables);
        expect(dump(to.where)).toEqual(dump(from.where));
        await inDatabase(async (next) => {
          expect(await copyShop({ ...database, engine: await another() }, next)).toEqual(tables);
          expect(await shopOn(next.engine).call(createCategory, { body: { name: 'Next' } })).toMatchObject({ id: 5, name: 'Next' });
        });
      }),
    ));

  test('a NUL in a refused cell is replaced in a database', () =>
    inFiles((from, to) =>
      inDatabase(async (database) => {
        await shopOn(from.engine).importStock(csv('petId,quantity', '1,x'), { mode: 'atomic' });
        change(from.where, String.raw`UPDATE batch_errors SET value = 'a' || char(0) || '\u0000\'`);
        const tables = await copyShop(from, database);
        expect(await copyShop(database, to)).toEqual(tables);
        expect(dump(to.where)['batch_errors']).toMatchObject([{ value: 'a\uFFFD\\u0000\\' }]);
      }),
    ));

  test('a shop can be written while it is copied from a database', () =>
    inFiles((from, to) =>
      inDatabase(async (database, another) => {
        await fill(from);
        await copyShop(from, database);
        const other = await another();
        const { home, placed } = withConcurrentOrders(to, other);
        await copyShop(database, home);
        await other.close();
        expect(placed()).toBe(copied.length);
        expect(dump(to.where)).toEqual(dump(from.where));
      }),
    ));

  test('refuses to copy to a database that is not empty, and leaves it empty when rows differ', () =>
    inFiles((from) =>
      inDatabase(async (database) => {
        await fill(from);
        const broken = withAlteredRows(database.engine, 'write', 'pets', (rows) => rows.map((row) => row.with(1, 'Rax')));
        await expectRefusal('store_unreadable', copyShop(from, { ...database, engine: broken }), /The copy of pets at the database/);
        const tables = await copyShop(from, database);
        await expectRefusal(
          'store_not_empty',
          copyShop(from, database),
          /the database is not empty \(categories \d, pets \d, orders \d, stock \d, settings 1, /,
        );
        expect(await inspectShop(database)).toEqual(tables);
      }),
    ));
});
