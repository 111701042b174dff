import { describe, expect, test } from 'vitest';
import type { ImportReport } from '../../src/domain/imports/import-report.js';
import type { Shop } from '../../src/domain/shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { checkRules } from '../../src/storage/maintenance/check-rules.js';
import { copyLine } from '../../src/storage/postgres/copy-rows.js';
import { localShop } from '../../src/storage/shop.js';
import { csv } from '../support/files.js';
import { addressOf, freshDatabase, openShop } from '../support/postgres.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { startProxy, type Proxy } from '../support/proxy.js';

const shopOn = (engine: Engine): Shop => localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.parse('2026-11-20T09:00:00Z') }, '');

/** Runs work with a shop of two pets behind a proxy. */
async function behindProxy(waitSeconds: number, work: (engine: Engine, proxy: Proxy) => Promise<void>): Promise<void> {
  const { address, drop } = await freshDatabase();
  const url = new URL(address);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const engine = await openShop(url.href, { waitSeconds });
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

test('a row for COPY escapes what separates cells and rows, and what means NULL', () => {
  const cells = ['a\tb', 'c\nd\r', String.raw`\N`, null, 7, undefined, 'NUL\0'];
  expect(copyLine(cells)).toBe(`${[String.raw`a\tb`, String.raw`c\nd\r`, String.raw`\\N`, String.raw`\N`, '7', String.raw`\N`, 'NUL\uFFFD'].join('\t')}\n`);
});

interface Case {
  /** What the connection sends when it breaks: the statement, and a row. */
  readonly points: readonly [string, string];
  readonly run: (shop: Shop, key: string) => Promise<ImportReport>;
}

const cases: Readonly<Record<string, Case>> = {
  'a stock import': {
    points: ['COPY staged_moves', '\t2\t2\t'],
    run: (shop, key) => shop.importStock(csv('petId,delta', '1,5', '2,6'), { mode: 'atomic', key }),
  },
  'a pet import': {
    points: ['COPY staged_pets', 'Bella'],
    run: (shop, key) => shop.importPets(csv('name,category', 'Rex,Dogs', 'Bella,Dogs'), { mode: 'atomic', key }),
  },
};

describe.skipIf(addressOf('') === undefined)('imports into PostgreSQL', () => {
  for (const [name, { points, run }] of Object.entries(cases)) {
    for (const when of ['before', 'after'] as const) {
      for (const [index, point] of points.entries()) {
        test(`${name} continues when its connection breaks ${when} it has sent ${index === 0 ? 'its statement' : 'a row'}`, () =>
          behindProxy(30, async (engine, proxy) => {
            let breaks = 0;
            proxy.onBroken(() => void (breaks += 1));
            proxy.breakAt(point, when);
            const { applied } = await run(shopOn(engine), 'K');
            expect([breaks, applied]).toEqual([1, 2]);
            expect((await run(shopOn(engine), 'K')).alreadyApplied).toBe(2);
            expect((await engine.read(checkRules)).filter(({ status }) => status !== 'pass')).toEqual([]);
            expect(await values(engine, 'SELECT run FROM staged_moves UNION ALL SELECT run FROM staged_pets')).toEqual([]);
          }));
      }
    }

    test(`${name} whose connection breaks is refused when it may not wait, and changes nothing`, () =>
      behindProxy(0, async (engine, proxy) => {
        proxy.breakAt(points[0], 'before');
        await expectRefusal('store_unreachable', run(shopOn(engine), 'K'), /cannot be reached/);
        expect(await values(engine, 'SELECT count(*) FROM batches')).toEqual([1]);
        expect((await run(shopOn(engine), 'K')).applied).toBe(2);
      }));
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

  const addedStock = 'INSERT INTO stock (pet_id, quantity) VALUES';
  const refused: Readonly<Record<string, string>> = {
    'stock of a pet that does not exist': `${addedStock} (9, 1)`,
    'stock of several pets of which one does not exist': `DELETE FROM stock; ${addedStock} (1, 1), (2, 1), (3, 1)`,
    'stock of pets with gaps of which one does not exist': `DELETE FROM stock; ${addedStock} (1, 1), (2, 1), (9, 1)`,
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
        await expect(change(engine, ...text.split('; ')), what).rejects.toThrow(/does not exist|is kept|never changes/);
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
