import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import type { ImportReport } from '../../src/domain/imports/import-report.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { WriteTransaction } from '../../src/domain/transaction.js';
import { writeSetting } from '../../src/domain/write-setting.js';
import type { Engine } from '../../src/storage/engine.js';
import { queriesOf } from '../../src/storage/postgres/statements.js';
import { writeTransaction } from '../../src/storage/transactions.js';
import { csv } from '../support/files.js';
import { brokenRules } from '../support/invariants.js';
import { inEmptyShop, shopOn } from '../support/postgres-engines.js';
import { addressOf, emptyShop, freshDatabase, openShop } from '../support/postgres.js';
import { proxyTo, type Proxy } from '../support/proxy.js';

/** Runs work with a shop of two pets behind a proxy. */
async function behindProxy(waitSeconds: number, work: (engine: Engine, proxy: Proxy) => Promise<void>): Promise<void> {
  await inEmptyShop(async (address) => {
    const proxy = await proxyTo(address);
    const engine = await openShop(proxy.through, { waitSeconds });
    try {
      await shopOn(engine).importPets(csv('name,category', 'Ada,Dogs', 'Zoe,Dogs'), { mode: 'atomic', createCategories: true });
      await work(engine, proxy);
    } finally {
      await engine.close();
      await proxy.close();
    }
  });
}

/** The values of a statement that returns one column. */
async function values(engine: Engine, text: string): Promise<readonly unknown[]> {
  const found = await engine.read((queries) => queries.rows({ text, values: [] }));
  return found.map(([value]) => value);
}

/** Runs statements in one transaction. */
const transact = (engine: Engine, ...texts: readonly string[]): Promise<void> =>
  engine.write(async (queries) => {
    for (const text of texts) await queries.run({ text, values: [] });
  });

interface Case {
  /** What the connection sends when it breaks. */
  readonly point: string;
  readonly run: (shop: Shop, key: string) => Promise<ImportReport>;
}

const cases: Readonly<Record<string, Case>> = {
  'a stock import': { point: 'INSERT INTO ledger', run: (shop, key) => shop.importStock(csv('petId,delta', '1,5', '2,6'), { mode: 'atomic', key }) },
  'a pet import': { point: 'Bella', run: (shop, key) => shop.importPets(csv('name,category', 'Rex,Dogs', 'Bella,Dogs'), { mode: 'atomic', key }) },
};

describe.skipIf(addressOf('') === undefined)('imports into PostgreSQL', () => {
  for (const [name, { point, run }] of Object.entries(cases)) {
    for (const when of ['before', 'after'] as const) {
      test(`${name} whose connection breaks ${when} its rows are sent is made once`, () =>
        behindProxy(30, async (engine, proxy) => {
          let breaks = 0;
          proxy.onBroken(() => void (breaks += 1));
          proxy.breakAt(point, when);
          const { applied } = await run(shopOn(engine), 'K');
          expect([breaks, applied]).toEqual([1, 2]);
          expect((await run(shopOn(engine), 'K')).alreadyApplied).toBe(2);
          expect(await brokenRules({ engine })).toEqual([]);
        }));
    }
  }

  test('texts arrive unchanged', () =>
    behindProxy(5, async (engine) => {
      const names = [String.raw`\N`, String.raw`a\tb`, '"x", {y}', 'back\\', 'ünï 🐕'];
      const lines = names.map((one) => `"${one.replaceAll('"', '""')}",Dogs`);
      await shopOn(engine).importPets(csv('name,category', ...lines), { mode: 'atomic' });
      expect(await values(engine, 'SELECT name FROM pets WHERE id > 2 ORDER BY id')).toEqual(names);
      const noted = names.map((one, index) => `${index + 3},1,"${one.replaceAll('"', '""')}"`);
      await shopOn(engine).importStock(csv('petId,delta,note', ...noted), { mode: 'atomic' });
      expect(await values(engine, 'SELECT note FROM ledger WHERE batch_id = 3 ORDER BY id')).toEqual(names);
    }));

  const refused: Readonly<Record<string, string>> = {
    'stock of a pet that does not exist': 'INSERT INTO stock (pet_id, quantity) VALUES (9, 1)',
    'stock that moves to another pet': 'UPDATE stock SET pet_id = 3 WHERE pet_id = 1',
    'a pet of a category that does not exist': "INSERT INTO pets (id, name, folded, category_id) VALUES (3, 'x', 'x', 9)",
    'a pet that moves to a category that does not exist': 'UPDATE pets SET category_id = 9 WHERE id = 1',
    'another id of a pet': 'UPDATE pets SET id = 7 WHERE id = 1',
    'another id of a category': 'UPDATE categories SET id = 7 WHERE id = 1',
    'the deletion of a pet with stock': 'DELETE FROM pets WHERE id = 1',
    'the deletion of a category with pets': 'DELETE FROM categories',
    'the deletion of all categories at once': 'TRUNCATE categories',
  };
  test('the database refuses records that refer to nothing', () =>
    behindProxy(5, async (engine) => {
      for (const [what, text] of Object.entries(refused)) {
        await expect(transact(engine, ...text.split('; ')), what).rejects.toMatchObject({ code: '23503' });
      }
    }));
});

describe.skipIf(addressOf('') === undefined)('the statistics of the planner', () => {
  test('are up to date after a large import of pets, of stock and of codes', async () => {
    const { address, drop } = await freshDatabase();
    const engine = await openShop(address);
    const many = 10_000;
    const ids = Array.from({ length: many }, (_, index) => index + 1);
    const estimated = async (table: string): Promise<unknown> =>
      (await values(engine, `SELECT reltuples FROM pg_class WHERE oid = CAST('${table}' AS REGCLASS)`))[0];
    try {
      await shopOn(engine).importPets(csv('name,category', ...ids.map((id) => `Guppy ${id},Fish`)), { mode: 'atomic', createCategories: true });
      expect([await estimated('pets'), await estimated('stock'), await estimated('ledger')]).toEqual([many, many, many + 1]);
      await shopOn(engine).importStock(csv('petId,delta', ...ids.map((id) => `${id},5`)), { mode: 'atomic' });
      expect(await estimated('ledger')).toBe(2 * many + 1);
      await shopOn(engine).importCodes(csv('petId,code', ...ids.map((id) => `${id},ring-${id}`)), { mode: 'atomic' });
      expect([await estimated('codes'), await estimated('ledger')]).toEqual([many, 3 * many + 1]);
    } finally {
      await engine.close();
      await drop();
    }
  });
});

const rows = 2500;

const columns = 'name,category,status,quantity';
/** New pets of an existing category and of a new one; every tenth is on hold. */
const lines = Array.from(
  { length: rows },
  (_, row) => `Pet ${row},${row % 2 === 0 ? 'Fish' : 'Snails'},${row % 10 === 0 ? 'pending' : 'available'},${1 + (row % 7)}`,
);
const imported = (shop: Shop): Promise<ImportReport> => shop.importPets(csv(columns, ...lines), { mode: 'atomic', createCategories: true, key: 'K' });

/** A shop with two pets of the category Fish, and a connection that holds the lock of the shop until `release`. */
interface Held {
  readonly engine: Engine;
  readonly shop: Shop;
  /** The rows of a statement, on a third connection. */
  readonly rows: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Waits until so many transactions wait for a lock. */
  readonly untilWaiting: (count: number) => Promise<void>;
  readonly release: () => Promise<unknown>;
  /** Makes a change on the connection that holds the lock, and commits it. */
  readonly change: (make: Change['make']) => Promise<void>;
}

async function whileHeld(work: (held: Held) => Promise<void>): Promise<void> {
  const { address, giveBack } = await emptyShop();
  const engine = await openShop(address, { waitSeconds: 60, connections: 8 });
  const [holder, other] = [new pg.Client(address), new pg.Client(address)];
  await Promise.all([holder.connect(), other.connect()]);
  const found: Held['rows'] = async (text) => (await other.query<Record<string, unknown>>(text)).rows;
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  try {
    await shopOn(engine).importPets(csv(columns, 'Ada,Fish,available,1', 'Zoe,Fish,available,1'), { mode: 'atomic', createCategories: true });
    await holder.query('BEGIN; SELECT 1 FROM shop FOR UPDATE');
    await work({
      engine,
      shop: shopOn(engine),
      rows: found,
      untilWaiting: async (count) => {
        while ((await found(waiting)).length < count) await sleep(5);
      },
      release: () => holder.query('ROLLBACK'),
      change: async (make) => {
        const caller = { actor: 'zoe', source: 'cli', scopes: undefined, clock: Date.now } as const;
        await make(
          writeTransaction(
            {
              ...queriesOf(() => ({ run: (query) => holder.query(query), keepsStatements: undefined }), false),
              clock: { at: () => 0, advanceTo: () => undefined },
            },
            caller,
            {},
          ),
        );
        await holder.query('COMMIT');
      },
    });
    expect(await brokenRules({ engine })).toEqual([]);
  } finally {
    await Promise.all([holder.end(), other.end()]);
    await engine.close();
    await giveBack();
  }
}

/** The pets by category, with their number and the last of them. */
const byCategory = `SELECT c.name, CAST(count(*) AS INT) AS pets, CAST(max(p.id) AS INT) AS last FROM pets p JOIN categories c ON c.id = p.category_id
  WHERE c.archived = 0 GROUP BY c.name ORDER BY c.name`;

/** A change that another writer commits while an import waits for its turn, and what the import then has to create. */
interface Change {
  readonly make: (tx: WriteTransaction) => Promise<unknown>;
  readonly categories: readonly { readonly name: string; readonly pets: number; readonly last: number }[];
  readonly lowAt?: number;
}

const half = rows / 2;
const fish = { name: 'Fish', pets: half + 2, last: rows + 1 };
const snails = { name: 'Snails', pets: half, last: rows + 2 };
const changes: Readonly<Record<string, Change>> = {
  'an order is placed': { make: (tx) => placeOrder.run(tx, { body: { petId: 1 } } as never), categories: [fish, snails] },
  'a category is renamed': {
    make: (tx) => updateCategory.run(tx, { categoryId: 1, body: { name: 'Sharks' } } as never),
    categories: [{ ...fish, pets: half }, { name: 'Sharks', pets: 2, last: 2 }, snails],
  },
  'the low-stock level of the shop is set': { make: (tx) => writeSetting(tx, 'lowAt', 5), categories: [fish, snails], lowAt: 5 },
};

describe.skipIf(addressOf('') === undefined)('pets of a large import into PostgreSQL', () => {
  for (const [what, { make, categories, lowAt = null }] of Object.entries(changes)) {
    test(`are those of the shop at its turn when ${what} meanwhile`, () =>
      whileHeld(async ({ shop, rows: found, untilWaiting, change }) => {
        const importing = imported(shop);
        await untilWaiting(1);
        await change(make);
        expect((await importing).applied).toBe(rows);
        expect(await found(byCategory)).toEqual(categories);
        expect(await found('SELECT DISTINCT CAST(low_at AS INT) AS level FROM stock WHERE pet_id > 2')).toEqual([{ level: lowAt }]);
      }));
  }

  test('are created once by two imports of the same file at the same time', () =>
    whileHeld(async ({ shop, rows: found, untilWaiting, release }) => {
      const importing = [imported(shop), imported(shop)];
      await untilWaiting(1);
      await release();
      const reports = await Promise.all(importing);
      expect(reports.map(({ applied, alreadyApplied }) => applied + alreadyApplied)).toEqual([rows, rows]);
      expect(await found(byCategory)).toEqual([fish, snails]);
    }));

  test('get consecutive ids beside writers that create pets and categories', () =>
    whileHeld(async ({ shop, rows: found, release }) => {
      await release();
      const state = { isOver: false };
      const created: number[] = [];
      const importing = imported(shop).finally(() => (state.isOver = true));
      for (let name = 1; !state.isOver; name += 1) {
        const category = await shop.call(createCategory, { body: { name: `Kind ${name}` } });
        created.push((await shop.call(createPet, { body: { name: `Own ${name}`, categoryId: category.id } })).id);
        await sleep(20);
      }
      expect((await importing).applied).toBe(rows);
      const batch = 'SELECT CAST(max(pet_id) - min(pet_id) + 1 AS INT) AS ids FROM ledger WHERE batch_id = 2';
      expect(await found(batch)).toEqual([{ ids: rows }]);
      const all = 'SELECT CAST(count(*) AS INT) AS pets, CAST(max(id) AS INT) AS last FROM pets';
      expect(await found(all)).toEqual([{ pets: rows + 2 + created.length, last: rows + 2 + created.length }]);
    }));
});
