import { describe, expect, test } from 'vitest';
import type { ImportReport } from '../../src/domain/imports/import-report.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { csv } from '../support/files.js';
import { brokenRules } from '../support/invariants.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';
import { shopOn } from '../support/postgres-engines.js';
import { proxyTo, type Proxy } from '../support/proxy.js';

/** Runs work with a shop of two pets behind a proxy. */
async function behindProxy(waitSeconds: number, work: (engine: Engine, proxy: Proxy) => Promise<void>): Promise<void> {
  const { address, drop } = await freshDatabase();
  const proxy = await proxyTo(address);
  const engine = await openShop(proxy.through, { waitSeconds });
  try {
    await shopOn(engine).importPets(csv('name,category', 'Ada,Dogs', 'Zoe,Dogs'), { mode: 'atomic', createCategories: true });
    await work(engine, proxy);
  } finally {
    await engine.close();
    await proxy.close();
    await drop();
  }
}

/** The values of a statement that returns one column. */
async function values(engine: Engine, text: string): Promise<readonly unknown[]> {
  const found = await engine.read((queries) => queries.rows({ text, values: [] }));
  return found.map(([value]) => value);
}

/** Runs statements in one transaction. */
const change = (engine: Engine, ...texts: readonly string[]): Promise<void> =>
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
        await expect(change(engine, ...text.split('; ')), what).rejects.toThrow(/foreign key constraint/);
      }
    }));
});

describe.skipIf(addressOf('') === undefined)('the statistics of the planner', () => {
  test('are up to date after a large import of pets, and after one of stock', async () => {
    const { address, drop } = await freshDatabase();
    const engine = await openShop(address);
    const rows = 10_000;
    const ids = Array.from({ length: rows }, (_, index) => index + 1);
    const estimated = async (table: string): Promise<unknown> =>
      (await values(engine, `SELECT reltuples FROM pg_class WHERE oid = CAST('${table}' AS REGCLASS)`))[0];
    try {
      await shopOn(engine).importPets(csv('name,category', ...ids.map((id) => `Guppy ${id},Fish`)), { mode: 'atomic', createCategories: true });
      expect([await estimated('pets'), await estimated('stock'), await estimated('ledger')]).toEqual([rows, rows, rows + 1]);
      await shopOn(engine).importStock(csv('petId,delta', ...ids.map((id) => `${id},5`)), { mode: 'atomic' });
      expect(await estimated('ledger')).toBe(2 * rows + 1);
    } finally {
      await engine.close();
      await drop();
    }
  });
});
