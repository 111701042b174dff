import { expect } from 'vitest';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { testOnEveryStore } from '../support/stores.js';

testOnEveryStore('placing an order reserves units without moving them', async ({ call, pet, stockSummary, ledger }) => {
  const petId = await pet({ quantity: 3 });
  const placed = await call(placeOrder, { body: { petId, quantity: 2 } });
  expect(placed).toEqual({ id: 1, petId, quantity: 2, complete: false, pet: 'Rex', state: 'open', overdue: false, version: 3, available: 1 });
  expect(await stockSummary(petId)).toBe('3 on hand, 2 reserved, available');
  expect((await ledger({ orderId: 1 })).map(({ kind, petId: about, delta }) => [kind, about, delta])).toEqual([['order.placed', petId, undefined]]);
});

testOnEveryStore('a new order is answered as it is read afterwards', async ({ call, pet }) => {
  const petId = await pet({ quantity: 9, name: 'Tom' });
  // Two units are left: the order crosses the low-stock level, which is an entry of its own.
  await call(setLowDefault, { body: { lowAt: 2 } });
  const shipDate = '2020-01-02T03:04:05.000Z';
  for (const body of [{ petId, quantity: 7 }, { petId, shipDate }, { petId, complete: true }, { quantity: 2, shipDate }, {}]) {
    const placed = await call(placeOrder, { body });
    expect(placed).toEqual(await call(getOrder, { orderId: placed.id ?? 0 }));
  }
});

testOnEveryStore('ignores the id in the body of a new order', async ({ call, callUnchecked, pet }) => {
  const petId = await pet({ quantity: 5 });
  const first = await call(placeOrder, { body: { petId } });
  const again = await call(placeOrder, { body: { id: first.id, petId, quantity: 2 } });
  expect([first.id, again.id]).toEqual([1, 2]);
  expect(await call(getOrder, { orderId: 1 })).toMatchObject({ quantity: 1 });
  expect(await callUnchecked(placeOrder, { body: { id: 'mine', petId } })).toMatchObject({ id: 3 });
});

testOnEveryStore('a draft has no pet, reserves nothing and cannot be completed', async ({ call, stockSummary, pet, ledgerSummary, expectRefusal }) => {
  const petId = await pet();
  expect(await call(placeOrder, { body: {} })).toEqual({ id: 1, complete: false, state: 'draft', overdue: false, version: 3 });
  expect(await call(placeOrder, { body: { quantity: 40 } })).toMatchObject({ id: 2, quantity: 40, state: 'draft' });
  expect(await stockSummary(petId)).toBe('1 on hand, 0 reserved, available');
  expect(await ledgerSummary({ orderId: 2 })).toEqual(['order.placed']);
  await expectRefusal('order_incomplete', () => call(updateOrder, { orderId: 2, body: { complete: true } }), /Order 2 has no pet/);
  await expectRefusal('order_incomplete', () => call(placeOrder, { body: { complete: true } }), /without a pet/);
});

testOnEveryStore('refuses an order for more than the available units, with figures and orders', async ({ call, pet, order, expectRefusal }) => {
  const petId = await pet({ quantity: 3 });
  await expectRefusal('insufficient_stock', () => call(placeOrder, { body: { petId, quantity: 4 } }), /Only 3 × Rex available; 4 requested/);
  await order(petId);
  await order(petId);
  const says = /Only 1 × Rex available \(3 on hand, 2 reserved for orders 1 and 2\); 2 requested/;
  await expectRefusal('insufficient_stock', () => call(placeOrder, { body: { petId, quantity: 2 } }), says);
  await order(petId);
  await expectRefusal(
    'insufficient_stock',
    () => call(placeOrder, { body: { petId } }),
    /^No Rex \(pet 1\) available \(3 on hand, 3 reserved for orders 1, 2 and 3\); 1 requested\.$/,
  );
});

testOnEveryStore('refuses an order for a pet on hold with pet_on_hold, also without stock', async ({ call, pet, expectRefusal }) => {
  const petId = await pet({ quantity: 2, hold: true });
  await expectRefusal('pet_on_hold', () => call(placeOrder, { body: { petId } }), /Pet 1 is on hold/);
  await expectRefusal('pet_on_hold', () => call(placeOrder, { body: { petId, quantity: 9 } }), /Pet 1 is on hold/);
});

testOnEveryStore('refuses an order quantity outside 1 to 2^31 - 1', async ({ callUnchecked, pet, expectRefusal }) => {
  const petId = await pet();
  for (const quantity of [0, -1, 1.5, '1', true, null, 2 ** 31]) {
    await expectRefusal('validation_failed', () => callUnchecked(placeOrder, { body: { petId, quantity } }), /quantity: /);
  }
  await expectRefusal('validation_failed', () => callUnchecked(placeOrder, { body: { petId, price: 3 } }), /price: is unknown/);
  await expectRefusal('validation_failed', () => callUnchecked(placeOrder, { body: { petId, complete: 'yes' } }), /complete: must be true or false/);
  expect(await callUnchecked(placeOrder, { body: { petId, quantity: 1.0 } })).toMatchObject({ quantity: 1 });
});

testOnEveryStore('completing an order removes its units and its reservation', async ({ call, pet, stockSummary, ledger }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  expect(await call(updateOrder, { orderId: 1, body: { complete: true } })).toMatchObject({ id: 1, complete: true, state: 'complete' });
  expect(await stockSummary(petId)).toBe('3 on hand, 0 reserved, available');
  expect((await ledger({ orderId: 1 })).at(-1)).toMatchObject({ kind: 'sale', petId, delta: -2, quantityAfter: 3 });
});

testOnEveryStore('completing a complete order changes nothing', async ({ call, pet, expectUnchanged, ledgerSummary }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  const again = await expectUnchanged(() => call(updateOrder, { orderId: 1, body: { complete: true } }));
  expect(again).toMatchObject({ id: 1, petId, complete: true });
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'sale -2']);
});

testOnEveryStore('refuses to complete an order with more units than are on hand', async ({ call, pet, order, set, stockSummary, expectRefusal }) => {
  const petId = await pet({ quantity: 3 });
  const [big, small] = [await order(petId, 2), await order(petId, 1)];
  await set(petId, 1, true);
  await expectRefusal('out_of_stock', () => call(updateOrder, { orderId: big, body: { complete: true } }), /Only 1 × Rex \(pet 1\) on hand; order 1 needs 2/);
  await call(updateOrder, { orderId: small, body: { complete: true } });
  expect(await stockSummary(petId)).toBe('0 on hand, 2 reserved, pending');
});

testOnEveryStore('completing an order without a ship date sets it to the current time', async ({ call, pet, clock }) => {
  const petId = await pet({ quantity: 3 });
  await call(placeOrder, { body: { petId } });
  await call(placeOrder, { body: { petId, shipDate: '2026-12-24T18:00:00+01:00' } });
  clock.set('2026-11-22T12:34:56.789Z');
  expect(await call(updateOrder, { orderId: 1, body: { complete: true } })).toMatchObject({ shipDate: '2026-11-22T12:34:56.789Z' });
  expect(await call(updateOrder, { orderId: 2, body: { complete: true } })).toMatchObject({ shipDate: '2026-12-24T17:00:00.000Z' });
});

testOnEveryStore('reopening removes a ship date that completion set and keeps one that was entered', async ({ call, pet, clock }) => {
  const petId = await pet({ quantity: 9 });
  const patch = (orderId: number, body: object) => call(updateOrder, { orderId, body });
  await call(placeOrder, { body: { petId } });
  await call(placeOrder, { body: { petId, shipDate: '2026-12-24T17:00:00Z' } });
  await call(placeOrder, { body: { petId, complete: true } });
  for (const [day, instant] of [
    ['first', '2026-11-22T12:34:56.789Z'],
    ['second', '2026-11-23T08:00:00.000Z'],
  ] as const) {
    clock.set(instant);
    expect([day, (await patch(1, { complete: true })).shipDate]).toEqual([day, instant]);
    expect([day, await patch(1, { complete: false })]).not.toEqual([day, expect.objectContaining({ shipDate: expect.anything() as string })]);
    expect([day, (await patch(2, { complete: true })).shipDate]).toEqual([day, '2026-12-24T17:00:00.000Z']);
    expect([day, (await patch(2, { complete: false })).shipDate]).toEqual([day, '2026-12-24T17:00:00.000Z']);
  }
  expect((await patch(3, { complete: false })).shipDate).toBeUndefined();
  // A date that is set while reopening is kept at the next completion.
  await patch(3, { complete: true });
  expect((await patch(3, { complete: false, shipDate: '2026-12-01T00:00:00Z' })).shipDate).toBe('2026-12-01T00:00:00.000Z');
  await patch(3, { complete: true });
  expect((await patch(3, { complete: false, quantity: 2 })).shipDate).toBe('2026-12-01T00:00:00.000Z');
});

testOnEveryStore('reopening an order returns its units and reserves them again', async ({ call, pet, stockSummary, ledgerSummary, expectUnchanged }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  expect(await call(updateOrder, { orderId: 1, body: { complete: false } })).toMatchObject({ complete: false, state: 'open' });
  expect(await stockSummary(petId)).toBe('5 on hand, 2 reserved, available');
  await expectUnchanged(() => call(updateOrder, { orderId: 1, body: { complete: false } }));
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'sale -2', 'return +2']);
});

testOnEveryStore('an order of a pet on hold can be completed and reopened', async ({ call, pet, stockSummary }) => {
  const petId = await pet({ quantity: 2, reserved: 2, hold: true });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  expect(await stockSummary(petId)).toBe('0 on hand, 0 reserved, pending');
  await call(updateOrder, { orderId: 1, body: { complete: false } });
  expect(await stockSummary(petId)).toBe('2 on hand, 2 reserved, pending');
});

testOnEveryStore('refuses to reopen an order when the quantity would exceed the maximum', async ({ call, pet, adjust, expectRefusal }) => {
  const petId = await pet({ quantity: 2 ** 31 - 1, reserved: 2 });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  await adjust(petId, 1);
  await expectRefusal('validation_failed', () => call(updateOrder, { orderId: 1, body: { complete: false } }), /2147483646 on hand/, /2147483647/);
});

testOnEveryStore('cancelling an order releases its reservation', async ({ call, pet, stockSummary, ledgerSummary }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  expect(await call(cancelOrder, { orderId: 1 })).toMatchObject({ id: 1, petId, quantity: 2, complete: false });
  expect(await stockSummary(petId)).toBe('5 on hand, 0 reserved, available');
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'order.cancelled']);
});

testOnEveryStore('a cancelled order is not found and not listed, but stays in the ledger', async ({ call, pet, expectRefusal, ledgerSummary }) => {
  await pet({ quantity: 5, reserved: 2 });
  await call(cancelOrder, { orderId: 1 });
  await expectRefusal('order_not_found', () => call(getOrder, { orderId: 1 }), /Order 1 was not found/);
  await expectRefusal('order_not_found', () => call(updateOrder, { orderId: 1, body: { complete: true } }), /Order 1/);
  await expectRefusal('order_not_found', () => call(updateOrder, { orderId: 1, body: { complete: false } }), /Order 1/);
  expect(await call(listOrders, { count: true })).toEqual({ items: [], total: 0 });
  expect((await call(listOrders, { complete: false })).items).toEqual([]);
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'order.cancelled']);
});

testOnEveryStore('cancelling again succeeds and changes nothing', async ({ call, pet, expectUnchanged }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await call(cancelOrder, { orderId: 1 });
  expect(await expectUnchanged(() => call(cancelOrder, { orderId: 1 }))).toMatchObject({ id: 1, petId });
});

testOnEveryStore('refuses to cancel a complete order', async ({ call, pet, expectRefusal }) => {
  await pet({ quantity: 5, reserved: 2 });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  await expectRefusal('order_complete', () => call(cancelOrder, { orderId: 1 }), /Order 1 is complete/);
});

testOnEveryStore('an order can be placed complete in one transaction', async ({ call, pet, stockSummary, ledgerSummary }) => {
  const petId = await pet({ quantity: 3 });
  const sale = await call(placeOrder, { body: { petId, quantity: 2, complete: true } });
  const shipDate = '2026-11-20T09:00:00.000Z';
  expect(sale).toEqual({ id: 1, petId, quantity: 2, shipDate, complete: true, pet: 'Rex', state: 'complete', overdue: false, version: 4, available: 1 });
  expect(await stockSummary(petId)).toBe('1 on hand, 0 reserved, available');
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'sale -2']);
});

testOnEveryStore('refuses a complete order for units that other orders have reserved', async ({ call, pet, expectRefusal }) => {
  const petId = await pet({ quantity: 3, reserved: 2 });
  await expectRefusal('insufficient_stock', () => call(placeOrder, { body: { petId, quantity: 2, complete: true } }), /2 reserved for order 1/);
  await call(holdPet, { petId });
  await expectRefusal('pet_on_hold', () => call(placeOrder, { body: { petId, complete: true } }), /Pet 1/);
});

testOnEveryStore('answers order_not_found for an unknown order', async ({ call, expectRefusal }) => {
  const orderId = 7;
  await expectRefusal('order_not_found', () => call(getOrder, { orderId }), /Order 7 was not found/);
  await expectRefusal('order_not_found', () => call(updateOrder, { orderId, body: {} }), /Order 7/);
  await expectRefusal('order_not_found', () => call(cancelOrder, { orderId }), /Order 7/);
});

testOnEveryStore(
  'completes several orders in one transaction or none, and the error names the order',
  async ({ callEach, pet, order, set, expectRefusal, stockSummary }) => {
    const petId = await pet({ quantity: 4 });
    const orders = [await order(petId, 1), await order(petId, 2), await order(petId, 1)];
    await set(petId, 2, true);
    const inputs = orders.map((orderId) => ({ orderId, body: { complete: true } }));
    await expectRefusal('out_of_stock', () => callEach(updateOrder, inputs), /Only 1 × Rex \(pet 1\) on hand; order 2 needs 2/);
    await expectRefusal('order_not_found', () => callEach(cancelOrder, [{ orderId: 1 }, { orderId: 99 }]), /Order 99/);
    await callEach(
      updateOrder,
      [inputs[0], inputs[2]].flatMap((input) => input ?? []),
    );
    expect(await stockSummary(petId)).toBe('0 on hand, 2 reserved, pending');
  },
);

testOnEveryStore('several orders in one transaction see each other', async ({ callEach, pet, expectRefusal }) => {
  const petId = await pet({ quantity: 3 });
  const two = { body: { petId, quantity: 2 } };
  await expectRefusal('insufficient_stock', () => callEach(placeOrder, [two, two]), /2 reserved for order 1\); 2 requested/);
});
