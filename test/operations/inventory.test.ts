import { expect } from 'vitest';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { everywhere } from '../support/everywhere.js';

const maximum = 2 ** 31 - 1;

everywhere('setting the stock writes the difference as a count', async ({ call, pet, ledger, story }) => {
  const petId = await pet({ quantity: 3 });
  expect(await call(setInventory, { petId, body: { quantity: 7 } })).toMatchObject({ petId, quantity: 7, reserved: 0, available: 7, status: 'available' });
  expect((await ledger({ petId })).at(-1)).toMatchObject({ kind: 'count', delta: 4, quantityAfter: 7 });
  await call(setInventory, { petId, body: { quantity: 0 } });
  expect(await story({ petId })).toEqual(['opening +3', 'count +4', 'count -7']);
});

everywhere('setting the stock to what it is writes nothing', async ({ pet, set, unchanged }) => {
  const petId = await pet({ quantity: 3 });
  await unchanged(() => set(petId, 3));
});

everywhere('the stock goes from zero to 2^31 - 1 and no further', async ({ pet, set, adjust, ask, figures, refuses }) => {
  const petId = await pet();
  await set(petId, maximum);
  expect(await figures(petId)).toBe(`${maximum} on hand, 0 reserved, available`);
  await refuses('validation_failed', () => adjust(petId, 1), /2147483647 on hand/, /maximum of 2147483647/);
  await refuses('validation_failed', () => set(petId, maximum + 1), /quantity: must be at most 2147483647/);
  await refuses('validation_failed', () => set(petId, -1), /quantity: must not be negative/);
  for (const quantity of [1.5, '1', true, null, undefined, NaN, Infinity]) {
    await refuses('validation_failed', () => ask(setInventory, { petId, body: { quantity } }), /quantity: /);
  }
});

everywhere('1.0 is the integer 1', async ({ pet, ask, figures }) => {
  const petId = await pet({ quantity: 5 });
  await ask(setInventory, { petId, body: JSON.parse('{"quantity": 1.0}') as unknown });
  expect(await figures(petId)).toBe('1 on hand, 0 reserved, available');
});

everywhere('adjusting moves units with a row of its own', async ({ pet, adjust, figures, story }) => {
  const petId = await pet({ quantity: 3 });
  await adjust(petId, 2);
  await adjust(petId, -5);
  expect(await figures(petId)).toBe('0 on hand, 0 reserved, sold');
  expect(await story({ petId })).toEqual(['opening +3', 'adjust +2', 'adjust -5']);
});

everywhere('nothing is below zero, with or without an override', async ({ pet, adjust, refuses }) => {
  const petId = await pet({ quantity: 3, reserved: 2 });
  await refuses('out_of_stock', () => adjust(petId, -4), /Pet 1 has 3 on hand; 4 cannot be taken away/);
  await refuses('out_of_stock', () => adjust(petId, -4, true), /Pet 1 has 3 on hand; 4 cannot be taken away/);
});

everywhere('an adjustment of nothing is no adjustment', async ({ pet, adjust, ask, refuses }) => {
  const petId = await pet();
  await refuses('validation_failed', () => adjust(petId, 0), /delta: must not be 0/);
  await refuses('validation_failed', () => adjust(petId, -(2 ** 31)), /delta: must be at least -2147483647/);
  await refuses('validation_failed', () => adjust(petId, 2 ** 31), /delta: must be at most 2147483647/);
  await refuses('validation_failed', () => ask(adjustInventory, { petId, body: { delta: '+1' } }), /delta: must be an integer/);
  await refuses('validation_failed', () => ask(adjustInventory, { petId, body: {} }), /delta: is required/);
});

everywhere('out_of_stock is named before stock_reserved', async ({ pet, adjust, refuses }) => {
  const petId = await pet({ quantity: 3, reserved: 2 });
  await refuses('out_of_stock', () => adjust(petId, -4), /3 on hand/);
  await refuses('stock_reserved', () => adjust(petId, -3), /order 1/);
});

everywhere('a figure below what was reserved is refused, naming the orders', async ({ pet, order, set, adjust, refuses }) => {
  const petId = await pet({ quantity: 5 });
  await order(petId, 2);
  await refuses('stock_reserved', () => set(petId, 1), /Pet 1 has 2 units reserved for order 1; 1 on hand would not cover them/);
  await order(petId, 1);
  await refuses('stock_reserved', () => set(petId, 2), /Pet 1 has 3 units reserved for orders 1 and 2; 2 on hand/);
  await refuses('stock_reserved', () => adjust(petId, -3), /Pet 1 has 3 units reserved for orders 1 and 2; 2 on hand/);
});

everywhere('a count exactly as high as the reservations is fine', async ({ pet, set, adjust, figures }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await set(petId, 2);
  expect(await figures(petId)).toBe('2 on hand, 2 reserved, pending');
  await adjust(petId, 1);
  await adjust(petId, -1);
  expect(await figures(petId)).toBe('2 on hand, 2 reserved, pending');
});

everywhere('a shortage is accepted when it is allowed, and says so in the ledger', async ({ call, pet, set, adjust, figures, rows }) => {
  const [counted, taken] = [await pet({ quantity: 5, reserved: 3 }), await pet({ quantity: 5, reserved: 3 })];
  await set(counted, 1, true);
  await adjust(taken, -4, true);
  for (const petId of [counted, taken]) {
    expect(await figures(petId)).toBe('1 on hand, 3 reserved, pending');
    expect(await call(getInventoryItem, { petId })).toMatchObject({ available: -2 });
  }
  const marked = await rows({ text: 'SELECT kind, delta FROM ledger WHERE shortage = 1 ORDER BY id', values: [] });
  expect(marked).toEqual([
    { kind: 'count', delta: -4 },
    { kind: 'adjust', delta: -4 },
  ]);
});

everywhere('a delivery is accepted while it does not cover every reservation, a count is not', async ({ pet, set, adjust, refuses, figures }) => {
  const petId = await pet({ quantity: 1, reserved: 5 });
  await refuses('stock_reserved', () => set(petId, 3), /5 units reserved for order 1; 3 on hand/);
  await adjust(petId, 2);
  expect(await figures(petId)).toBe('3 on hand, 5 reserved, pending');
  await refuses('stock_reserved', () => adjust(petId, -1), /2 on hand would not cover them/);
});

everywhere('allowing a shortage changes nothing where there is none', async ({ pet, set, story, unchanged }) => {
  const petId = await pet({ quantity: 5, reserved: 3 });
  await unchanged(() => set(petId, 5, true));
  await set(petId, 4, true);
  expect((await story({ petId })).at(-1)).toBe('count -1');
});

everywhere('an expected quantity is compared first', async ({ call, pet, shopOf, refuses, clock, figures }) => {
  const petId = await pet({ quantity: 5, reserved: 3 });
  clock.set('2026-11-21T08:00:00Z');
  await shopOf('ben').call(adjustInventory, { petId, body: { delta: 2 } });
  const entry = /The last movement is ledger entry \d+: adjust by ben at 2026-11-21T08:00:00\.000Z/;
  const setTo = (quantity: number, expected: number) => () => call(setInventory, { petId, expected, body: { quantity } });
  await refuses('stock_changed', setTo(6, 5), /Pet 1 has 7 in stock, expected 5/, entry);
  await refuses('stock_changed', setTo(7, 5), /Pet 1 has 7 in stock, expected 5/);
  await refuses('stock_changed', setTo(1, 5), /expected 5/);
  await setTo(6, 7)();
  expect(await figures(petId)).toBe('6 on hand, 3 reserved, available');
});

everywhere('a stale expectation names the last movement, not the last row', async ({ call, pet, order, ledger, refuses }) => {
  const petId = await pet({ quantity: 5 });
  const [opening] = await ledger({ petId });
  await order(petId);
  await refuses(
    'stock_changed',
    () => call(setInventory, { petId, expected: 4, body: { quantity: 3 } }),
    new RegExp(`ledger entry ${opening?.id}: opening by ana`),
  );
});

everywhere('the stock of a pet that is not there is not found', async ({ pet, set, adjust, refuses }) => {
  await pet();
  await refuses('pet_not_found', () => set(9, 1), /Pet 9 was not found/);
  await refuses('pet_not_found', () => adjust(9, 1), /Pet 9 was not found/);
});

everywhere('several counts are set together or not at all', async ({ callEach, pet, refuses, figures }) => {
  const [first, second] = [await pet({ quantity: 3 }), await pet({ quantity: 3, reserved: 3 })];
  const counts = [
    { petId: first, body: { quantity: 9 } },
    { petId: second, body: { quantity: 2 } },
  ];
  await refuses('stock_reserved', () => callEach(setInventory, counts), /Pet 2/, /order 1/);
  await callEach(
    setInventory,
    counts.map((count) => ({ ...count, allowShortage: true })),
  );
  expect([await figures(first), await figures(second)]).toEqual(['9 on hand, 0 reserved, available', '2 on hand, 3 reserved, pending']);
});

everywhere('several changes of one pet add up in their order', async ({ callEach, pet, refuses, figures }) => {
  const petId = await pet({ quantity: 1 });
  const change = (delta: number) => ({ petId, body: { delta } });
  await refuses('out_of_stock', () => callEach(adjustInventory, [change(-2), change(5)]), /1 on hand; 2 cannot/);
  await callEach(adjustInventory, [change(5), change(-2)]);
  expect(await figures(petId)).toBe('4 on hand, 0 reserved, available');
});

everywhere('a note goes into the row of its adjustment', async ({ call, pet, ledger }) => {
  const petId = await pet();
  await call(adjustInventory, { petId, body: { delta: 1, note: ' a delivery ' } }, { note: 'the request' });
  await call(adjustInventory, { petId, body: { delta: 1 } }, { note: 'the request' });
  expect((await ledger({ petId })).map(({ note }) => note)).toEqual([undefined, 'a delivery', 'the request']);
});

everywhere('the units of complete orders are gone from the stock, not reserved', async ({ call, pet, order, set, figures }) => {
  const petId = await pet({ quantity: 5 });
  await call(updateOrder, { orderId: await order(petId, 3), body: { complete: true } });
  await set(petId, 0);
  expect(await figures(petId)).toBe('0 on hand, 0 reserved, sold');
});
