import { expect } from 'vitest';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { testOnEveryStore } from '../support/stores.js';

const maximum = 2 ** 31 - 1;

testOnEveryStore('setting the quantity writes the difference as a count', async ({ call, pet, ledger, ledgerSummary }) => {
  const petId = await pet({ quantity: 3 });
  expect(await call(setInventory, { petId, body: { quantity: 7 } })).toMatchObject({ petId, quantity: 7, reserved: 0, available: 7, status: 'available' });
  expect((await ledger({ petId })).at(-1)).toMatchObject({ kind: 'count', delta: 4, quantityAfter: 7 });
  await call(setInventory, { petId, body: { quantity: 0 } });
  expect(await ledgerSummary({ petId })).toEqual(['opening +3', 'count +4', 'count -7']);
});

testOnEveryStore('setting the quantity to its current value writes nothing', async ({ pet, set, expectUnchanged }) => {
  const petId = await pet({ quantity: 3 });
  await expectUnchanged(() => set(petId, 3));
});

testOnEveryStore('accepts quantities from 0 to 2^31 - 1', async ({ pet, set, adjust, callUnchecked, stockSummary, expectRefusal }) => {
  const petId = await pet();
  await set(petId, maximum);
  expect(await stockSummary(petId)).toBe(`${maximum} on hand, 0 reserved, available`);
  await expectRefusal('validation_failed', () => adjust(petId, 1), /2147483647 on hand/, /maximum of 2147483647/);
  await expectRefusal('validation_failed', () => set(petId, maximum + 1), /quantity: must be at most 2147483647/);
  await expectRefusal('validation_failed', () => set(petId, -1), /quantity: must not be negative/);
  for (const quantity of [1.5, '1', true, null, undefined, NaN, Infinity]) {
    await expectRefusal('validation_failed', () => callUnchecked(setInventory, { petId, body: { quantity } }), /quantity: /);
  }
});

testOnEveryStore('adjusting writes a ledger row with the delta', async ({ pet, adjust, stockSummary, ledgerSummary }) => {
  const petId = await pet({ quantity: 3 });
  await adjust(petId, 2);
  await adjust(petId, -5);
  expect(await stockSummary(petId)).toBe('0 on hand, 0 reserved, sold');
  expect(await ledgerSummary({ petId })).toEqual(['opening +3', 'adjust +2', 'adjust -5']);
});

testOnEveryStore('refuses a quantity below zero, with and without allowShortage', async ({ pet, adjust, expectRefusal }) => {
  const petId = await pet({ quantity: 3, reserved: 2 });
  await expectRefusal('out_of_stock', () => adjust(petId, -4), /Only 3 × Rex \(pet 1\) on hand; cannot remove 4/);
  await expectRefusal('out_of_stock', () => adjust(petId, -4, true), /Only 3 × Rex \(pet 1\) on hand; cannot remove 4/);
});

testOnEveryStore('refuses an adjustment by zero', async ({ pet, adjust, callUnchecked, expectRefusal }) => {
  const petId = await pet();
  await expectRefusal('validation_failed', () => adjust(petId, 0), /delta: must not be 0/);
  await expectRefusal('validation_failed', () => adjust(petId, -(2 ** 31)), /delta: must be at least -2147483647/);
  await expectRefusal('validation_failed', () => adjust(petId, 2 ** 31), /delta: must be at most 2147483647/);
  await expectRefusal('validation_failed', () => callUnchecked(adjustInventory, { petId, body: { delta: '+1' } }), /delta: must be an integer/);
  await expectRefusal('validation_failed', () => callUnchecked(adjustInventory, { petId, body: {} }), /delta: is required/);
});

testOnEveryStore('refuses a quantity below the reserved units and names the orders', async ({ pet, order, set, adjust, expectRefusal }) => {
  const petId = await pet({ quantity: 5 });
  await order(petId, 2);
  await expectRefusal('stock_reserved', () => set(petId, 1), /Pet 1 has 2 units reserved for order 1; 1 on hand would not be enough/);
  await order(petId, 1);
  await expectRefusal('stock_reserved', () => set(petId, 2), /Pet 1 has 3 units reserved for orders 1 and 2; 2 on hand/);
  await expectRefusal('stock_reserved', () => adjust(petId, -3), /Pet 1 has 3 units reserved for orders 1 and 2; 2 on hand/);
});

testOnEveryStore('names ten of many open orders, and how many there are', async ({ call, pet, order, set, expectRefusal }) => {
  const petId = await pet({ quantity: 12 });
  for (let placed = 0; placed < 12; placed += 1) await order(petId, 1);
  const named = { details: { petId, orderIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] } };
  await expect(set(petId, 1)).rejects.toMatchObject({ code: 'stock_reserved', ...named });
  await expectRefusal('stock_reserved', () => set(petId, 1), /12 units reserved for orders 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more; 1 on hand/);
  await expect(order(petId, 1)).rejects.toMatchObject({ code: 'insufficient_stock', ...named });
  await expect(call(deletePet, { petId })).rejects.toMatchObject({ code: 'pet_has_open_orders', message: expect.stringContaining('12 open orders'), ...named });
});

testOnEveryStore('accepts a count equal to the reserved units', async ({ pet, set, adjust, stockSummary }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await set(petId, 2);
  expect(await stockSummary(petId)).toBe('2 on hand, 2 reserved, pending');
  await adjust(petId, 1);
  await adjust(petId, -1);
  expect(await stockSummary(petId)).toBe('2 on hand, 2 reserved, pending');
});

testOnEveryStore('accepts a shortage with allowShortage and marks it in the ledger', async ({ call, pet, set, adjust, stockSummary, rows }) => {
  const [counted, taken] = [await pet({ quantity: 5, reserved: 3 }), await pet({ quantity: 5, reserved: 3 })];
  await set(counted, 1, true);
  await adjust(taken, -4, true);
  for (const petId of [counted, taken]) {
    expect(await stockSummary(petId)).toBe('1 on hand, 3 reserved, pending');
    expect(await call(getInventoryItem, { petId })).toMatchObject({ available: 0, short: true });
  }
  const marked = await rows({ text: 'SELECT kind, delta FROM ledger WHERE shortage = 1 ORDER BY id', values: [] });
  expect(marked).toEqual([
    { kind: 'count', delta: -4 },
    { kind: 'adjust', delta: -4 },
  ]);
});

testOnEveryStore('accepts a delivery that does not cover all reservations, but not a count', async ({ pet, set, adjust, expectRefusal, stockSummary }) => {
  const petId = await pet({ quantity: 1, reserved: 5 });
  await expectRefusal('stock_reserved', () => set(petId, 3), /5 units reserved for order 1; 3 on hand/);
  await adjust(petId, 2);
  expect(await stockSummary(petId)).toBe('3 on hand, 5 reserved, pending');
  await expectRefusal('stock_reserved', () => adjust(petId, -1), /2 on hand would not be enough/);
});

testOnEveryStore('allowShortage has no effect without a shortage', async ({ pet, set, ledgerSummary, expectUnchanged }) => {
  const petId = await pet({ quantity: 5, reserved: 3 });
  await expectUnchanged(() => set(petId, 5, true));
  await set(petId, 4, true);
  expect((await ledgerSummary({ petId })).at(-1)).toBe('count -1');
});

testOnEveryStore('compares the expected quantity before other rules', async ({ call, pet, shopOf, expectRefusal, clock, stockSummary }) => {
  const petId = await pet({ quantity: 5, reserved: 3 });
  clock.set('2026-11-21T08:00:00Z');
  await shopOf('ben').call(adjustInventory, { petId, body: { delta: 2 } });
  const entry = /The last movement is ledger entry \d+: adjust by ben on 2026-11-21 at 08:00 UTC\./;
  const setTo = (quantity: number, expected: number) => () => call(setInventory, { petId, expected, body: { quantity } });
  await expectRefusal('stock_changed', setTo(6, 5), /Pet 1 has 7 on hand, expected 5/, entry);
  await expectRefusal('stock_changed', setTo(7, 5), /Pet 1 has 7 on hand, expected 5/);
  await expectRefusal('stock_changed', setTo(1, 5), /expected 5/);
  await setTo(6, 7)();
  expect(await stockSummary(petId)).toBe('6 on hand, 3 reserved, available');
});

testOnEveryStore('a stale expected quantity names the last stock change, not the last ledger row', async ({ call, pet, order, ledger, expectRefusal }) => {
  const petId = await pet({ quantity: 5 });
  const [opening] = await ledger({ petId });
  await order(petId);
  await expectRefusal(
    'stock_changed',
    () => call(setInventory, { petId, expected: 4, body: { quantity: 3 } }),
    new RegExp(`ledger entry ${opening?.id}: opening by ana`),
  );
});

testOnEveryStore('answers pet_not_found for the stock of an unknown pet', async ({ pet, set, adjust, expectRefusal }) => {
  await pet();
  await expectRefusal('pet_not_found', () => set(9, 1), /Pet 9 was not found/);
  await expectRefusal('pet_not_found', () => adjust(9, 1), /Pet 9 was not found/);
});

testOnEveryStore('sets several quantities in one transaction or none', async ({ callEach, pet, expectRefusal, stockSummary }) => {
  const [first, second] = [await pet({ quantity: 3 }), await pet({ quantity: 3, reserved: 3 })];
  const counts = [
    { petId: first, body: { quantity: 9 } },
    { petId: second, body: { quantity: 2 } },
  ];
  await expectRefusal('stock_reserved', () => callEach(setInventory, counts), /Pet 2/, /order 1/);
  await callEach(
    setInventory,
    counts.map((count) => ({ ...count, allowShortage: true })),
  );
  expect([await stockSummary(first), await stockSummary(second)]).toEqual(['9 on hand, 0 reserved, available', '2 on hand, 3 reserved, pending']);
});

testOnEveryStore('applies several adjustments of one pet in order', async ({ callEach, pet, expectRefusal, stockSummary }) => {
  const petId = await pet({ quantity: 1 });
  const change = (delta: number) => ({ petId, body: { delta } });
  await expectRefusal('out_of_stock', () => callEach(adjustInventory, [change(-2), change(5)]), /Only 1 × Rex \(pet 1\) on hand; cannot remove 2/);
  await callEach(adjustInventory, [change(5), change(-2)]);
  expect(await stockSummary(petId)).toBe('4 on hand, 0 reserved, available');
});
