import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { copied, copyShop, inspectShop } from '../../src/storage/copy/copy-shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { dump } from '../support/cli.js';
import { inDirectory } from '../support/stores.js';
import { csv } from '../support/files.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { notCopied, shopTime, shopOn, withConcurrentOrders, openFileShop, inFiles, fillShop, withAlteredRows } from '../support/copied-shop.js';
import { changeFile } from '../support/raw-store.js';

test('the copied tables are those of the schema, column by column', () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await (await openFileShop(path)).engine.close();
    const database = new Database(path, { readonly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
    expect(copied.map(({ name }) => name).toSorted()).toEqual(tables.filter((name) => !notCopied.includes(String(name))));
    for (const { name, columns, key } of copied) {
      const found = database.pragma(`table_info(${name})`) as readonly { readonly name: string; readonly type: string; readonly pk: number }[];
      expect([name, columns]).toEqual([name, Object.fromEntries(found.map((column) => [column.name, column.type === 'TEXT' ? 'text' : 'number']))]);
      const primary = found.filter(({ pk }) => pk > 0).map((column) => column.name);
      expect([name, key]).toEqual([name, primary]);
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
    await fillShop(from);
    const tables = await copyShop(from, to);
    expect(dump(to.where)).toEqual(dump(from.where));
    expect(tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(await inspectShop(from)).toEqual(tables);
    expect(await inspectShop(to)).toEqual(tables);
  }));

test('the rows of the source are counted before the transaction of the target, which may not wait', () =>
  inFiles(async (from, to) => {
    await fillShop(from);
    const asked: string[] = [];
    const engine: Engine = {
      ...from.engine,
      read: (work) => from.engine.read((queries) => work({ ...queries, get: (query) => (asked.push(query.text), queries.get(query)) })),
    };
    const write: Engine['write'] = (work, options) => to.engine.write((queries) => (asked.splice(0), work(queries)), options);
    await copyShop({ ...from, engine }, { ...to, engine: { ...to.engine, write } });
    expect(asked).toEqual([]);
  }));

test('a copy continues the ids and versions of its original', () =>
  inFiles(async (from, to) => {
    await fillShop(from);
    await copyShop(from, to);
    const again = shopTime.now;
    const answers: unknown[] = [];
    for (const { engine } of [from, to]) {
      shopTime.now = again;
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

test('the same key of many senders is copied across page boundaries', () =>
  inFiles(async (from, to) => {
    changeFile(
      from.where,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)
        INSERT INTO replays (key, sender, digest, answer, at) SELECT 'k' || (i % 2), 'token ' || i, '', '[]', i FROM n;`,
    );
    expect((await copyShop(from, to)).find(({ name }) => name === 'replays')).toMatchObject({ rows: 700 });
    expect(dump(to.where)['replays']).toEqual(dump(from.where)['replays']);
  }));

test('a copy has no rows written during the copy, and is consistent', () =>
  inFiles(async (from, to) => {
    await fillShop(from);
    const before = dump(from.where);
    const other = await openSqlite(from.where, { waitSeconds: 5 });
    const { home, placed } = withConcurrentOrders(to, other);
    await copyShop(from, home);
    await other.close();
    expect(placed()).toBe(copied.length);
    expect(dump(to.where)).toEqual(before);
    expect(dump(from.where)['orders']).toHaveLength((before['orders']?.length ?? 0) + placed());
  }));

test('a shop with a row only in one table is not empty, whichever it is', () =>
  inFiles(async (from, _, directory) => {
    await fillShop(from);
    const rows = dump(from.where);
    for (const { name } of copied) {
      const to = await openFileShop(join(directory, `${name}.db`));
      const row = rows[name]?.[0] as Record<string, unknown>;
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const database = new Database(to.where);
      database.pragma('foreign_keys = OFF');
      database.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row));
      database.close();
      const filled = dump(to.where);
      const error = await expectRefusal(
        'store_not_empty',
        copyShop(from, to),
        new RegExp(`${name}\\.db has a shop already, with ${name === 'pets' ? '1 pet' : '0 pets'};`),
      );
      expect([error.status, dump(to.where)]).toEqual([409, filled]);
      await to.engine.close();
    }
  }));

/** Changes as by a failing disk or memory, which only the comparison can detect. */
const failures: readonly (readonly [what: string, side: 'read' | 'write', table: string, (rows: readonly unknown[][]) => readonly unknown[][]])[] = [
  ['a changed letter in a name', 'write', 'pets', (rows) => rows.map((row, index) => (index === 2 ? row.with(1, 'Rax') : row))],
  ['a missing note', 'write', 'ledger', (rows) => rows.map((row) => row.with(14, null))],
  ['a missing row', 'write', 'orders', (rows) => rows.slice(1)],
  ['two swapped rows', 'write', 'categories', ([one, other, ...rest]) => [other ?? [], one ?? [], ...rest]],
  ['a skipped row', 'read', 'orders', (rows) => rows.slice(0, -1)],
];

test('detects every difference between the copy and its original, and copies nothing', () =>
  inFiles(async (from, to) => {
    await fillShop(from);
    const empty = dump(to.where);
    for (const [what, side, table, change_] of failures) {
      const wrong = [from, to].map((home, index) =>
        (index === 0) === (side === 'read') ? { ...home, engine: withAlteredRows(home.engine, side, table, change_) } : home,
      );
      const message = new RegExp(`The copy of ${table} at .*to\\.db differs from .*from\\.db; nothing was copied`);
      await expectRefusal('store_unreadable', copyShop(wrong[0] ?? from, wrong[1] ?? to), message);
      expect([what, dump(to.where)]).toEqual([what, empty]);
    }
    await copyShop(from, to);
    expect(dump(to.where)).toEqual(dump(from.where));
  }));

const dropTriggers = 'DROP TRIGGER ledger_keeps_values; DROP TRIGGER ledger_keeps_rows';
const inconsistencies: readonly (readonly [text: string, RegExp])[] = [
  ['UPDATE stock SET quantity = quantity + 1 WHERE pet_id = 3', /Pet 3: the stock is not the sum of the ledger entries\. Nothing was copied\.$/],
  [`${dropTriggers}; UPDATE ledger SET delta = delta + 1 WHERE id = 4`, /Ledger entry 4: the quantity is not the previous one plus the change/],
  [`${dropTriggers}; UPDATE ledger SET quantity_after = 5 WHERE id = 4`, /Ledger entries 4, 18: the quantity is not the previous one plus the change/],
  [`${dropTriggers}; UPDATE ledger SET at = at - 100000 WHERE id = 7`, /Ledger entry 7: older than the previous entry/],
  [`${dropTriggers}; DELETE FROM ledger WHERE pet_id = 3 AND delta IS NOT NULL`, /Pet 3: the stock is not the sum of the ledger entries/],
];

for (const [text, message] of inconsistencies) {
  test(`refuses to copy an inconsistent ledger: ${message.source}, ${text.length}`, () =>
    inFiles(async (from, to) => {
      await fillShop(from);
      const empty = dump(to.where);
      changeFile(from.where, text);
      await expectRefusal('store_unreadable', copyShop(from, to), message);
      await expectRefusal('store_unreadable', inspectShop(from), message);
      expect(dump(to.where)).toEqual(empty);
    }));
}

test('progress counts the rows twice, to write and to compare', () =>
  inFiles(async (from, to) => {
    await fillShop(from);
    const seen: (readonly [number, number])[] = [];
    const tables = await copyShop(from, to, (done, total) => void seen.push([done, total]));
    const total = 2 * tables.reduce((sum, { rows }) => sum + rows, 0);
    expect(seen.at(-1)).toEqual([total, total]);
    expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((one, other) => one - other));
  }));
