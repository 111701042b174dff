import { expect } from 'vitest';
import { withJsonRecords } from '../../src/domain/operation.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { pet } from '../../src/domain/pets/pet.js';
import { petStatuses } from '../../src/domain/pets/pet-status.js';
import type { Page } from '../../src/domain/values/pages.js';
import { fold } from '../../src/domain/values/text.js';
import { writerOf } from '../../src/http/server/json-writer.js';
import { sql } from '../../src/storage/sql.js';
import { testOnSqlite } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

/** Every character that JSON escapes, and those that other writers of JSON escape or damage. */
const characters = [
  ...Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code)),
  '\u2028',
  '\u2029',
  '\u{feff}',
  '\u202e',
  '\u{fffd}',
  '\u{ffff}',
  '\u{10ffff}',
  'é',
  'e\u0301',
  'もち',
  '🐕',
  '</script>',
  '\\u0000',
  '%s',
];

/** A pet for each character and figure, written to the table directly: requests could not send all of these names. */
async function hostilePets({ engine, category, pet: newPet }: TestShop): Promise<void> {
  const categories = [await category('Dogs'), await category('Cats')];
  const seeds = [
    {},
    { quantity: 0 },
    { quantity: 0, reserved: 2 },
    { quantity: 2, reserved: 2 },
    { quantity: 3, reserved: 1, hold: true },
    { quantity: 1_000_000 },
  ];
  for (const [index, seed] of seeds.entries()) await newPet({ ...seed, categoryId: categories[index % 2] ?? 0 });
  await engine.write(async (queries) => {
    for (const character of characters) {
      const name = `a${character}${character}b${character}`;
      const inserted = await queries.get<{ readonly id: number }>(
        sql`INSERT INTO pets (name, folded, category_id) VALUES (${name}, ${fold(name)}, ${categories[0] ?? 0}) RETURNING id`,
      );
      await queries.run(sql`INSERT INTO stock (pet_id, quantity) VALUES (${inserted?.id ?? 0}, 1)`);
    }
    const highest = Number.MAX_SAFE_INTEGER - 1;
    await queries.run(sql`INSERT INTO pets (id, name, folded, category_id) VALUES (${highest}, 'last', 'last', ${categories[1] ?? 0})`);
    await queries.run(sql`INSERT INTO stock (pet_id, quantity) VALUES (${highest}, 7)`);
  });
}

const inJson = withJsonRecords(listPets);
const write = writerOf(pet);

/** The page from the records, written as a server does. */
function written({ items, ...rest }: Page<unknown>): Page<string> {
  return { ...rest, items: items.map(write) };
}

testOnSqlite('a page of pets that the database writes as JSON is the page of their records', async (shop) => {
  await hostilePets(shop);
  const filters = [
    {},
    ...petStatuses.map((status) => ({ status: [status] })),
    { categoryId: [2] },
    { categoryId: [] },
    { id: [1, 3, 5, 999] },
    { q: 'a' },
    { name: 'pet 1' },
  ];
  let pages = 0;
  for (const filter of filters) {
    for (const sort of ['id', '-id', 'name', '-name']) {
      let cursor: string | undefined;
      for (let turn = 0; turn < 20; turn += 1) {
        // Forwards, with every third step back.
        const input = { ...filter, sort, limit: 7, ...(cursor !== undefined && { cursor }), ...(turn === 0 && { count: true }) };
        const page = await shop.call(inJson, input);
        expect(page).toEqual(written(await shop.call(listPets, input)));
        pages += 1;
        cursor = turn % 3 === 2 ? page.previous : page.next;
        if (cursor === undefined) break;
      }
    }
  }
  expect(pages).toBeGreaterThan(150);
});

testOnSqlite('a record that the database writes as JSON is that of JSON.stringify, without its NULL fields', async ({ engine }) => {
  for (const text of characters) {
    const record = await engine.read(async (queries) => {
      const { jsonRecord } = queries;
      if (jsonRecord === undefined) throw new Error('SQLite writes JSON.');
      const fields = { text: sql`${text}`, none: sql`NULL`, number: sql`-12`, at: sql`'2026-11-22T00:00:00.000Z'` };
      const [both] = await queries.rows(sql`SELECT ${jsonRecord(fields, false)}, ${jsonRecord(fields, true)}`);
      return both;
    });
    const expected = { text, none: null, number: -12, at: '2026-11-22T00:00:00.000Z' };
    const { none: _, ...present } = expected;
    expect(record).toEqual([JSON.stringify(expected), JSON.stringify(present)]);
  }
});
