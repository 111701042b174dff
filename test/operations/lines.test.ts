import { expect } from 'vitest';
import { listCategories } from '../../src/domain/categories.js';
import { listInventory, setLowAt } from '../../src/domain/inventory.js';
import type { Page, ReadOperation } from '../../src/domain/operation.js';
import { listPets } from '../../src/domain/pets.js';
import { available } from '../../src/domain/stock.js';
import { rowWriter } from '../../src/formats/writer.js';
import { sql } from '../../src/storage/sql.js';
import { atHome, everywhere } from '../support/everywhere.js';
import { csv } from '../support/files.js';
import type { Scene } from '../support/scene.js';

const columns = ['name', 'category', 'categoryId', 'status', 'quantity', 'promised', 'available', 'hold', 'lowAt'];
const inventoryColumns = columns.filter((name) => name !== 'categoryId' && name !== 'hold');
const names = ['Rex', 'Ñandú', String.raw`a\tb`, '\\', 'Mr. "T"', "O'Hara", '🐕 %_', '0'];

/** A pet of every kind there is: held or not, sold out or not, promised or not, with a level of its own or without. */
async function stocked({ category, pet, call, engine }: Scene): Promise<void> {
  for (const name of ['Dogs', String.raw`Cats\nFish`]) await category(name);
  let count = 0;
  for (const hold of [false, true])
    for (const quantity of [0, 1, 2])
      for (const promised of [0, 1, 2])
        for (const lowAt of [undefined, 0, 1]) {
          const petId = await pet({ name: names[count % names.length] ?? '', categoryId: 1 + (count % 2), hold, quantity, promised });
          if (lowAt !== undefined) await call(setLowAt, { petId, body: { lowAt } });
          count += 1;
        }
  // No door takes such a name; whoever writes into the tables by other means can.
  await engine.write((queries) => queries.run(sql`UPDATE pets SET name = ${'A\tB\nC\rD\\E'} WHERE id IN (3, 30)`));
}

type Asked = { readonly sort?: string | undefined; readonly limit?: number | undefined };

/** The records of a list as the writer of TSV puts them, and as the shop writes their lines itself. */
async function bothWays<In extends Asked, Input, Row extends { readonly quantity: number; readonly promised: number }>(
  { shop, call }: Scene,
  operation: ReadOperation<In, Input, Page<Row>>,
  asked: In,
  shown: readonly string[],
  limit: number,
): Promise<{ readonly records: string; readonly lines: string }> {
  const { items } = await call(operation, { ...asked, limit: Math.min(limit, 500) });
  const cells = items.map((row) => shown.map((name) => (name === 'available' ? available(row) : (row as Readonly<Record<string, unknown>>)[name])));
  let text = '';
  let count = 0;
  await shop.snapshot(async (_, askLines) => {
    const lines = askLines(operation, asked, shown, limit);
    if (lines === undefined) throw new Error('The shop does not write these lines itself.');
    for await (const part of lines) {
      text += part.text;
      count += part.count;
    }
  });
  expect(count).toBe(items.length);
  return { records: rowWriter('tsv', shown).rows(cells), lines: text };
}

const filters = [
  {},
  { status: ['available' as const] },
  { status: ['sold' as const, 'pending' as const] },
  { status: [] },
  { categoryId: [2] },
  { categoryId: [2], status: ['pending' as const] },
];

atHome('the lines of a list are what its records are written as, for every column, filter, order and number', async (scene) => {
  await stocked(scene);
  for (const filter of filters)
    for (const direction of ['', '-'])
      for (const limit of [1, 7, Infinity]) {
        const pets = await bothWays(scene, listPets, { ...filter, sort: `${direction}id` }, ['id', ...columns], limit);
        expect({ filter, direction, limit, text: pets.lines }).toEqual({ filter, direction, limit, text: pets.records });
        const asked = { ...filter, low: limit === 7, short: direction === '-', sort: `${direction}petId` };
        const inventory = await bothWays(scene, listInventory, asked, ['petId', ...inventoryColumns], limit);
        expect({ asked, limit, text: inventory.lines }).toEqual({ asked, limit, text: inventory.records });
      }
  for (const column of columns) {
    const { records, lines } = await bothWays(scene, listPets, { q: 'a' }, [column, column], Infinity);
    expect(lines).toBe(records);
  }
});

atHome('a long list comes in pieces, each line once', async ({ shop, category }) => {
  await category('Dogs');
  const count = 10_001;
  await shop.importPets(csv('name,category', ...Array.from({ length: count }, () => 'Rex,Dogs')), { mode: 'atomic' });
  const ids = Array.from({ length: count }, (_, index) => `${index + 1}\n`);
  for (const [sort, inOrder] of [
    ['id', ids],
    ['-id', ids.toReversed()],
  ] as const) {
    const sizes: number[] = [];
    let text = '';
    await shop.snapshot(async (_, lines) => {
      for await (const part of lines(listPets, { sort }, ['id'], Infinity) ?? []) {
        sizes.push(part.count);
        text += part.text;
      }
    });
    expect(sizes).toEqual([5000, 5000, 1]);
    expect(text).toBe(inOrder.join(''));
  }
});

everywhere('where a list has no lines of its own, none are promised', async ({ shop, category }) => {
  await category('Dogs');
  await shop.snapshot(async (_, lines) => {
    expect(lines(listCategories, {}, ['id'], Infinity)).toBeUndefined();
    expect(lines(listPets, { sort: 'name' }, ['id'], Infinity)).toBeUndefined();
    expect(lines(listPets, {}, ['id', 'version'], Infinity)).toBeUndefined();
    expect(lines(listInventory, { at: '2026-11-20' }, ['petId'], Infinity)).toBeUndefined();
  });
});
