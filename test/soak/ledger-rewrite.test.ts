import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/maintenance/maintenance.js';
import { engineOf } from '../../src/storage/engines.js';
import type { MaintenanceContext } from '../../src/storage/engine-definition.js';
import { isFullSize } from '../support/seeded-random.js';
import { inDirectory } from '../support/stores.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';
import { clock, createFilledStore } from '../support/filled-ledger.js';

/** Statements of SQLite that change the ledger or the batches in other ways than those of test/storage/ledger.test.ts. */
function statementsOf(schema: string, id: number): readonly string[] {
  const [ledger, batches] = [`${schema}.ledger`, `${schema}.batches`];
  const undo = `(SELECT reverses FROM ${ledger} WHERE reverses IS NOT NULL LIMIT 1)`;
  const forged = (into: string, rest: string) => `${into} INTO ${ledger} (id, kind, at, actor, source${rest}`;
  const values = (of: string | number) => `VALUES (${of}, 'x', 9000000000000, 'mallory', 'cli'`;
  return [
    `WITH one AS (SELECT ${id} AS id) UPDATE ${ledger} SET note = 'x' FROM one WHERE ledger.id = one.id`,
    `DELETE FROM ${ledger} WHERE id = ${id} RETURNING id`,
    ...["ON CONFLICT (id) DO UPDATE SET actor = 'mallory'", 'ON CONFLICT DO NOTHING', 'RETURNING id'].map((end) => forged('INSERT', `) ${values(id)}) ${end}`)),
    ...['INSERT OR FAIL', 'INSERT OR ROLLBACK'].map((verb) => forged(verb, `) ${values(id)})`)),
    ...[`'${id}'`, `${id}.0`].map((text) => forged('REPLACE', `) ${values(text)})`)),
    forged('REPLACE', `) ${values(1_000_001)}), (${id}, 'x', 9000000000000, 'mallory', 'cli')`),
    `REPLACE INTO ${ledger} (rowid, kind, at, actor, source) ${values(id)})`,
    ...['1000000', 'NULL'].map((own) => forged('REPLACE', `, reverses) ${values(own)}, ${undo})`)),
    `UPDATE OR REPLACE ${ledger} SET id = ${id} WHERE id <> ${id}`,
    `UPDATE OR REPLACE ${ledger} SET rowid = ${id} WHERE id <> ${id}`,
    `UPDATE OR IGNORE ${ledger} SET actor = 'mallory'`,
    `UPDATE ${batches} SET state = 'applied' WHERE state = 'undone'`,
    ...["note = 'x', state = 'undone'", 'first_entry = 1', 'last_entry = 1'].map((changes) => `UPDATE ${batches} SET ${changes} WHERE id = 1`),
    `UPDATE OR REPLACE ${batches} SET id = 1 WHERE id = 2`,
  ];
}

/** Settings and tables that a client may prepare; none changes the triggers. */
const preparations: readonly (readonly string[])[] = [
  [],
  ['PRAGMA recursive_triggers = ON'],
  ['PRAGMA foreign_keys = OFF', 'PRAGMA ignore_check_constraints = ON', 'PRAGMA trusted_schema = OFF'],
  ['CREATE TEMP TABLE ledger AS SELECT 0 AS id', 'CREATE TEMP TABLE batches AS SELECT 0 AS id'],
  ['BEGIN', 'SAVEPOINT one'],
];

/** Runs a statement after a preparation; returns the statement if it was not refused by a trigger. */
function attempt(path: string, statement: string, preparation: readonly string[], schema: string): string | undefined {
  const database = new Database(schema === 'main' ? path : ':memory:');
  const rows = (): unknown => ['ledger', 'batches'].map((table) => database.prepare(`SELECT * FROM ${schema}.${table} ORDER BY id`).all());
  try {
    if (schema !== 'main') database.prepare(`ATTACH ? AS ${schema}`).run(path);
    const before = rows();
    for (const text of preparation) database.exec(text);
    let says = '';
    try {
      database.exec(statement);
    } catch (error) {
      says = (error as Error).message;
    }
    expect(rows()).toEqual(before);
    return /append-only|kept as it was recorded/.test(says) ? undefined : `${statement} [${preparation.join('; ')}]: ${says || 'done'}`;
  } finally {
    database.close();
  }
}

test('no SQLite client can rewrite the ledger with its triggers, directly or through an attached database', { timeout: 600_000 }, () =>
  inDirectory(async (directory) => {
    const path = join(directory, 'shop.db');
    await createFilledStore(path, true);
    const ids = new Database(path, { readonly: true }).prepare<[], number>('SELECT id FROM ledger ORDER BY id').pluck().all();
    const chosen = isFullSize ? ids.filter((id) => id % 4 === 0 || id === ids.length) : [Math.ceil(ids.length / 2)];
    const found: (string | undefined)[] = [];
    for (const id of chosen) {
      for (const schema of ['main', 'shop']) {
        for (const preparation of preparations) for (const statement of statementsOf(schema, id)) found.push(attempt(path, statement, preparation, schema));
      }
    }
    expect(found.filter((text) => text !== undefined)).toEqual([]);
    console.log(`${found.length} attempts on ${ids.length} entries in a file, all refused`);
  }),
);

/** A change that needs the triggers dropped, its description in the guide, and the checks of doctor that fail after they are restored. */
interface Rewrite {
  readonly guide: string;
  readonly sql: string;
  /** The failing checks; none if no other row contradicts the change. */
  readonly found: readonly string[];
}

const sale = "(SELECT max(id) FROM ledger WHERE kind = 'sale')";
const count = "(SELECT min(id) FROM ledger WHERE kind = 'adjust' AND batch_id IS NULL)";
const rewrites: readonly Rewrite[] = [
  { guide: 'a changed quantity or delta', sql: `UPDATE ledger SET delta = delta + 1 WHERE id = ${count}`, found: ['stock', 'chain'] },
  { guide: 'a changed quantity or delta', sql: `UPDATE ledger SET quantity_after = quantity_after + 1 WHERE id = ${count}`, found: ['chain'] },
  { guide: 'a removed entry', sql: 'DELETE FROM ledger WHERE id = 3', found: ['ledger', 'holds'] },
  { guide: 'a removed entry', sql: `DELETE FROM ledger WHERE id = ${sale}`, found: ['stock', 'chain', 'ledger', 'sales'] },
  { guide: 'an entry put in earlier, or with another id', sql: 'UPDATE ledger SET id = 1000000 WHERE id = 3', found: ['time', 'ledger'] },
  { guide: 'a changed time', sql: 'UPDATE ledger SET at = 1 WHERE id = 3', found: ['time'] },
  { guide: 'a changed pet, order or kind', sql: `UPDATE ledger SET pet_id = 1 WHERE id = ${count}`, found: ['stock', 'chain'] },
  { guide: 'a changed pet, order or kind', sql: `UPDATE ledger SET kind = 'adjust', order_id = NULL WHERE id = ${sale}`, found: ['sales'] },
  {
    guide: 'a removed import, or one that has no actor or time',
    sql: 'DELETE FROM batch_errors; DELETE FROM batches WHERE id = 1',
    found: ['batches ids', 'records', 'authors'],
  },
  { guide: 'a removed import, or one that has no actor or time', sql: "UPDATE batches SET actor = '' WHERE id = 1", found: ['authors'] },
  { guide: 'an import that names another range of entries', sql: 'UPDATE batches SET last_entry = last_entry - 1 WHERE id = 1', found: ['batches'] },
  { guide: 'an import that names another range of entries', sql: 'UPDATE batches SET first_entry = first_entry - 1 WHERE id = 1', found: ['batches'] },
  { guide: 'another actor, note, source or line', sql: `UPDATE ledger SET actor = 'mallory', note = 'x', source = 'http' WHERE id = ${count}`, found: [] },
  { guide: 'another actor, note, source or line', sql: "UPDATE batches SET actor = 'mallory', note = 'x' WHERE id = 1", found: [] },
  { guide: '`count` for `adjust`', sql: `UPDATE ledger SET kind = 'count' WHERE id = ${count}`, found: [] },
  { guide: 'another time between its neighbours', sql: `UPDATE ledger SET at = at + 1 WHERE id = ${count}`, found: [] },
  {
    guide: 'a changed entry at the end together with the stock that rests on it',
    sql: `INSERT INTO ledger (kind, pet_id, delta, quantity_after, at, actor, source) SELECT 'adjust', 1, 1, quantity + 1, 9000000000000, 'ana', 'cli' FROM stock WHERE pet_id = 1;
      UPDATE ledger SET delta = 2, quantity_after = quantity_after + 1 WHERE id = (SELECT max(id) FROM ledger);
      UPDATE stock SET quantity = quantity + 2 WHERE pet_id = 1`,
    found: ['clock'],
  },
];

async function doctorChecks(store: string): Promise<readonly Check[]> {
  const care: MaintenanceContext = { store, where: store, waitSeconds: 5, nativeBinding: undefined, actor: 'ana', clock };
  const maintenance = await engineOf(store).maintenance();
  const { checks } = await maintenance.check(care, { repair: false, dryRun: false, confirm: () => Promise.reject(new Error('Nothing is asked.')) });
  return checks;
}

/** Drops the triggers of a file, changes the ledger, and restores the triggers if `putBack` is set. */
function rewrite(path: string, statements: string, putBack: boolean): void {
  const database = new Database(path);
  database.pragma('foreign_keys = OFF');
  const triggers = database.prepare<[], { readonly name: string; readonly sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.exec(statements);
  if (putBack) for (const { sql } of triggers) database.exec(sql);
  database.close();
}

const machine = new Set(['file system', 'free space', 'owner', 'permissions', 'folder']);
const guide = readFileSync(new URL('../../data/guide/ledger.md', import.meta.url), 'utf8');

for (const { guide: words, sql, found } of rewrites) {
  test(`without its triggers: ${sql.slice(0, 90)} is ${found.length === 0 ? 'not found, as the guide says' : `found by ${found.join(', ')}`}`, () =>
    inDirectory(async (directory) => {
      const path = join(directory, 'shop.db');
      await createFilledStore(path, true);
      const bad = async (): Promise<readonly string[]> =>
        (await doctorChecks(path)).filter(({ name, status }) => status !== 'pass' && !machine.has(name)).map(({ name }) => name);
      expect(await bad()).toEqual([]);
      expect(guide).toContain(words);
      rewrite(path, sql, true);
      expect((await bad()).toSorted()).toEqual(found.toSorted());
      rewrite(path, '', false);
      expect(await bad()).toContain('schema');
    }));
}

test.skipIf(addressOf('') === undefined)('doctor finds a database whose triggers were disabled, and what was rewritten', async () => {
  const { address, drop } = await freshDatabase();
  try {
    await createFilledStore(address);
    const engine = await openShop(address);
    const run = (text: string) => engine.write((queries) => queries.run({ text, values: [] }));
    const bad = async (): Promise<readonly string[]> => (await doctorChecks(address)).filter(({ status }) => status !== 'pass').map(({ name }) => name);
    expect(await bad()).toEqual([]);
    await run('ALTER TABLE ledger DISABLE TRIGGER ledger_keeps_values');
    await run(`UPDATE ledger SET delta = delta + 1 WHERE id = ${count}`);
    expect(await bad()).toEqual(['triggers', 'chain', 'stock']);
    await run('ALTER TABLE ledger ENABLE TRIGGER ledger_keeps_values');
    expect(await bad()).toEqual(['chain', 'stock']);
    await engine.close();
  } finally {
    await drop();
  }
});
