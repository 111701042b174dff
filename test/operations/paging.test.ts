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
import { pagesOf, type Turn } from '../support/pages.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

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

type SortedList = (
  shop: TestShop,
  sort: string | undefined,
  limit: number,
  cursor?: string,
) => Promise<Page<{ readonly id?: number; readonly petId?: number | undefined }>>;

const petList: SortedList = ({ callUnchecked }, sort, limit, cursor) => callUnchecked(listPets, { sort, limit, cursor });
const categoryList: SortedList = ({ callUnchecked }, sort, limit, cursor) => callUnchecked(listCategories, { sort, limit, cursor });
const inventoryList: SortedList = ({ callUnchecked }, sort, limit, cursor) => callUnchecked(listInventory, { sort, limit, cursor });
const orderList: SortedList = ({ callUnchecked }, sort, limit, cursor) => callUnchecked(listOrders, { sort, limit, cursor });

/** The rows of each list in each order; the first order is the default. */
const lists: readonly (readonly [name: string, list: SortedList, orders: Readonly<Record<string, readonly number[]>>])[] = [
  ['pets', petList, { id: byId, name: byName }],
  ['categories', categoryList, { id: byId, name: byName }],
  ['inventory', inventoryList, { petId: byId }],
  ['orders', orderList, { id: orderIds, shipDate: byShipDate }],
];

const sortedLists = lists.flatMap(([name, list, orders]) =>
  Object.entries(orders).flatMap(([sort, expected], index) => [
    ...(index === 0 ? [{ name, list, sort: undefined, expected }] : []),
    { name, list, sort, expected },
    { name, list, sort: `-${sort}`, expected: expected.toReversed() },
  ]),
);

testOnEveryStore('pages of any size return the same rows in the same order, in both directions, in every list', async (shop) => {
  await fill(shop);
  for (const { name, list, sort, expected } of sortedLists) {
    for (const limit of [1, 3, 4, expected.length, expected.length + 1]) {
      const what = `${name} by ${sort}, ${limit} a page`;
      const turned = (cursor: string | undefined) => list(shop, sort, limit, cursor);
      const pages = await pagesOf(turned);
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
  expect(ids(await pagesOf((cursor) => call(listLedger, { limit: 7, cursor })))).toEqual(rows);
  expect(ids(await pagesOf((cursor) => call(listLedger, { limit: 7, cursor, sort: '-id' })))).toEqual(rows.toReversed());
  for (const quantity of [1, 2, 3]) {
    const bytes = (async function* () {
      yield Buffer.from(`petId,quantity\n9,${quantity}\n`);
    })();
    await here.importStock({ bytes, map: new Map() }, { mode: 'atomic' });
  }
  expect(ids(await pagesOf((cursor) => call(listBatches, { limit: 2, cursor })))).toEqual([1, 2, 3]);
  expect(ids(await pagesOf((cursor) => call(listBatches, { limit: 2, cursor, sort: '-id' })))).toEqual([3, 2, 1]);
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
const wrongKeys: readonly (readonly [list: SortedList, sort: string | undefined, keys: readonly unknown[]])[] = [
  [petList, undefined, ['', 'a', 1.5, 2, 0, -1, 1e300, 'a\0b']],
  [inventoryList, undefined, ['', 1.5, 2, 'a\0b']],
  [petList, 'name', [7, 1.5, 'a\0b', '\ud800']],
  [categoryList, '-name', [7, 1.5, 'a\0b', '\ud800']],
  [orderList, 'shipDate', ['', '1', 1.5, 1e300, 'a\0b']],
  [({ callUnchecked }, sort, limit, cursor) => callUnchecked(listLedger, { sort, limit, cursor }), undefined, ['', 1.5, 2]],
];

testOnEveryStore('refuses a cursor whose key does not match the sort, in every list', async (shop) => {
  await fill(shop);
  for (const [list, sort, keys] of wrongKeys) {
    const { next = '' } = await list(shop, sort, 1);
    const [query] = JSON.parse(Buffer.from(next, 'base64url').toString()) as [string];
    for (const key of keys)
      await shop.expectRefusal('invalid_cursor', () => list(shop, sort, 1, text([query, 0, key, 1])), /The cursor does not belong to this query/);
    await shop.expectRefusal('invalid_cursor', () => list(shop, sort, 1, text([query, 0, 0, 0])), /cursor/);
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

testOnEveryStore('drafts are listed with the open orders', async ({ call, pet }) => {
  await pet();
  await call(placeOrder, { body: {} });
  await call(placeOrder, { body: { petId: 1, complete: true } });
  expect(ids([await call(listOrders, {})])).toEqual([1, 2]);
  expect(ids([await call(listOrders, { complete: false })])).toEqual([1]);
  expect(ids([await call(listOrders, { complete: true })])).toEqual([2]);
});
