import { expect } from 'vitest';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { testOnEveryStore } from '../support/stores.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { returnUnits } from '../../src/domain/orders/return-units.js';
import { reportMovements } from '../../src/domain/reports/report-movements.js';
import { brokenInvariants } from '../support/invariants.js';
import type { TestShop } from '../support/test-shop.js';
import { later, tenUnits, undo } from '../support/undo.js';

testOnEveryStore(
  'an open order can change its quantity within the available units and its own reservation',
  async ({ call, pet, order, stockSummary, expectRefusal }) => {
    const petId = await pet({ quantity: 5 });
    const [mine] = [await order(petId, 2), await order(petId, 1)];
    await call(updateOrder, { orderId: mine, body: { quantity: 4 } });
    expect(await stockSummary(petId)).toBe('5 on hand, 5 reserved, pending');
    const says = /Only 4 × Rex available \(5 on hand, 5 reserved for orders 1 and 2\); 5 requested/;
    await expectRefusal('insufficient_stock', () => call(updateOrder, { orderId: mine, body: { quantity: 5 } }), says);
    await call(updateOrder, { orderId: mine, body: { quantity: 1 } });
    expect(await stockSummary(petId)).toBe('5 on hand, 2 reserved, available');
  },
);

testOnEveryStore('an edit of an order writes one row, and an edit without changes none', async ({ call, pet, ledgerSummary, expectUnchanged }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  const shipDate = '2026-12-01T10:00:00Z';
  await call(updateOrder, { orderId: 1, body: { shipDate } });
  await call(updateOrder, { orderId: 1, body: { quantity: 3 } });
  await expectUnchanged(() => call(updateOrder, { orderId: 1, body: {} }));
  await expectUnchanged(() => call(updateOrder, { orderId: 1, body: { id: 1, petId, quantity: 3, shipDate, complete: false } }));
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'order.updated', 'order.updated']);
});

testOnEveryStore('an order in a shortage can be reduced but not increased', async ({ call, pet, stockSummary, expectRefusal }) => {
  const petId = await pet({ quantity: 1, reserved: 4 });
  await expectRefusal(
    'insufficient_stock',
    () => call(updateOrder, { orderId: 1, body: { quantity: 5 } }),
    /No Rex|Only 1 × Rex available \(1 on hand/,
    /5 requested/,
  );
  await call(updateOrder, { orderId: 1, body: { quantity: 3 } });
  await call(updateOrder, { orderId: 1, body: { quantity: 3, shipDate: '2026-12-01T10:00:00Z' } });
  expect(await stockSummary(petId)).toBe('1 on hand, 3 reserved, pending');
});

testOnEveryStore('moving an open order to another pet writes a row for both pets', async ({ call, pet, stockSummary, ledgerSummary }) => {
  const [from, to] = [await pet({ quantity: 5, reserved: 2 }), await pet({ quantity: 2 })];
  expect(await call(updateOrder, { orderId: 1, body: { petId: to } })).toMatchObject({ petId: to, quantity: 2 });
  expect(await stockSummary(from)).toBe('5 on hand, 0 reserved, available');
  expect(await stockSummary(to)).toBe('2 on hand, 2 reserved, pending');
  expect((await ledgerSummary({ petId: from })).at(-1)).toBe('order.updated');
  expect((await ledgerSummary({ petId: to })).at(-1)).toBe('order.updated');
});

testOnEveryStore('refuses to move an order to a pet without enough available units', async ({ call, pet, expectRefusal }) => {
  const [, held, few, gone] = [await pet({ quantity: 5, reserved: 2 }), await pet({ hold: true }), await pet(), await pet()];
  await call(deletePet, { petId: gone });
  await expectRefusal('pet_on_hold', () => call(updateOrder, { orderId: 1, body: { petId: held } }), /Pet 2 is on hold/);
  await expectRefusal('insufficient_stock', () => call(updateOrder, { orderId: 1, body: { petId: few } }), /Only 1 × Rex available; 2 requested/);
  await expectRefusal('unknown_pet', () => call(updateOrder, { orderId: 1, body: { petId: gone } }), /There is no pet 4/);
  await expectRefusal('unknown_pet', () => call(updateOrder, { orderId: 1, body: { petId: 99 } }), /There is no pet 99/);
});

testOnEveryStore('an order of a held pet can be edited', async ({ call, pet, stockSummary }) => {
  const petId = await pet({ quantity: 5, reserved: 2, hold: true });
  await call(updateOrder, { orderId: 1, body: { quantity: 3 } });
  expect(await stockSummary(petId)).toBe('5 on hand, 3 reserved, pending');
});

testOnEveryStore('a draft with a pet becomes an open order, by default of one unit', async ({ call, pet, stockSummary, expectRefusal }) => {
  const petId = await pet({ quantity: 5 });
  await call(placeOrder, { body: {} });
  await call(placeOrder, { body: { quantity: 4 } });
  expect(await call(updateOrder, { orderId: 1, body: { petId } })).toMatchObject({ petId, quantity: 1, state: 'open' });
  expect(await call(updateOrder, { orderId: 2, body: { petId } })).toMatchObject({ quantity: 4 });
  expect(await stockSummary(petId)).toBe('5 on hand, 5 reserved, pending');
  await call(placeOrder, { body: {} });
  await expectRefusal('insufficient_stock', () => call(updateOrder, { orderId: 3, body: { petId } }), /orders 1 and 2\); 1 requested/);
});

testOnEveryStore('refuses a pet on hold for a draft, as for a new order', async ({ call, pet, expectRefusal }) => {
  const petId = await pet({ quantity: 5, hold: true });
  await call(placeOrder, { body: { quantity: 2 } });
  await expectRefusal('pet_on_hold', () => call(updateOrder, { orderId: 1, body: { petId } }), /Pet 1 is on hold/);
});

testOnEveryStore('an open order without a pet becomes a draft', async ({ call, pet, stockSummary, ledgerSummary }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  expect(await call(updateOrder, { orderId: 1, body: { petId: null } })).toEqual({
    id: 1,
    quantity: 2,
    complete: false,
    state: 'draft',
    overdue: false,
    version: 4,
  });
  expect(await stockSummary(petId)).toBe('5 on hand, 0 reserved, available');
  expect(await ledgerSummary({ petId })).toEqual(['opening +5', 'order.placed', 'order.updated']);
});

testOnEveryStore('null removes the ship date and resets the quantity to one', async ({ call, pet }) => {
  const petId = await pet({ quantity: 5 });
  await call(placeOrder, { body: { petId, quantity: 3, shipDate: '2026-12-01T10:00:00Z' } });
  const edited = await call(updateOrder, { orderId: 1, body: { shipDate: null, quantity: null } });
  expect(edited).toEqual({ id: 1, petId, quantity: 1, complete: false, pet: 'Rex', state: 'open', overdue: false, version: 4, available: 4 });
});

testOnEveryStore('edits and completes an order in one request, or does neither', async ({ call, pet, stockSummary, ledgerSummary, expectRefusal }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await expectRefusal('insufficient_stock', () => call(updateOrder, { orderId: 1, body: { quantity: 6, complete: true } }), /6 requested/);
  expect(await call(updateOrder, { orderId: 1, body: { quantity: 4, complete: true } })).toMatchObject({ quantity: 4, complete: true });
  expect(await stockSummary(petId)).toBe('1 on hand, 0 reserved, available');
  expect(await ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'order.updated', 'sale -4']);
});

testOnEveryStore('refuses to edit a complete order', async ({ call, pet, expectRefusal, expectUnchanged }) => {
  const [petId, other] = [await pet({ quantity: 5, reserved: 2 }), await pet({ quantity: 5 })];
  const { shipDate = '' } = await call(updateOrder, { orderId: 1, body: { complete: true } });
  for (const body of [{ quantity: 1 }, { petId: other }, { petId: null }, { shipDate: '2027-01-01T00:00:00Z' }, { shipDate: null }]) {
    await expectRefusal('order_complete', () => call(updateOrder, { orderId: 1, body }), /Order 1 is complete/);
    await expectRefusal('order_complete', () => call(updateOrder, { orderId: 1, body: { ...body, complete: true } }), /Order 1 is complete/);
  }
  await expectUnchanged(() => call(updateOrder, { orderId: 1, body: { petId, quantity: 2, shipDate, complete: true } }));
});

testOnEveryStore('reopens and edits an order in one request, or does neither', async ({ call, pet, stockSummary, expectRefusal }) => {
  const petId = await pet({ quantity: 5, reserved: 2 });
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  await expectRefusal('insufficient_stock', () => call(updateOrder, { orderId: 1, body: { complete: false, quantity: 6 } }), /6 requested/);
  await call(updateOrder, { orderId: 1, body: { complete: false, quantity: 1 } });
  expect(await stockSummary(petId)).toBe('5 on hand, 1 reserved, available');
  expect(await call(getOrder, { orderId: 1 })).toMatchObject({ complete: false, quantity: 1 });
});

testOnEveryStore('refuses an invalid date with the expected form in the message', async ({ call, pet, expectRefusal }) => {
  await pet({ quantity: 5, reserved: 1 });
  for (const shipDate of ['2026-12-01', '2026-12-01T10:00:00', '2026-02-30T10:00:00Z', 'tomorrow', '']) {
    await expectRefusal('validation_failed', () => call(updateOrder, { orderId: 1, body: { shipDate } }), /shipDate: .*2026-11-20T09:30:00Z/);
  }
});

const sold = async (shop: TestShop, petId: number, quantity: number): Promise<number> =>
  (await shop.call(placeOrder, { body: { petId, quantity, complete: true } })).id;

const back = (shop: TestShop, petId: number, quantity?: number, orderId?: number) =>
  shop.call(returnUnits, { body: { petId, ...(quantity !== undefined && { quantity }), ...(orderId !== undefined && { orderId }) } });

const onHand = async (shop: TestShop, petId: number): Promise<number> => (await shop.call(getInventoryItem, { petId })).quantity;

testOnEveryStore('units of a sale come back, a part or all of them, and the order stays complete', async (shop) => {
  const petId = await tenUnits(shop);
  const orderId = await sold(shop, petId, 5);
  expect(await back(shop, petId, 2)).toMatchObject({ orderId, petId, quantity: 2, returned: 2, available: 7 });
  expect(await back(shop, petId)).toMatchObject({ orderId, quantity: 1, returned: 3, available: 8 });
  expect(await onHand(shop, petId)).toBe(8);
  expect((await shop.call(getOrder, { orderId })).complete).toBe(true);
  await expect(back(shop, petId, 3, orderId)).rejects.toMatchObject({
    code: 'validation_failed',
    message: `Order ${orderId} sold 5, and 3 were returned; 3 cannot be returned.`,
    details: { field: 'quantity' },
  });
  await expect(back(shop, petId, 3)).rejects.toMatchObject({ message: `No sale of pet ${petId} has 3 units to return; the largest has 2.` });
  await back(shop, petId, 2, orderId);
  await expect(back(shop, petId)).rejects.toMatchObject({ message: `No sale of pet ${petId} has units to return.` });
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('a return says how many sales it has searched, and a reopening which order has returned units', async (shop) => {
  const petId = await shop.pet({ quantity: 200 });
  const sales = Array.from({ length: 100 }, () => ({ body: { petId, quantity: 1, complete: true } }));
  const orderId = await sold(shop, petId, 5);
  await shop.callEach(placeOrder, sales);
  await expect(back(shop, petId, 2)).rejects.toMatchObject({ message: `None of the last 100 sales of pet ${petId} has 2 units to return; the largest has 1.` });
  await back(shop, petId, 1, orderId);
  await expect(shop.call(updateOrder, { orderId, body: { complete: false } })).rejects.toMatchObject({ details: { orderId, petId } });
});

testOnEveryStore('a return finds the last sale with enough units, and refuses other orders', async (shop) => {
  const [petId, other] = [await tenUnits(shop), await tenUnits(shop)];
  const large = await sold(shop, petId, 4);
  const small = await sold(shop, petId, 1);
  const open = (await shop.call(placeOrder, { body: { petId, quantity: 1 } })).id;
  expect((await back(shop, petId, 3)).orderId).toBe(large);
  expect((await back(shop, petId, 1)).orderId).toBe(small);
  await expect(back(shop, petId, 1, open)).rejects.toMatchObject({ code: 'order_incomplete' });
  await expect(back(shop, other, 1, large)).rejects.toMatchObject({ code: 'validation_failed', message: `Order ${large} is not for pet ${other}.` });
  await expect(back(shop, petId, 1, 99)).rejects.toMatchObject({ code: 'order_not_found' });
  await expect(back(shop, 99)).rejects.toMatchObject({ code: 'unknown_pet' });
  await expect(back(shop, petId, 0)).rejects.toMatchObject({ code: 'validation_failed' });
});

testOnEveryStore('a return is undone, and an order with returned units is neither reopened nor undone before it', async (shop) => {
  const petId = await tenUnits(shop);
  const orderId = await later(shop, () => sold(shop, petId, 5));
  await later(shop, () => back(shop, petId, 2));
  await expect(shop.call(updateOrder, { orderId, body: { complete: false } })).rejects.toMatchObject({ code: 'order_complete' });
  await expect(shop.call(cancelOrder, { orderId })).rejects.toMatchObject({ code: 'order_complete' });
  await later(shop, () => undo(shop));
  expect(await onHand(shop, petId)).toBe(5);
  expect(await brokenInvariants(shop)).toEqual([]);
  // Now the sale itself.
  await later(shop, () => undo(shop));
  expect(await onHand(shop, petId)).toBe(10);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('returned units are counted as returned, and reserve nothing at a past time', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => sold(shop, petId, 5));
  await later(shop, () => back(shop, petId, 2));
  const rows = await shop.call(reportMovements, { by: 'pet' });
  expect(rows.find((row) => row.petId === petId)).toMatchObject({ sold: 5, returned: 2 });
  const { items } = await shop.call(listInventory, { at: new Date(shop.clock.now()).toISOString() });
  expect(items.find((item) => item.petId === petId)).toMatchObject({ quantity: 7, status: 'available' });
});
