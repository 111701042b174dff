import { expect, test } from 'vitest';
import { returnUnits } from '../../src/domain/orders/return-units.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { coveredDays, reportSellThrough } from '../../src/domain/reports/report-sell-through.js';
import { utc } from '../../src/domain/values/time-zone.js';
import { reportDeadStock } from '../../src/domain/reports/report-dead-stock.js';
import { reportMovements, weekOf } from '../../src/domain/reports/report-movements.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { sell } from '../support/stock.js';
import { undo } from '../support/undo.js';

const day = 24 * 60 * 60 * 1000;

/** Two days of a shop: deliveries, sales, a count and an undo on the first, a return and a write-off on the second. */
async function busy(testShop: TestShop): Promise<void> {
  const { category, pet, adjust, set, call, clock } = testShop;
  const [dogs, fish] = [await category('Dogs'), await category('Fish')];
  await pet({ categoryId: dogs, name: 'Rex' });
  const koi = await pet({ categoryId: fish, name: 'Koi', quantity: 20 });
  await adjust(koi, 10);
  await adjust(koi, 7);
  await call(undoEntry, { entryId: (await testShop.ledger({ petId: koi, kind: ['adjust'] })).at(-1)?.id ?? 0 });
  await set(koi, 28);
  await sell(testShop, koi, 12);
  clock.pass(day);
  await call(updateOrder, { orderId: 1, body: { complete: false } });
  await adjust(koi, -3);
}

const nothing = { received: 0, sold: 0, returned: 0, writtenOff: 0, counted: 0 };
const dogsStand = { categoryId: 1, category: 'Dogs', ...nothing, opening: 1, closing: 1 };

testOnEveryStore('reports the stock movements of each category', async (testShop) => {
  await busy(testShop);
  expect(await testShop.call(reportMovements, {})).toEqual([
    { ...dogsStand, opening: 0, received: 1 },
    { categoryId: 2, category: 'Fish', opening: 0, received: 30, sold: 12, returned: 12, writtenOff: 3, counted: -2, closing: 25 },
  ]);
  const [from, to] = ['2026-11-21', '2026-11-21'];
  expect(await testShop.call(reportMovements, { from, to })).toEqual([
    dogsStand,
    { categoryId: 2, category: 'Fish', ...nothing, opening: 16, returned: 12, writtenOff: 3, closing: 25 },
  ]);
});

testOnEveryStore('in movements by day each opening equals the closing of the day before', async (testShop) => {
  await busy(testShop);
  const first = { day: '2026-11-20', opening: 0, received: 31, sold: 12, returned: 0, writtenOff: 0, counted: -2, closing: 17 };
  const second = { day: '2026-11-21', opening: 17, ...nothing, returned: 12, writtenOff: 3, closing: 26 };
  expect(await testShop.call(reportMovements, { by: 'day' })).toEqual([first, second]);
  expect(await testShop.call(reportMovements, { by: 'day', from: '2026-11-21' })).toEqual([second]);
  expect(await testShop.call(reportMovements, { by: 'day', from: '2026-11-22' })).toEqual([]);
});

testOnEveryStore('reports the movements of each pet, week and month', async (testShop) => {
  await busy(testShop);
  const { call, clock, adjust } = testShop;
  const koi = { petId: 2, pet: 'Koi', opening: 0, received: 30, sold: 12, returned: 12, writtenOff: 3, counted: -2, closing: 25 };
  expect(await call(reportMovements, { by: 'pet' })).toEqual([{ petId: 1, pet: 'Rex', ...nothing, opening: 0, received: 1, closing: 1 }, koi]);
  expect(await call(reportMovements, { by: 'pet', from: '2026-11-21' })).toEqual([
    { petId: 2, pet: 'Koi', ...nothing, opening: 16, returned: 12, writtenOff: 3, closing: 25 },
  ]);
  clock.pass(10 * day);
  await adjust(1, 4);
  const november = { opening: 0, received: 31, sold: 12, returned: 12, writtenOff: 3, counted: -2, closing: 26 };
  const later = { ...nothing, opening: 26, received: 4, closing: 30 };
  expect(await call(reportMovements, { by: 'week' })).toEqual([
    { week: '2026-W47', ...november },
    { week: '2026-W49', ...later },
  ]);
  expect(await call(reportMovements, { by: 'month' })).toEqual([
    { month: '2026-11', ...november },
    { month: '2026-12', ...later },
  ]);
});

testOnEveryStore('a report with top has the rows of which most was sold', async (testShop) => {
  const { call, pet, callUnchecked, expectRefusal, clock } = testShop;
  for (const quantity of [5, 20, 9]) await pet({ quantity });
  await sell(testShop, 1, 2);
  clock.pass(day);
  await sell(testShop, 2, 7);
  await sell(testShop, 3, 7);
  expect((await call(reportMovements, { by: 'pet', top: 2 })).map(({ petId, sold }) => [petId, sold])).toEqual([
    [2, 7],
    [3, 7],
  ]);
  // Pet 4 was not sold.
  await pet({ quantity: 1 });
  expect((await call(reportMovements, { by: 'pet', top: 9 })).map(({ petId }) => petId)).toEqual([2, 3, 1]);
  expect((await call(reportMovements, { by: 'day', top: 1 })).map(({ day: on, sold }) => [on, sold])).toEqual([['2026-11-21', 14]]);
  for (const top of [0, 10_001, 1.5]) await expectRefusal('invalid_parameter', () => callUnchecked(reportMovements, { top }), /top: must be/);
});

test('a week is that of ISO 8601', () => {
  const days = ['2026-11-22', '2026-11-23', '2027-01-01', '2026-01-01', '2024-12-30', '2021-01-03', '2020-12-31'];
  expect(days.map(weekOf)).toEqual(['2026-W47', '2026-W48', '2026-W53', '2026-W01', '2025-W01', '2020-W53', '2020-W53']);
});

testOnEveryStore('an undo reduces the kind of movement that it reverses, also on a later day', async ({ call, pet, adjust, clock }) => {
  const petId = await pet({ quantity: 5 });
  await adjust(petId, 30);
  await adjust(petId, -4);
  clock.pass(day);
  await call(undoEntry, { entryId: 3 });
  await call(undoEntry, { entryId: 4 });
  expect(await call(reportMovements, { from: '2026-11-21' })).toEqual([{ ...dogsStand, opening: 31, received: -30, writtenOff: -4, closing: 5 }]);
});

testOnEveryStore('movements of the past include deleted pets and categories', async ({ call, category, pet, clock }) => {
  const petId = await pet();
  await category('Cats');
  clock.pass(day);
  await call(deletePet, { petId });
  expect(await call(reportMovements, { to: '2026-11-20' })).toEqual([{ ...dogsStand, opening: 0, received: 1 }]);
  expect(await call(reportMovements, { from: '2026-11-21' })).toEqual([{ ...dogsStand, writtenOff: 1, closing: 0 }]);
  expect(await call(reportMovements, { from: '2026-11-22' })).toEqual([]);
});

testOnEveryStore('refuses a range that ends before it starts', async ({ call, expectRefusal }) => {
  const range = { from: '2026-11-21', to: '2026-11-20' };
  const says = /^The range starts at 2026-11-21.*, after its end at 2026-11-20/;
  await expectRefusal('validation_failed', () => call(reportMovements, range), says);
  await expectRefusal('validation_failed', () => call(reportSellThrough, range), says);
  await expectRefusal('invalid_parameter', () => call(reportMovements, { from: 'yesterday' }), /from: must be a date/);
});

testOnEveryStore('an empty shop has empty reports', async ({ call }) => {
  const [from, at] = ['2026-11-20', '2026-11-20'];
  const reports = [await call(reportStock, {}), await call(reportStock, { at }), await call(reportMovements, {}), await call(reportMovements, { from })];
  expect([...reports, await call(reportMovements, { by: 'day' }), await call(reportSellThrough, { from })]).toEqual([[], [], [], [], [], []]);
});

testOnEveryStore('sell-through divides the sold units by the units that could be sold', async (testShop) => {
  const { call, category, pet, clock } = testShop;
  const [dogs, fish] = [await category('Dogs'), await category('Fish')];
  await pet({ categoryId: dogs, quantity: 0 });
  const koi = await pet({ categoryId: fish, quantity: 30 });
  clock.pass(2 * day);
  await sell(testShop, koi, 7);
  await sell(testShop, koi, 4);
  await call(updateOrder, { orderId: 2, body: { complete: false } });
  clock.pass(2 * day);
  await call(updatePet, { petId: koi, body: { name: 'Carp' } });
  const moved = { received: 30, sold: 11, returned: 4, closing: 23 };
  const none = { opening: 0, received: 0, sold: 0, returned: 0, closing: 0 };
  // 7 of 30 in four days; at that rate 23 last 13.1 days.
  expect(await call(reportSellThrough, {})).toEqual([
    { categoryId: 1, category: 'Dogs', ...none },
    { categoryId: 2, category: 'Fish', opening: 0, ...moved, sellThrough: 0.2333, daysOfStock: 13.1 },
    { opening: 0, ...moved, sellThrough: 0.2333, daysOfStock: 13.1 },
  ]);
  const rows = await call(reportSellThrough, { from: '2026-11-23' });
  expect(rows.at(-1)).toEqual({ ...none, opening: 23, closing: 23, sellThrough: 0 });
});

test('a range covers the days of the ledger, at least one', () => {
  const span = { from: '2026-11-01T12:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };
  const days = (from?: string, to?: string): number => coveredDays({ from, to }, span, utc);
  expect(days()).toBe(19.5);
  expect(days('2020-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z')).toBe(19.5);
  expect(days('2026-11-11T00:00:00.000Z', '2026-11-13T00:00:00.000Z')).toBe(2);
  expect(days('2026-11-20T23:00:00.000Z')).toBe(1);
  expect(days('2027-01-01T00:00:00.000Z')).toBe(1);
});

testOnEveryStore('dead stock lists pets on hand without a sale for a number of days, the longest first', async (testShop) => {
  const { call, category, pet, clock } = testShop;
  const fish = await category('Fish');
  const [guppy, koi, tetra] = [
    await pet({ categoryId: fish, name: 'Guppy', quantity: 5 }),
    await pet({ categoryId: fish, name: 'Koi', quantity: 9 }),
    await pet({ categoryId: fish, name: 'Tetra', quantity: 1 }),
  ];
  await sell(testShop, tetra, 1);
  clock.pass(10 * day);
  await sell(testShop, koi, 2);
  const sold = new Date(clock.now()).toISOString();
  clock.pass(100 * day);
  const young = await pet({ categoryId: fish, name: 'Young', quantity: 3 });
  const idle = [
    { petId: guppy, pet: 'Guppy', category: 'Fish', onHand: 5, idleDays: 110 },
    { petId: koi, pet: 'Koi', category: 'Fish', onHand: 7, lastSold: sold, idleDays: 100 },
  ];
  expect(await call(reportDeadStock, {})).toEqual(idle);
  expect(await call(reportDeadStock, { days: 100 })).toEqual(idle);
  expect(await call(reportDeadStock, { days: 101 })).toEqual(idle.slice(0, 1));
  clock.pass(day);
  expect((await call(reportDeadStock, { days: 1 })).map(({ petId }) => petId)).toEqual([guppy, koi, young]);
});

testOnEveryStore('dead stock ignores sales that were reversed', async (testShop) => {
  const { call, pet, clock } = testShop;
  const koi = await pet({ name: 'Koi', quantity: 9 });
  clock.pass(50 * day);
  await sell(testShop, koi, 2);
  await call(updateOrder, { orderId: 1, body: { complete: false } });
  clock.pass(50 * day);
  const [row] = await call(reportDeadStock, { days: 60 });
  expect([row?.petId, row?.lastSold, row?.idleDays]).toEqual([koi, undefined, 100]);
});

testOnEveryStore('dead stock ignores a sale by status that was undone, and the undos of a return and of a reopening', async (testShop) => {
  const { call, pet, clock } = testShop;
  const koi = await pet({ name: 'Koi', quantity: 9 });
  const single = await pet({ name: 'Rex', quantity: 1 });
  const firstSale = new Date(clock.now()).toISOString();
  await sell(testShop, koi, 2);
  clock.pass(50 * day);
  await call(updateOrder, { orderId: 1, body: { complete: false } });
  await undo(testShop);
  const afterReopening = await call(reportDeadStock, { days: 40 });
  expect(afterReopening.map(({ petId, lastSold }) => [petId, lastSold])).toContainEqual([koi, firstSale]);
  await call(updatePet, { petId: single, body: { status: 'sold' } });
  await undo(testShop);
  await call(returnUnits, { body: { petId: koi } });
  await undo(testShop);
  clock.pass(50 * day);
  const rows = await call(reportDeadStock, { days: 60 });
  expect(rows.map(({ petId, lastSold, idleDays }) => [petId, lastSold, idleDays])).toEqual([
    [koi, firstSale, 100],
    [single, undefined, 100],
  ]);
});

testOnEveryStore('reports stock by category and status, with the status that lists show', async ({ call, category, pet }) => {
  const [dogs, fish] = [await category('Dogs'), await category('Fish')];
  for (const categoryId of [dogs, fish]) {
    await pet({ categoryId, quantity: 0 });
    await pet({ categoryId, quantity: 5, reserved: 2 });
    await pet({ categoryId, quantity: 3, reserved: 3 });
    await pet({ categoryId, quantity: 0, reserved: 1 });
    await pet({ categoryId, quantity: 4, hold: true });
  }
  await pet({ categoryId: fish, quantity: 9 });
  const rows = await call(reportStock, {});
  expect(rows).toEqual([
    { categoryId: 1, category: 'Dogs', status: 'available', pets: 1, onHand: 5, reserved: 2, held: 0, available: 3 },
    { categoryId: 1, category: 'Dogs', status: 'pending', pets: 3, onHand: 7, reserved: 4, held: 4, available: 0 },
    { categoryId: 1, category: 'Dogs', status: 'sold', pets: 1, onHand: 0, reserved: 0, held: 0, available: 0 },
    { categoryId: 2, category: 'Fish', status: 'available', pets: 2, onHand: 14, reserved: 2, held: 0, available: 12 },
    { categoryId: 2, category: 'Fish', status: 'pending', pets: 3, onHand: 7, reserved: 4, held: 4, available: 0 },
    { categoryId: 2, category: 'Fish', status: 'sold', pets: 1, onHand: 0, reserved: 0, held: 0, available: 0 },
  ]);
  for (const { status, categoryId, pets } of rows) {
    expect(await call(listPets, { categoryId: [categoryId], ...(status && { status: [status] }), count: true })).toMatchObject({ total: pets });
  }
});
