import { expect } from 'vitest';
import { inventoryColumns } from '../../src/cli/commands/inventory/inventory-columns.js';
import { petColumns } from '../../src/cli/commands/pet/pet-columns.js';
import type { Columns } from '../../src/cli/output/view.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import type { ListOperation } from '../../src/domain/operation.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { rowWriter } from '../../src/formats/writer.js';
import { sql } from '../../src/storage/sql.js';
import { testOnEveryEngine, testOnEveryStore, testOnSqlite } from '../support/stores.js';
import { csv } from '../support/files.js';
import type { TestShop } from '../support/test-shop.js';

const names = ['Rex', 'Ñandú', String.raw`a\tb`, '\\', 'Mr. "T"', "O'Hara", '🐕 %_*[]?', '0'];

/** Pets in every combination of hold, stock, reservation and low level. */
async function stocked({ category, pet, call, engine }: TestShop): Promise<void> {
  for (const name of ['Dogs', String.raw`Cats\nFish`]) await category(name);
  let count = 0;
  for (const hold of [false, true])
    for (const quantity of [0, 1, 2])
      for (const reserved of [0, 1, 2])
        for (const lowAt of [undefined, 0, 1]) {
          const petId = await pet({ name: names[count % names.length] ?? '', categoryId: 1 + (count % 2), hold, quantity, reserved });
          if (lowAt !== undefined) await call(setLowAt, { petId, body: { lowAt } });
          count += 1;
        }
  // No operation accepts such a name, but another program can write it to the table.
  await engine.write((queries) => queries.run(sql`UPDATE pets SET name = ${'A\tB\nC\rD\\E'} WHERE id IN (3, 30)`));
  await engine.write((queries) => queries.run(sql`UPDATE categories SET name = ${'\n\t\\'} WHERE id = 1`));
}

/** All parts of the list as one text; undefined when the store cannot write lines. */
async function linesOf<Asked, Input, Item>(
  { shop }: Pick<TestShop, 'shop'>,
  operation: ListOperation<Asked, Input, Item>,
  asked: Asked,
  columns: readonly string[],
  limit = Infinity,
): Promise<{ readonly text: string; readonly counts: readonly number[] } | undefined> {
  return shop.snapshot(async (_, askLines) => {
    const lines = askLines(operation, asked, columns, limit);
    if (lines === undefined) return undefined;
    let text = '';
    const counts: number[] = [];
    for await (const part of lines) {
      text += part.text;
      counts.push(part.count);
    }
    return { text, counts };
  });
}

/** Expects that the lines of a list equal its written records, for every set of columns. */
async function compare<Asked extends { readonly limit?: number | undefined }, Input, Row>(
  testShop: TestShop,
  operation: ListOperation<Asked, Input, Row>,
  asked: Asked,
  { all }: Columns<Row>,
  limit: number,
): Promise<void> {
  const { items } = await testShop.call(operation, { ...asked, limit: Math.min(limit, 500) });
  for (const columns of [all, all.toReversed(), ...all.map((column) => [column, column])]) {
    const shown = columns.map(({ name }) => name);
    const written = rowWriter('tsv', shown).rows(items.map((row) => columns.map(({ value }) => value(row))));
    const lines = await linesOf(testShop, operation, asked, shown, limit);
    expect({ asked, limit, shown, ...lines }).toEqual({ asked, limit, shown, text: written, counts: items.length === 0 ? [] : [items.length] });
  }
}

const filters = [
  {},
  { status: ['available' as const] },
  { status: ['sold' as const, 'pending' as const] },
  { status: [] },
  { categoryId: [2] },
  { categoryId: [2], status: ['pending' as const] },
];

testOnEveryEngine('lists written by the database equal lists written from records, for every column, filter, order and limit', async (testShop) => {
  await stocked(testShop);
  for (const filter of filters)
    for (const direction of ['', '-'])
      for (const limit of [7, Infinity]) {
        await compare(testShop, listPets, { ...filter, sort: `${direction}id`, ...(limit === 7 && { q: 'a' }) }, petColumns, limit);
        const figures = { low: limit === 7, short: direction === '-' };
        await compare(testShop, listInventory, { ...filter, ...figures, sort: `${direction}petId` }, inventoryColumns, limit);
      }
});

testOnSqlite('a name with a NUL stays on one line', async (testShop) => {
  await testShop.pet();
  await testShop.engine.write((queries) => queries.run(sql`UPDATE pets SET name = ${'A\0B\tC\nD'}`));
  await compare(testShop, listPets, {}, petColumns, 1);
});

/** The ids of a list, one per line. */
function ids(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`);
}

testOnEveryEngine('a long list is written in parts, each line once and in order', async (testShop) => {
  await testShop.category('Dogs');
  const count = 32_001;
  await testShop.shop.importPets(csv('name,category,status', ...Array.from({ length: count }, () => 'Rex,Dogs,sold')), { mode: 'atomic' });
  for (const filter of [{}, { status: ['sold' as const] }])
    for (const [limit, counts] of [
      [1, [1]],
      [16_000, [16_000]],
      [16_001, [16_000, 1]],
      [20_000, [16_000, 4000]],
      [Infinity, [16_000, 16_000, 1]],
    ] as const) {
      const shown = Math.min(limit, count);
      expect(await linesOf(testShop, listPets, filter, ['id'], limit)).toEqual({ text: ids(1, shown).join(''), counts });
      const backwards = ids(count - shown + 1, count)
        .toReversed()
        .join('');
      expect(await linesOf(testShop, listPets, { ...filter, sort: '-id' }, ['id'], limit)).toEqual({ text: backwards, counts });
    }
  await testShop.call(deletePet, { petId: count });
  expect(await linesOf(testShop, listPets, {}, ['id'])).toEqual({ text: ids(1, count - 1).join(''), counts: [16_000, 16_000] });
});

testOnEveryEngine('all parts of a list are read from one snapshot', async ({ shop, call, category, openAgain }) => {
  await category('Dogs');
  await shop.importPets(csv('name,category,status', ...Array.from({ length: 16_001 }, () => 'Rex,Dogs,sold')), { mode: 'atomic' });
  const other = await openAgain();
  const rename = (name: string) => other.write((queries) => queries.run(sql`UPDATE pets SET name = ${name} WHERE id = 16001`));
  const [all, late] = await shop.snapshot(async (_, askLines) => {
    const seen: string[] = [];
    for await (const { text } of askLines(listPets, {}, ['name'], Infinity) ?? []) {
      seen.push(...text.trimEnd().split('\n'));
      await rename('Max');
    }
    return [seen, askLines(listPets, {}, ['name'], Infinity)];
  });
  expect(all).toEqual(Array.from({ length: 16_001 }, () => 'Rex'));
  await expect(late?.[Symbol.asyncIterator]().next()).rejects.toThrow(/transaction has ended/);
  await shop.snapshot(async (_, askLines) => {
    for await (const { count } of askLines(listPets, {}, ['name'], Infinity) ?? []) {
      expect(count).toBe(16_000);
      break;
    }
  });
  await rename('Tom');
  expect((await call(listPets, { id: [16_001] })).items[0]?.name).toBe('Tom');
  await other.close();
});

testOnEveryStore('a store reports that it cannot write the lines of a list itself', async (testShop) => {
  await testShop.category('Dogs');
  expect(await linesOf(testShop, listCategories, {}, ['id'])).toBeUndefined();
  expect(await linesOf(testShop, listPets, { sort: 'name' }, ['id'])).toBeUndefined();
  expect(await linesOf(testShop, listPets, {}, ['id', 'version'])).toBeUndefined();
  expect(await linesOf(testShop, listInventory, { at: '2026-11-20' }, ['petId'])).toBeUndefined();
  // Through a server only records are returned.
  expect(await linesOf(testShop, listPets, {}, ['id'])).toEqual(testShop.address === undefined ? { text: '', counts: [] } : undefined);
});

testOnEveryEngine('a list of very many columns is written by either method', async (testShop) => {
  const petId = await testShop.pet({ name: '\\' });
  for (const count of [100, 101, 1500]) {
    const found = await linesOf(
      testShop,
      listPets,
      {},
      Array.from({ length: count }, (_, index) => (index === 0 ? 'id' : 'name')),
    );
    expect(found).toEqual(count > 100 ? undefined : { text: `${[petId, ...Array.from({ length: count - 1 }, () => '\\\\')].join('\t')}\n`, counts: [1] });
  }
});
