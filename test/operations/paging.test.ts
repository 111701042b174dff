import { expect } from 'vitest';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import type { Page } from '../../src/domain/values/pages.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

type Turn<Item> = (cursor: string | undefined) => Promise<Page<Item>>;

/** Every page from first to last, each with its cursor to the page before. */
async function forward<Item>(turn: Turn<Item>): Promise<readonly Page<Item>[]> {
  const pages = [await turn(undefined)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(await turn(next));
  return pages;
}

/** The pages from a page back to the first. */
async function backward<Item>(turn: Turn<Item>, last: Page<Item> | undefined): Promise<readonly Page<Item>[]> {
  const pages: Page<Item>[] = [];
  for (let previous = last?.previous; previous !== undefined; previous = pages[0]?.previous) pages.unshift(await turn(previous));
  return pages;
}

function ids(pages: readonly Page<{ readonly id?: number | undefined; readonly petId?: number | undefined }>[]): readonly (number | undefined)[] {
  return pages.flatMap(({ items }) => items.map(({ id, petId }) => id ?? petId));
}

const names = ['Zoe', 'ada', 'Ñandú', 'nandu', 'Rex', 'rex', 'Rex', '狗', '🐕', 'b', 'B', 'Émile'];
/** Sorted by folded name in code point order, then by id. */
const byName = [2, 10, 11, 12, 3, 4, 5, 6, 7, 1, 8, 9];
const byId = names.map((_, index) => index + 1);

async function fill({ oldCategory, pet, order, call }: TestShop): Promise<void> {
  for (const name of names) await oldCategory(name);
  for (const name of names) await pet({ name, categoryId: 1, quantity: 9 });
  const dates = ['2026-12-03', '2026-12-01', undefined, '2026-12-02', '2026-12-01', undefined, '0001-01-01', '9999-12-31'];
  for (const [index, day] of dates.entries()) {
    const orderId = await order(index + 1);
    if (day !== undefined) await call(updateOrder, { orderId, body: { shipDate: `${day}T00:00:00Z` } });
  }
}

/** Sorted by ship date, then by id; orders without a ship date are last. */
const byShipDate = [7, 2, 5, 4, 1, 8, 3, 6];
const orderIds = [1, 2, 3, 4, 5, 6, 7, 8];

interface Sorted {
  readonly name: string;
  readonly turn: (shop: TestShop, limit: number, cursor?: string) => Promise<Page<{ readonly id?: number; readonly petId?: number | undefined }>>;
  readonly expected: readonly number[];
}

const lists: readonly Sorted[] = [
  { name: 'pets by default', turn: ({ call }, limit, cursor) => call(listPets, { limit, cursor }), expected: byId },
  { name: 'categories by default', turn: ({ call }, limit, cursor) => call(listCategories, { limit, cursor }), expected: byId },
  { name: 'inventory by default', turn: ({ call }, limit, cursor) => call(listInventory, { limit, cursor }), expected: byId },
  { name: 'orders by default', turn: ({ call }, limit, cursor) => call(listOrders, { limit, cursor }), expected: orderIds },
  ...(
    [
      ['id', byId],
      ['name', byName],
    ] as const
  ).flatMap(([sort, expected]): Sorted[] => [
    { name: `pets by ${sort}`, turn: ({ call }, limit, cursor) => call(listPets, { limit, cursor, sort }), expected },
    { name: `pets by -${sort}`, turn: ({ call }, limit, cursor) => call(listPets, { limit, cursor, sort: `-${sort}` }), expected: expected.toReversed() },
    { name: `categories by ${sort}`, turn: ({ call }, limit, cursor) => call(listCategories, { limit, cursor, sort }), expected },
    {
      name: `categories by -${sort}`,
      turn: ({ call }, limit, cursor) => call(listCategories, { limit, cursor, sort: `-${sort}` }),
      expected: expected.toReversed(),
    },
  ]),
  { name: 'inventory by -petId', turn: ({ call }, limit, cursor) => call(listInventory, { limit, cursor, sort: '-petId' }), expected: byId.toReversed() },
  { name: 'orders by -id', turn: ({ call }, limit, cursor) => call(listOrders, { limit, cursor, sort: '-id' }), expected: orderIds.toReversed() },
  { name: 'orders by shipDate', turn: ({ call }, limit, cursor) => call(listOrders, { limit, cursor, sort: 'shipDate' }), expected: byShipDate },
  { name: 'orders by -shipDate', turn: ({ call }, limit, cursor) => call(listOrders, { limit, cursor, sort: '-shipDate' }), expected: byShipDate.toReversed() },
];

testOnEveryStore('pages of any size return the same rows in the same order, in both directions, in every list', async (shop) => {
  await fill(shop);
  for (const { name, turn, expected } of lists) {
    for (const limit of [1, 3, 4, expected.length, expected.length + 1]) {
      const what = `${name}, ${limit} a page`;
      const turned: Turn<{ readonly id?: number; readonly petId?: number | undefined }> = (cursor) => turn(shop, limit, cursor);
      const pages = await forward(turned);
      expect(ids(pages), what).toEqual(expected);
      expect(pages, what).toHaveLength(Math.ceil(expected.length / limit));
      const back = await backward(turned, pages.at(-1));
      expect(
        back.map((page) => page.items),
        what,
      ).toEqual(pages.slice(0, -1).map((page) => page.items));
      expect(pages[0], what).not.toHaveProperty('previous');
    }
  }
});

testOnEveryStore('ledger and batches can be listed in both directions', async (shop) => {
  const { call, shop: here } = shop;
  await fill(shop);
  const rows = (await shop.ledger()).map(({ id }) => id);
  expect(ids(await forward((cursor) => call(listLedger, { limit: 7, cursor })))).toEqual(rows);
  expect(ids(await forward((cursor) => call(listLedger, { limit: 7, cursor, sort: '-id' })))).toEqual(rows.toReversed());
  for (const quantity of [1, 2, 3]) {
    const bytes = (async function* () {
      yield Buffer.from(`petId,quantity\n9,${quantity}\n`);
    })();
    await here.importStock({ bytes, map: new Map() }, { mode: 'atomic' });
  }
  expect(ids(await forward((cursor) => call(listBatches, { limit: 2, cursor })))).toEqual([1, 2, 3]);
  expect(ids(await forward((cursor) => call(listBatches, { limit: 2, cursor, sort: '-id' })))).toEqual([3, 2, 1]);
  expect((await call(listBatches, { count: true })).total).toBe(3);
});

testOnEveryStore('an empty list has one empty page', async ({ call }) => {
  expect(await call(listPets, {})).toEqual({ items: [] });
  expect(await call(listPets, { count: true })).toEqual({ items: [], total: 0 });
});

testOnEveryStore('returns the total of all pages only on request', async (shop) => {
  await fill(shop);
  expect(await shop.call(listPets, { limit: 5 })).not.toHaveProperty('total');
  const { next, total } = await shop.call(listPets, { limit: 5, count: true });
  expect(total).toBe(12);
  expect((await shop.call(listPets, { limit: 5, count: true, cursor: next })).total).toBe(12);
  expect((await shop.call(listOrders, { count: true, complete: true })).total).toBe(0);
});

testOnEveryStore('a page has 1 to 500 rows, by default 50', async ({ callEach, call, callUnchecked, category, expectRefusal }) => {
  const categoryId = await category();
  await callEach(
    createPet,
    Array.from({ length: 501 }, (_, index) => ({ body: { name: `Pet ${index}`, categoryId } })),
  );
  expect((await call(listPets, {})).items).toHaveLength(50);
  expect((await call(listPets, { limit: 500 })).items).toHaveLength(500);
  for (const limit of [0, -1, 501, 1.5, '7', null]) await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { limit }), /limit: must be/);
});

testOnEveryStore('refuses an unknown sort', async ({ callUnchecked, expectRefusal }) => {
  await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { sort: 'status' }), /sort: must be one of id, -id, name, -name/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listOrders, { sort: '--id' }), /sort: must be one of id, -id, shipDate, -shipDate/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listInventory, { sort: 'quantity' }), /sort: must be one of petId, -petId/);
});

testOnEveryStore('refuses a cursor with another list, filter or sort', async (shop) => {
  await fill(shop);
  const { call, expectRefusal } = shop;
  const { next: cursor = '' } = await call(listPets, { limit: 2 });
  expect(ids([await call(listPets, { limit: 3, cursor })])).toEqual([3, 4, 5]);
  const says = /The cursor does not belong to this query/;
  const others = [
    () => call(listPets, { cursor, sort: '-id' }),
    () => call(listPets, { cursor, sort: 'name' }),
    () => call(listPets, { cursor, status: ['available'] }),
    () => call(listPets, { cursor, q: 'rex' }),
    () => call(listPets, { cursor, categoryId: [1] }),
    () => call(listCategories, { cursor }),
    () => call(listOrders, { cursor }),
    () => call(listLedger, { cursor }),
    () => call(listBatches, { cursor }),
    () => call(listInventory, { cursor }),
  ];
  for (const other of others) await expectRefusal('invalid_cursor', other, says);
});

function text(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

testOnEveryStore('refuses an invalid cursor', async (shop) => {
  await fill(shop);
  const { next = '' } = await shop.call(listPets, { limit: 2 });
  const [query] = JSON.parse(Buffer.from(next, 'base64url').toString()) as [string];
  const forged = [
    '',
    'x',
    '7',
    next.slice(0, -3),
    text(null),
    text({}),
    text([query]),
    text([query, 2, 1, 1]),
    text([query, 0, 1, 1.5]),
    text([query, 0, null, 1]),
  ];
  for (const cursor of forged) await shop.expectRefusal('invalid_cursor', () => shop.call(listPets, { cursor }), /cursor/);
  await shop.expectRefusal('invalid_parameter', () => shop.callUnchecked(listPets, { cursor: 7 }), /cursor: /);
});

/** Cursor keys that no row of these lists can have. */
const wrongKeys: readonly {
  readonly turn: (shop: TestShop, limit: number, cursor?: string) => Promise<Page<unknown>>;
  readonly keys: readonly unknown[];
}[] = [
  { turn: ({ call }, limit, cursor) => call(listPets, { limit, cursor }), keys: ['', 'a', 1.5, 2, 0, -1, 1e300, 'a\0b'] },
  { turn: ({ call }, limit, cursor) => call(listInventory, { limit, cursor }), keys: ['', 1.5, 2, 'a\0b'] },
  { turn: ({ call }, limit, cursor) => call(listPets, { limit, cursor, sort: 'name' }), keys: [7, 1.5, 'a\0b', '\ud800'] },
  { turn: ({ call }, limit, cursor) => call(listCategories, { limit, cursor, sort: '-name' }), keys: [7, 1.5, 'a\0b', '\ud800'] },
  { turn: ({ call }, limit, cursor) => call(listOrders, { limit, cursor, sort: 'shipDate' }), keys: ['', '1', 1.5, 1e300, 'a\0b'] },
  { turn: ({ call }, limit, cursor) => call(listLedger, { limit, cursor }), keys: ['', 1.5, 2] },
];

testOnEveryStore('refuses a cursor whose key does not match the sort, in every list', async (shop) => {
  await fill(shop);
  for (const { turn, keys } of wrongKeys) {
    const { next = '' } = await turn(shop, 1);
    const [query] = JSON.parse(Buffer.from(next, 'base64url').toString()) as [string];
    for (const key of keys)
      await shop.expectRefusal('invalid_cursor', () => turn(shop, 1, text([query, 0, key, 1])), /The cursor does not belong to this query/);
    await shop.expectRefusal('invalid_cursor', () => turn(shop, 1, text([query, 0, 0, 0])), /cursor/);
  }
});

testOnEveryStore('paging neither skips nor repeats an unchanged row while others are added and deleted', async (shop) => {
  await fill(shop);
  const { call, pet } = shop;
  for (const sort of ['id', '-id', 'name', '-name']) {
    const before = (await call(listPets, { limit: 500 })).items.map(({ id }) => id);
    const doomed = [before[1], before[4], before[5]];
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let turn = 0; turn === 0 || cursor !== undefined; turn += 1) {
      const page = await call(listPets, { sort, limit: 2, cursor });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
      const gone = doomed[turn];
      if (gone !== undefined) {
        await call(updatePet, { petId: gone, body: { name: 'moved' } });
        await call(deletePet, { petId: await emptied(shop, gone) });
      }
      if (turn < 3) await pet({ name: ['a', 'm', 'z'][turn] ?? '', categoryId: 1 });
    }
    const stood = before.filter((id) => !doomed.includes(id));
    expect(seen.filter((id) => stood.includes(id)).toSorted((a, b) => a - b)).toEqual(stood);
  }
});

async function emptied({ call, set }: TestShop, petId: number): Promise<number> {
  for (const { id, complete } of (await call(listOrders, { petId: [petId], complete: false })).items) {
    if (!complete) await call(updateOrder, { orderId: id, body: { petId: null } });
  }
  await set(petId, 0);
  return petId;
}

testOnEveryStore('a cursor works after its row was deleted', async (shop) => {
  await fill(shop);
  const { call } = shop;
  const { items, next } = await call(listPets, { limit: 9, sort: 'name' });
  await call(deletePet, { petId: await emptied(shop, items.at(-1)?.id ?? 0) });
  expect(ids([await call(listPets, { limit: 9, sort: 'name', cursor: next })])).toEqual(byName.slice(9));
});

testOnEveryStore('new rows with an equal name are listed after the old ones', async ({ call, pet }) => {
  for (const name of ['Rex', 'Rex', 'Rex']) await pet({ name });
  const { next } = await call(listPets, { sort: 'name', limit: 2 });
  await pet({ name: 'Rex' });
  expect(ids([await call(listPets, { sort: 'name', limit: 2, cursor: next })])).toEqual([3, 4]);
});

testOnEveryStore('drafts are listed with the open orders', async ({ call, pet }) => {
  await pet();
  await call(placeOrder, { body: {} });
  await call(placeOrder, { body: { petId: 1, complete: true } });
  expect(ids([await call(listOrders, {})])).toEqual([1, 2]);
  expect(ids([await call(listOrders, { complete: false })])).toEqual([1]);
  expect(ids([await call(listOrders, { complete: true })])).toEqual([2]);
});
