import { expect } from 'vitest';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { pagesOf } from '../support/pages.js';
import { testOnEveryStore } from '../support/stores.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { sell } from '../support/stock.js';

const day = 24 * 60 * 60 * 1000;

testOnEveryStore('stock at a past time counts the pets of that time in their present categories', async ({ call, category, pet, adjust, clock }) => {
  const [dogs, fish] = [await category('Dogs'), await category('Fish')];
  const [koi, rex] = [await pet({ categoryId: fish, quantity: 5 }), await pet({ categoryId: dogs })];
  clock.pass(day);
  await adjust(koi, 3);
  await call(deletePet, { petId: rex });
  await pet({ categoryId: dogs, quantity: 2 });
  const before = [
    { categoryId: 1, category: 'Dogs', pets: 1, onHand: 1 },
    { categoryId: 2, category: 'Fish', pets: 1, onHand: 5 },
  ];
  expect(await call(reportStock, { at: '2026-11-20' })).toEqual(before);
  expect(await call(reportStock, { at: '2026-11-19' })).toEqual([]);
  const after = [
    { ...before[0], onHand: 2 },
    { ...before[1], onHand: 8 },
  ];
  expect(await call(reportStock, { at: '2030-01-01' })).toEqual(after);
  await call(updatePet, { petId: koi, body: { categoryId: dogs } });
  expect(await call(reportStock, { at: '2026-11-20' })).toEqual([{ ...before[0], pets: 2, onHand: 6 }]);
});

testOnEveryStore('the inventory at a past time can be paged and leaves out pets created later', async ({ call, category, pet, clock }) => {
  const fish = await category('Fish');
  for (let index = 0; index < 5; index += 1) await pet({ quantity: index, ...(index % 2 === 0 && { categoryId: fish }) });
  clock.pass(day);
  await call(deletePet, { petId: 2 });
  await pet({ quantity: 8 });
  const walk = async (asked: { readonly sort?: string; readonly categoryId?: number[] }): Promise<readonly number[]> => {
    const pages = await pagesOf((cursor) => call(listInventory, { ...asked, at: '2026-11-20', limit: 2, count: true, cursor }));
    for (const { total } of pages) expect(total).toBe(asked.categoryId ? 3 : 5);
    return pages.flatMap(({ items }) => items.map(({ petId }) => petId));
  };
  expect(await walk({})).toEqual([1, 2, 3, 4, 5]);
  expect(await walk({ sort: '-petId' })).toEqual([5, 4, 3, 2, 1]);
  expect(await walk({ categoryId: [fish] })).toEqual([1, 3, 5]);
});

testOnEveryStore('the inventory is searched by name, at a past time too', async ({ call, pet, clock }) => {
  const id = await pet({ name: 'Élodie' });
  await pet({ name: 'Goldfish', quantity: 9 });
  clock.pass(day);
  await call(holdPet, { petId: id });
  const found = { items: [{ petId: id, status: 'pending' }], total: 1 };
  expect(await call(listInventory, { q: 'elod', count: true })).toMatchObject(found);
  expect(await call(listInventory, { q: 'elod', status: ['pending'], count: true })).toMatchObject(found);
  const past = await call(listInventory, { q: 'ELOD', at: '2026-11-20', count: true });
  expect(past).toMatchObject({ items: [{ petId: id, status: 'available' }], total: 1 });
  expect(await call(listInventory, { q: 'nobody', at: '2026-11-20', count: true })).toEqual({ items: [], total: 0 });
});

testOnEveryStore('refuses filters by status and low level for the inventory at a past time', async ({ call, expectRefusal, pet }) => {
  await pet();
  const at = '2026-11-20';
  await expectRefusal('invalid_parameter', () => call(listInventory, { at, low: true }), /at, low: /);
  await expectRefusal('invalid_parameter', () => call(listInventory, { at, short: true }), /at, short: /);
  await expectRefusal('invalid_parameter', () => call(listInventory, { at, status: ['sold'] }), /at, status: /);
});

testOnEveryStore('the inventory at a past time uses the present quantity of an edited order', async ({ call, pet, clock }) => {
  const petId = await pet({ quantity: 9, reserved: 2 });
  clock.pass(day);
  await call(updateOrder, { orderId: 1, body: { quantity: 5 } });
  await call(cancelOrder, { orderId: 1 });
  const { items } = await call(listInventory, { at: '2026-11-20' });
  expect(items).toMatchObject([{ petId, quantity: 9, reserved: 5, available: 4 }]);
});

testOnEveryStore('the stock of each day is that of the pets of its inventory', async (testShop) => {
  const { shop, call, category, pet, adjust, clock } = testShop;
  const [dogs, fish] = [await category('Dogs'), await category('Fish')];
  const undo = () => call(undoLast, { body: {} });
  const days: (() => Promise<unknown>)[] = [
    () => pet({ categoryId: fish, quantity: 5 }),
    () => pet({ categoryId: dogs, quantity: 0 }),
    () => call(deletePet, { petId: 2 }),
    undo,
    () => shop.importPets(csv('name,category,quantity', 'Koi,Fish,7', 'Eel,Fish,0', 'Cat,Dogs,2'), { mode: 'atomic' }),
    () => adjust(3, -4),
    () => call(deletePet, { petId: 4 }),
    () => sell(testShop, 1, 5),
    () => pet({ categoryId: dogs, quantity: 3 }),
    undo,
    () => call(updatePet, { petId: 1, body: { categoryId: dogs } }),
    () => call(deletePet, { petId: 1 }),
  ];
  for (const change of days) {
    await change();
    clock.pass(day);
  }
  for (const [index] of days.entries()) {
    const at = new Date(Date.UTC(2026, 10, 20) + index * day).toISOString().slice(0, 10);
    const { items } = await call(listInventory, { at, limit: 100 });
    const expected = new Map<number, { pets: number; onHand: number }>();
    for (const { petId, quantity } of items) {
      const [row] = await testShop.rows<{ readonly id: number }>(sql`SELECT category_id AS id FROM pets WHERE id = ${petId}`);
      const { pets, onHand } = expected.get(row?.id ?? 0) ?? { pets: 0, onHand: 0 };
      expected.set(row?.id ?? 0, { pets: pets + 1, onHand: onHand + quantity });
    }
    const rows = await call(reportStock, { at });
    expect(new Map(rows.map(({ categoryId, pets, onHand }) => [categoryId, { pets, onHand }]))).toEqual(expected);
  }
});
