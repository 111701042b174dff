import { expect } from 'vitest';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { returnUnits } from '../../src/domain/orders/return-units.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { reportMovements } from '../../src/domain/reports/report-movements.js';
import { brokenInvariants } from '../support/invariants.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { later, tenUnits, undo } from '../support/undo.js';

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
  });
  await expect(back(shop, petId, 3)).rejects.toMatchObject({ message: `No sale of pet ${petId} has 3 units to return; the largest has 2.` });
  await back(shop, petId, 2, orderId);
  await expect(back(shop, petId)).rejects.toMatchObject({ message: `No sale of pet ${petId} has units to return.` });
  expect(await brokenInvariants(shop)).toEqual([]);
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
