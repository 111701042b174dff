import { getSummary } from '../../src/domain/reports/get-summary.js';
import { expect } from 'vitest';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

async function low({ call }: TestShop): Promise<readonly number[]> {
  return (await call(listInventory, { low: true })).items.map(({ petId }) => petId);
}

/** A pet with its own low level, and the number of its ledger rows so far. */
async function createWatchedPet(
  { call, pet, ledgerSummary }: TestShop,
  quantity: number,
  lowAt: number,
): Promise<{ petId: number; since: () => Promise<readonly string[]> }> {
  const petId = await pet({ quantity });
  await call(setLowAt, { petId, body: { lowAt } });
  const before = (await ledgerSummary({ petId })).length;
  return { petId, since: async () => (await ledgerSummary({ petId })).slice(before) };
}

testOnEveryStore('the summary counts pets in a shortage and open orders with a past ship date', async ({ call, pet, order, set, clock }) => {
  const petId = await pet({ quantity: 5 });
  const counts = async (): Promise<readonly number[]> => {
    const { short, overdue } = await call(getSummary, {});
    return [short, overdue];
  };
  await order(petId, 2);
  for (const shipDate of ['2026-11-20T12:00:00Z', '2026-11-30T00:00:00Z']) await call(placeOrder, { body: { petId, shipDate } });
  await call(placeOrder, { body: { petId, shipDate: '2026-11-20T12:00:00Z', complete: true } });
  expect(await counts()).toEqual([0, 0]);
  clock.pass(24 * 60 * 60 * 1000);
  expect(await counts()).toEqual([0, 1]);
  // The list of overdue orders has exactly those.
  const listed = async (overdue: boolean): Promise<readonly number[]> => (await call(listOrders, { overdue, sort: 'id' })).items.map(({ id }) => id);
  expect([await listed(true), await listed(false)]).toEqual([[2], [1, 3, 4]]);
  expect((await call(listOrders, { overdue: true, count: true })).total).toBe(1);
  const { items } = await call(listOrders, { sort: 'id' });
  expect(items.map(({ overdue }) => overdue)).toEqual([false, true, false, false]);
  await set(petId, 3, true);
  expect(await counts()).toEqual([1, 1]);
});

testOnEveryStore('the summary counts open orders that are due later today, in a time zone', async ({ call, pet, clock, ledger }) => {
  const petId = await pet({ quantity: 50 });
  const dates = ['2026-11-20T09:00:00Z', '2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00Z', '2026-11-21T04:59:59Z', '2026-11-21T05:00:00Z'];
  for (const shipDate of dates) await call(placeOrder, { body: { petId, shipDate } });
  await call(placeOrder, { body: { petId } });
  await call(placeOrder, { body: { shipDate: '2026-11-20T12:00:00Z' } });
  await call(placeOrder, { body: { petId, shipDate: '2026-11-20T12:00:00Z', complete: true } });
  const counts = async (tz: string): Promise<readonly number[]> => {
    const { due, overdue, newestEntry } = await call(getSummary, { tz });
    expect(newestEntry).toBe((await ledger()).at(-1)?.id);
    return [due, overdue];
  };
  expect(await counts('UTC')).toEqual([2, 0]);
  expect(await counts('America/New_York')).toEqual([4, 0]);
  // The list of open orders from now to the end of the day has exactly those.
  const listed = await call(listOrders, {
    complete: false,
    draft: false,
    shipDateFrom: '2026-11-20T09:00:00Z',
    shipDateTo: '2026-11-20',
    tz: 'America/New_York',
  });
  expect(listed.items.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  clock.pass(1);
  expect(await counts('UTC')).toEqual([1, 1]);
  // Asked for, the summary has those of the whole day, and the last entries with names.
  const { dueOrders, lastEntries } = await call(getSummary, { tz: 'UTC', lists: true });
  expect(dueOrders?.map(({ id, pet: name, overdue }) => [id, name, overdue])).toEqual([
    [1, 'Rex', true],
    [2, 'Rex', false],
  ]);
  expect(lastEntries?.[0]).toEqual({ ...(await ledger()).at(-1), petName: 'Rex' });
});

testOnEveryStore('a pet is low when its available units are at or below its level', async (shop) => {
  const { petId } = await createWatchedPet(shop, 5, 3);
  expect(await low(shop)).toEqual([]);
  await shop.set(petId, 4);
  expect(await low(shop)).toEqual([]);
  await shop.set(petId, 3);
  expect(await low(shop)).toEqual([petId]);
  await shop.set(petId, 9);
  await shop.order(petId, 6);
  expect(await low(shop)).toEqual([petId]);
});

testOnEveryStore('crossing the low level writes one row in each direction', async (shop) => {
  const { petId, since } = await createWatchedPet(shop, 5, 3);
  await shop.set(petId, 4);
  await shop.set(petId, 2);
  await shop.adjust(petId, -1);
  await shop.adjust(petId, 2);
  await shop.adjust(petId, 1);
  await shop.adjust(petId, 1);
  expect(await since()).toEqual(['count -1', 'count -2', 'inventory.low', 'adjust -1', 'adjust +2', 'adjust +1', 'inventory.restocked', 'adjust +1']);
});

testOnEveryStore('an order crosses the low level by the units it reserves', async (shop) => {
  const { petId, since } = await createWatchedPet(shop, 5, 3);
  const orderId = await shop.order(petId, 2);
  await shop.call(updateOrder, { orderId, body: { quantity: 1 } });
  await shop.call(updateOrder, { orderId, body: { quantity: 4 } });
  await shop.call(updateOrder, { orderId, body: { complete: true } });
  await shop.call(updateOrder, { orderId, body: { complete: false } });
  await shop.call(cancelOrder, { orderId });
  expect(await since()).toEqual([
    'order.placed',
    'inventory.low',
    'order.updated',
    'inventory.restocked',
    'order.updated',
    'inventory.low',
    'sale -4',
    'return +4',
    'order.cancelled',
    'inventory.restocked',
  ]);
});

testOnEveryStore('an order that is placed complete crosses the low level once', async (shop) => {
  const { petId, since } = await createWatchedPet(shop, 5, 3);
  await shop.call(placeOrder, { body: { petId, quantity: 3, complete: true } });
  expect(await since()).toEqual(['order.placed', 'inventory.low', 'sale -3']);
});

testOnEveryStore('an order that moves to another pet crosses both low levels', async (shop) => {
  const [from, to] = [await createWatchedPet(shop, 5, 3), await createWatchedPet(shop, 5, 3)];
  const orderId = await shop.order(from.petId, 3);
  await shop.call(updateOrder, { orderId, body: { petId: to.petId } });
  expect(await from.since()).toEqual(['order.placed', 'inventory.low', 'order.updated', 'inventory.restocked']);
  expect(await to.since()).toEqual(['order.updated', 'inventory.low']);
});

testOnEveryStore('changing the low level can cross it', async (shop) => {
  const { petId, since } = await createWatchedPet(shop, 5, 3);
  await shop.call(setLowAt, { petId, body: { lowAt: 5 } });
  await shop.call(setLowAt, { petId, body: { lowAt: 6 } });
  expect(await low(shop)).toEqual([petId]);
  await shop.call(setLowAt, { petId, body: { lowAt: 0 } });
  await shop.call(setLowAt, { petId, body: {} });
  expect(await since()).toEqual(['pet.updated', 'inventory.low', 'pet.updated', 'pet.updated', 'inventory.restocked', 'pet.updated']);
});

testOnEveryStore('setting the same low level again writes nothing', async (shop) => {
  const { petId } = await createWatchedPet(shop, 5, 3);
  await shop.expectUnchanged(() => shop.call(setLowAt, { petId, body: { lowAt: 3 } }));
  const other = await shop.pet();
  await shop.expectUnchanged(() => shop.call(setLowAt, { petId: other, body: {} }));
});

testOnEveryStore('shows the low level of a pet that has one', async ({ call, pet }) => {
  const petId = await pet();
  expect(await call(getInventoryItem, { petId })).not.toHaveProperty('lowAt');
  expect(await call(setLowAt, { petId, body: { lowAt: 0 } })).toMatchObject({ lowAt: 0 });
  expect(await call(getInventoryItem, { petId })).toMatchObject({ lowAt: 0 });
  expect(await call(setLowAt, { petId, body: {} })).not.toHaveProperty('lowAt');
});

testOnEveryStore('the default low level applies to old and new pets without a level', async (shop) => {
  const { call, pet } = shop;
  const [old, own] = [await pet(), await pet()];
  await call(setLowAt, { petId: own, body: { lowAt: 0 } });
  expect(await call(setLowDefault, { body: { lowAt: 2 } })).toEqual({ lowAt: 2 });
  const young = await pet();
  expect(await low(shop)).toEqual([old, young]);
  await call(setLowAt, { petId: own, body: {} });
  expect(await low(shop)).toEqual([old, own, young]);
  expect(await call(setLowDefault, { body: {} })).toEqual({});
  expect(await low(shop)).toEqual([]);
});

testOnEveryStore('changing the default low level writes a row for each pet that crosses it, and no other', async (shop) => {
  const { call, pet, order, ledgerSummary } = shop;
  const [none, two, five, reserved, short, own, gone] = [
    await pet({ quantity: 0 }),
    await pet({ quantity: 2 }),
    await pet({ quantity: 5 }),
    await pet({ quantity: 9 }),
    await pet({ quantity: 1, reserved: 4 }),
    await pet({ quantity: 2 }),
    await pet({ quantity: 1 }),
  ];
  await order(reserved, 7);
  await call(setLowAt, { petId: own, body: { lowAt: 0 } });
  await call(deletePet, { petId: gone });
  const before = new Map(
    await Promise.all([none, two, five, reserved, short, own, gone].map(async (petId) => [petId, (await ledgerSummary({ petId })).length] as const)),
  );
  const since = async (): Promise<readonly (readonly string[])[]> =>
    Promise.all([...before].map(async ([petId, length]) => (await ledgerSummary({ petId })).slice(length)));
  for (const lowAt of [2, 2, 4, 5, 1, undefined, 0]) await call(setLowDefault, { body: { ...(lowAt !== undefined && { lowAt }) } });
  const [down, up] = ['inventory.low', 'inventory.restocked'];
  expect(await since()).toEqual([[down, up, down], [down, up], [down, up], [down, up], [down, up, down], [], []]);
});

testOnEveryStore('a pet keeps its own low level when it equals the default', async (shop) => {
  const { call, pet, ledgerSummary } = shop;
  await call(setLowDefault, { body: { lowAt: 2 } });
  const petId = await pet({ quantity: 2 });
  await call(setLowAt, { petId, body: { lowAt: 2 } });
  expect(await ledgerSummary({ petId })).toEqual(['opening +2', 'pet.updated']);
  await call(setLowDefault, { body: { lowAt: 0 } });
  expect(await call(getInventoryItem, { petId })).toMatchObject({ lowAt: 2 });
});

testOnEveryStore('refuses a low level that is not a quantity', async ({ call, callUnchecked, pet, expectRefusal }) => {
  const petId = await pet();
  await expectRefusal('validation_failed', () => call(setLowAt, { petId, body: { lowAt: -1 } }), /lowAt: must not be negative/);
  await expectRefusal('validation_failed', () => call(setLowDefault, { body: { lowAt: 2 ** 31 } }), /lowAt: must be at most 2147483647/);
  await expectRefusal('validation_failed', () => callUnchecked(setLowAt, { petId, body: { lowAt: '3' } }), /lowAt: must be an integer/);
  await expectRefusal('pet_not_found', () => call(setLowAt, { petId: 9, body: { lowAt: 1 } }), /Pet 9/);
});

testOnEveryStore('creating a pet below its low level writes no low row', async ({ call, category, ledgerSummary }) => {
  await call(setLowDefault, { body: { lowAt: 5 } });
  const { id } = await call(createPet, { body: { name: 'Rex', categoryId: await category() } });
  expect(await ledgerSummary({ petId: id })).toEqual(['opening +1']);
});
