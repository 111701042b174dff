import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import type { Engine } from '../../src/storage/engine.js';
import { openEngine } from '../../src/storage/engines.js';
import { localShop } from '../../src/storage/shop.js';
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
