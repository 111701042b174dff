import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { Engine } from '../../src/storage/engine.js';
import { sql, type Sql, type Value } from '../../src/storage/sql.js';
import { testOnSqlite } from '../support/stores.js';
import { csv } from '../support/files.js';
import { refusedRows } from '../../src/storage/bulk/refused-rows.js';
import { bulkStock } from '../../src/storage/bulk/bulk-stock.js';
import { sortedStockRows } from '../../src/storage/bulk/sorted-stock-rows.js';

/** A statement as text, because tables and columns cannot be bound values. */
function statement(text: string, ...values: readonly Value[]): Sql {
  return { text, values };
}

async function tries(engine: Engine, query: Sql): Promise<string> {
  return engine
    .write((queries) => queries.runAndCount(query))
    .then(
      (changed) => `${changed} changed`,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
}

testOnSqlite('the ledger refuses every update and delete', async ({ engine, pet, expectUnchanged }) => {
  await pet({ quantity: 5, reserved: 1 });
  const attempts = ['UPDATE ledger SET note = NULL', 'UPDATE ledger SET delta = 0 WHERE id = 2', 'DELETE FROM ledger', 'DELETE FROM ledger WHERE id = 1'];
  for (const text of attempts) {
    expect(await expectUnchanged(() => tries(engine, statement(text)))).toBe('the ledger is append-only');
  }
  const replace = sql`INSERT OR REPLACE INTO ledger (id, kind, at, actor, source) VALUES (1, 'sale', 0, 'x', 'cli')`;
  expect(await expectUnchanged(() => tries(engine, replace))).toBe('the ledger is append-only');
});

testOnSqlite('the schema refuses a ledger entry or batch whose id is not above all others', async ({ engine, shop, pet, rows, expectUnchanged }) => {
  await pet({ quantity: 5 });
  await shop.importStock(csv('petId,delta', '1,2'), { mode: 'atomic' });
  await tries(engine, statement("INSERT INTO ledger (id, kind, at, actor, source, reverses) VALUES (9, 'undo', 9e12, 'x', 'cli', 1)"));
  const [file] = await rows<{ readonly file: string }>(sql`PRAGMA database_list`);
  const client = new Database(file?.file ?? '');
  expect(client.pragma('recursive_triggers', { simple: true })).toBe(0);
  const entry = (id: string, reverses = 'NULL') => `INTO ledger (id, kind, at, actor, source, reverses) VALUES (${id}, 'undo', 9e12, 'x', 'cli', ${reverses})`;
  const batch = (id: string) =>
    `INTO batches (id, kind, state, key, sha256, actor, source, at, mode, note, total, applied, unchanged, rejected, first_entry, last_entry)
      SELECT ${id}, kind, state, key, sha256, 'x', source, at, mode, note, total, applied, unchanged, rejected, 1, 1 FROM batches`;
  await expectUnchanged(async () => {
    for (const id of ['1', '4', '5', '9', '0', '-7', '(SELECT max(id) FROM ledger)']) {
      for (const verb of ['INSERT', 'REPLACE', 'INSERT OR REPLACE', 'INSERT OR IGNORE']) {
        expect(() => client.exec(`${verb} ${entry(id)}`)).toThrow('the ledger is append-only');
      }
    }
    // Another entry cannot replace the one that reverses the first.
    expect(() => client.exec(`REPLACE ${entry('10', '1')}`)).toThrow('the ledger is append-only');
    expect(() => client.exec(`REPLACE ${entry('NULL', '1')}`)).toThrow('the ledger is append-only');
    for (const text of [`REPLACE ${batch('1')}`, "UPDATE batches SET actor = 'x'", "UPDATE batches SET at = 1, state = 'undone'", 'DELETE FROM batches']) {
      expect(() => client.exec(text)).toThrow('an import is kept as it was recorded');
    }
  });
  client.exec(`REPLACE ${entry('NULL')}; INSERT ${entry('20')}`);
  expect(client.prepare('SELECT max(id) FROM ledger').pluck().get()).toBe(20);
  client.close();
});

testOnSqlite('the schema, and so the triggers of the ledger, is never changed by a large import', async ({ engine, shop, rows, expectUnchanged }) => {
  const petIds = Array.from({ length: 3001 }, (_, index) => index + 1);
  // Counts the changes of the schema, also of one that is changed back.
  const schema = sql`PRAGMA schema_version`;
  const before = await rows(schema);
  await shop.importPets(csv('name,category', ...petIds.map((id) => `Pet ${id},Dogs`)), { mode: 'atomic', createCategories: true });
  const report = await shop.importStock(csv('petId,quantity', ...petIds.map((id) => `${id},${id % 7}`)), { mode: 'atomic' });
  expect(report.applied).toBe(petIds.filter((id) => id % 7 !== 1).length);
  const stockRows = sortedStockRows();
  const bulk = bulkStock(engine);
  try {
    for (const id of petIds) stockRows.add(id, 9, undefined, id, id);
    const policy = { allowShortage: false, onStale: 'fail' } as const;
    await bulk.evaluate({ kind: 'count', stockRows, policy, refused: refusedRows(), wasApplied: () => false, notes: { at: () => '' } });
    // No batch has this id, and the ledger cannot store it.
    await expectUnchanged(() => expect(bulk.write(({ insert }) => insert({ batchId: 0.5 }))).rejects.toThrow('cannot store REAL value'));
  } finally {
    bulk.close();
    stockRows.close();
  }
  expect(await rows(schema)).toEqual(before);
});

testOnSqlite('a ledger row can be reversed at most once', async ({ engine, pet }) => {
  await pet();
  const undo = sql`INSERT INTO ledger (kind, pet_id, delta, quantity_after, at, actor, source, reverses) VALUES ('undo', 1, 0, 1, 0, 'x', 'cli', 1)`;
  expect(await tries(engine, undo)).toBe('1 changed');
  expect(await tries(engine, undo)).toBe('the ledger is append-only');
  expect(await tries(engine, sql`DROP TRIGGER ledger_keeps_order`)).toBe('0 changed');
  expect(await tries(engine, undo)).toMatch(/UNIQUE constraint failed: ledger\.reverses/);
});

const row = 'INSERT INTO ledger (kind, delta, quantity_after, batch_id, at, actor, source, shortage) VALUES (?, ?, ?, ?, ?, ?, ?, ?)';

testOnSqlite('a ledger entry has actor, time and source, or a batch that has them', async ({ engine }) => {
  expect(await tries(engine, statement(row, 'sale', null, null, null, 0, 'ana', 'cli', null))).toBe('1 changed');
  expect(await tries(engine, statement(row, 'sale', null, null, 1, null, null, null, null))).toBe('1 changed');
  for (const values of [
    [null, 'ana', 'cli'],
    [0, null, 'cli'],
    [0, 'ana', null],
    [0, 'ana', 'mail'],
  ] as const) {
    expect(await tries(engine, statement(row, 'sale', null, null, null, ...values, null))).toMatch(/CHECK constraint failed/);
  }
});

testOnSqlite('a ledger row has a delta and a quantity, or neither', async ({ engine }) => {
  for (const [delta, after] of [
    [1, null],
    [null, 1],
    [-1, -1],
    [1, 2 ** 31],
  ]) {
    expect(await tries(engine, statement(row, 'count', delta ?? null, after ?? null, null, 0, 'ana', 'cli', null))).toMatch(/CHECK constraint failed/);
  }
  expect(await tries(engine, statement(row, 'count', 1, 1, null, 0, 'ana', 'cli', null))).toBe('1 changed');
});

/** Values that the schema itself refuses. Pet 1 has 5 on hand, one of them reserved for order 1. */
const wrong: readonly (readonly [string, Value, RegExp])[] = [
  ['UPDATE stock SET quantity = ?', -1, /CHECK/],
  ['UPDATE stock SET quantity = ?', 2 ** 31, /CHECK/],
  ['UPDATE stock SET quantity = ?', 1.5, /cannot store REAL value in INTEGER column/],
  ['UPDATE stock SET quantity = ?', 'many', /cannot store TEXT value in INTEGER column/],
  ['UPDATE stock SET quantity = ?', null, /NOT NULL/],
  ['UPDATE stock SET low_at = ?', -1, /CHECK/],
  ['UPDATE stock SET pet_id = ?', 99, /FOREIGN KEY/],
  ['UPDATE pets SET hold = ?', 2, /CHECK/],
  ['UPDATE pets SET archived = ?', 2, /CHECK/],
  ['UPDATE pets SET name = ?', '', /CHECK/],
  ['UPDATE pets SET name = ?', 'x'.repeat(101), /CHECK/],
  ['UPDATE pets SET name = ?', Buffer.from('Rex'), /cannot store BLOB value in TEXT column/],
  ['UPDATE pets SET category_id = ?', 99, /FOREIGN KEY/],
  ['UPDATE pets SET category_id = ?', null, /NOT NULL/],
  ['UPDATE categories SET name = ?', '', /CHECK/],
  ['UPDATE orders SET quantity = ?', 0, /CHECK/],
  ['UPDATE orders SET quantity = ?', 2 ** 31, /CHECK/],
  ['UPDATE orders SET quantity = ?', null, /CHECK/],
  ['UPDATE orders SET state = ?', 'done', /CHECK/],
  ['UPDATE orders SET pet_id = ?', 99, /FOREIGN KEY/],
  ['UPDATE orders SET ship_date = ?', '2026-11-20', /cannot store TEXT value in INTEGER column/],
  ['INSERT INTO categories (id, name, folded) VALUES (?, 1, 1)', 0, /CHECK/],
  ['INSERT INTO categories (id, name, folded) VALUES (?, 1, 1)', -1, /CHECK/],
  ['INSERT INTO categories (id, name, folded) VALUES (?, 1, 1)', 2n ** 53n, /CHECK/],
  ["INSERT INTO orders (id, state) VALUES (?, 'open')", 2n ** 53n, /CHECK/],
];

testOnSqlite('the schema refuses wrong values', async ({ engine, pet, expectUnchanged }) => {
  await pet({ quantity: 5, reserved: 1 });
  await expectUnchanged(async () => {
    for (const [text, value, says] of wrong) expect(await tries(engine, statement(text, value)), `${text}: ${String(value)}`).toMatch(says);
  });
});

testOnSqlite('a batch has a known kind, state and mode', async ({ engine, shop, pet, expectUnchanged }) => {
  await pet();
  await shop.importStock(csv('petId,quantity', '1,5'), { mode: 'atomic' });
  await tries(engine, sql`DROP TRIGGER batches_keep_values`);
  for (const column of ['kind', 'state', 'mode']) {
    expect(await expectUnchanged(() => tries(engine, statement(`UPDATE batches SET ${column} = ?`, 'other')))).toMatch(/CHECK/);
  }
});

testOnSqlite('the highest id can be used', async ({ engine, rows }) => {
  const highest = 2n ** 53n - 1n;
  expect(await tries(engine, sql`INSERT INTO categories (id, name, folded) VALUES (${highest}, 'Last', 'last')`)).toBe('1 changed');
  expect(await rows(sql`SELECT id FROM categories WHERE id = ${Number(highest)}`)).toEqual([{ id: Number(highest) }]);
  expect(await rows(sql`SELECT id FROM categories WHERE id = ${Number(highest) - 1}`)).toEqual([]);
});

testOnSqlite('a pet with orders or stock cannot be deleted from its table', async ({ engine, pet, expectUnchanged }) => {
  await pet({ quantity: 5, reserved: 1 });
  expect(await expectUnchanged(() => tries(engine, statement('DELETE FROM pets')))).toMatch(/FOREIGN KEY/);
  expect(await expectUnchanged(() => tries(engine, statement('DELETE FROM categories')))).toMatch(/FOREIGN KEY/);
});
