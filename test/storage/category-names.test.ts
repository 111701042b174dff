import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { StoreError } from '../../src/domain/errors.js';
import { copyShop } from '../../src/storage/copy/copy-shop.js';
import type { Engine } from '../../src/storage/engine.js';
import { engineOf, openEngine } from '../../src/storage/engines.js';
import { localShop } from '../../src/storage/shop.js';
import { createRawStore } from '../support/raw-store.js';
import { addressOf, freshDatabase } from '../support/postgres.js';
import { bundle, runScript } from '../support/processes.js';
import { inDirectory } from '../support/stores.js';

const clock = (): number => Date.parse('2026-11-20T09:00:00Z');
const shopOn = (engine: Engine, store: string) => localShop(engine, { actor: 'ana', source: 'cli', clock }, store);
const settings = (store: string) => ({ store, where: store, waitSeconds: 60, nativeBinding: undefined, clock, actor: 'ana' });
const open = (store: string, create = false): Promise<Engine> => openEngine({ ...settings(store), create });

async function withShop<T>(store: string, work: (engine: Engine) => Promise<T>, create = false): Promise<T> {
  const engine = await open(store, create);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** Runs work with the address of a new shop of each engine. */
const homes: Readonly<Record<string, (work: (store: string, directory: string) => Promise<void>) => Promise<void>>> = {
  SQLite: (work) =>
    inDirectory(async (directory) => {
      const store = join(directory, 'shop.db');
      await withShop(store, async () => undefined, true);
      await work(store, directory);
    }),
  ...(addressOf('') !== undefined && {
    PostgreSQL: (work: (store: string, directory: string) => Promise<void>) =>
      inDirectory(async (directory) => {
        const { address, drop } = await freshDatabase();
        await work(address, directory);
        await drop();
      }),
  }),
};

/** A process that creates a category of each number and prints the numbers of those that it created. */
const creator = `
import { createCategory } from '../../src/domain/categories/create-category.js';
import { openEngine } from '../../src/storage/engines.js';
import { localShop } from '../../src/storage/shop.js';

const [, , store = '', spelling = '', count = '0'] = process.argv;

async function main() {
  const engine = await openEngine({ store, where: store, waitSeconds: 60 });
  const { call } = localShop(engine, { actor: spelling, source: 'cli', clock: Date.now }, store);
  const created: number[] = [];
  for (let index = 0; index < Number(count); index += 1) {
    const name = (index % 2 === 0 ? spelling : spelling.toUpperCase()) + ' ' + index;
    try {
      await call(createCategory, { body: { name } });
      created.push(index);
    } catch (error) {
      if (error.code !== 'category_exists') throw error;
    }
  }
  await engine.close();
  console.log(JSON.stringify(created));
}
void main();
`;

const spellings = ['Dogs', 'DOGS', 'dögs'];
const count = 20;

for (const [engine, inHome] of Object.entries(homes)) {
  test(`of processes that create the same categories exactly one creates each (${engine})`, () =>
    inHome(async (store, directory) => {
      const script = await bundle(directory, creator);
      const ends = await Promise.all(spellings.map((spelling) => runScript(script, [store, spelling, String(count)])));
      expect(ends.map(({ exitCode, errors }) => [exitCode, errors])).toEqual(spellings.map(() => [0, '']));
      const created = ends.flatMap(({ output }) => JSON.parse(output) as readonly number[]);
      expect(created.toSorted((left, right) => left - right)).toEqual(Array.from({ length: count }, (_, index) => index));
      const { items } = await withShop(store, (shop) => shopOn(shop, store).call(listCategories, { limit: 100 }));
      expect(items).toHaveLength(count);
    }));
}

/** The check of doctor for category names. */
async function categoryNames(store: string): Promise<unknown> {
  const maintenance = await engineOf(store).maintenance();
  const request = { repair: false, dryRun: false, confirm: async () => undefined };
  const { ok, checks } = await maintenance.check(settings(store), request);
  const found = checks.find(({ name }) => name === 'category names');
  return { ok, status: found?.status, message: found?.message };
}

/** Five categories of three names, one of them deleted, written by another program. */
const oldRows = `
  INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs'), ('Cats', 'cats'), ('DOGS', 'dogs'), ('Fish', 'fish'), ('cats', 'cats'), ('Dogs', 'dogs');
  UPDATE categories SET archived = 1 WHERE id = 6;
  INSERT INTO ledger (kind, category_id, at, actor, source) SELECT 'category.created', id, 0, 'ana', 'cli' FROM categories ORDER BY id;
`;

const warning = {
  ok: true,
  status: 'warn',
  message:
    'Categories of the same name: 2 (Cats), 5 (cats); 1 (Dogs), 3 (DOGS). Rename one of them (petstore category edit 5 --name <name>) or merge them (petstore category delete 5 --move-to 2).',
};

async function inOldShop(work: (store: string, directory: string) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const store = join(directory, 'old.db');
    createRawStore(store, oldRows);
    await work(store, directory);
  });
}

test('a shop keeps categories of one name, refuses another one, and doctor warns', () =>
  inOldShop(async (store) => {
    await withShop(store, async (engine) => {
      const { call } = shopOn(engine, store);
      expect((await call(listCategories, {})).items.map(({ name }) => name)).toEqual(['Dogs', 'Cats', 'DOGS', 'Fish', 'cats']);
      const refused = await call(createCategory, { body: { name: 'CATS' } }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreError);
      expect(refused).toMatchObject({ code: 'category_exists', details: { categoryId: 2 } });
    });
    expect(await categoryNames(store)).toEqual(warning);
  }));

for (const [engine, inHome] of Object.entries(homes)) {
  test(`names that differ in invisible characters only are the same (${engine})`, () =>
    inHome((store) =>
      withShop(store, async (shop) => {
        const { call } = shopOn(shop, store);
        await call(createCategory, { body: { name: 'Fish' } });
        const refused = await call(createCategory, { body: { name: 'Fi\u200bsh' } }).catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: 'category_exists', details: { categoryId: 1 } });
        expect((await call(listCategories, { q: 'i\u00ads' })).items).toMatchObject([{ name: 'Fish' }]);
        expect(await call(createCategory, { body: { name: 'Fish \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}' } })).toMatchObject({ id: 2 });
        expect(await call(createCategory, { body: { name: 'Fish \u{1f3f4}' } })).toMatchObject({ id: 3 });
      }),
    ));
}

test('doctor names at most ten of the categories of one name', () =>
  inDirectory(async (directory) => {
    const store = join(directory, 'old.db');
    const rows = Array.from({ length: 14 }, () => `INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs');`).join('');
    createRawStore(store, rows);
    expect(await categoryNames(store)).toMatchObject({ message: expect.stringMatching(/ 1 \(Dogs\), 2 \(Dogs\), .* 10 \(Dogs\) and 4 more\. Rename/) });
  }));

test('a shop without categories of one name passes', () =>
  inDirectory(async (directory) => {
    const store = join(directory, 'old.db');
    createRawStore(store, "INSERT INTO categories (name, folded) VALUES ('Dogs', 'dogs'), ('Cats', 'cats')");
    expect(await categoryNames(store)).toMatchObject({ status: 'pass', message: 'No two categories have the same name.' });
  }));

for (const [engine, inHome] of Object.entries(homes)) {
  test(`copies a shop with categories of one name (${engine})`, () =>
    inOldShop((from) =>
      inHome(async (to) => {
        await withShop(from, (source) => withShop(to, (target) => copyShop({ engine: source, where: from }, { engine: target, where: to })));
        expect(await categoryNames(to)).toEqual(warning);
      }),
    ));
}

test('backs up and restores a shop with categories of one name', () =>
  inOldShop(async (store, directory) => {
    const maintenance = await engineOf(store).maintenance();
    const context = settings(store);
    const file = join(directory, 'backup.db');
    expect(await maintenance.backup(context, { file, force: false })).toMatchObject({ unsound: [] });
    await withShop(store, (engine) => shopOn(engine, store).call(createCategory, { body: { name: 'Birds' } }));
    await maintenance.restore(context, { file, dryRun: false, confirm: async () => undefined });
    const { items } = await withShop(store, (engine) => shopOn(engine, store).call(listCategories, {}));
    expect(items.map(({ name }) => name)).toEqual(['Dogs', 'Cats', 'DOGS', 'Fish', 'cats']);
    expect(await categoryNames(store)).toEqual(warning);
  }));
