import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { deleteCategory } from '../../src/domain/categories/delete-category.js';
import { getCategory } from '../../src/domain/categories/get-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { reportStock } from '../../src/domain/reports/report-stock.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { later, tenUnits, undo, undoable } from '../support/undo.js';

/** Expects that the records which `read` reads are the same after a change and its undo, and that nothing else can be undone. */
async function expectUndone(shop: TestShop, change: () => Promise<unknown>, read: () => Promise<unknown>): Promise<void> {
  const withoutVersion = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'version' ? undefined : one)));
  const before = withoutVersion(await read());
  await later(shop, change);
  expect(withoutVersion(await read())).not.toEqual(before);
  await later(shop, () => undo(shop));
  expect(withoutVersion(await read())).toEqual(before);
  expect(await undoable(shop)).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
}

testOnEveryStore('undoes an edit of an order: pet, quantity and ship date', async (shop) => {
  const [first, second] = [await tenUnits(shop), await tenUnits(shop)];
  const shipDate = '2026-12-24T09:00:00.000Z';
  const { id: orderId } = await later(shop, () => shop.shopOf('ben').call(placeOrder, { body: { petId: first, quantity: 2, shipDate } }));
  const read = async () => [await shop.call(getOrder, { orderId }), await shop.stockSummary(first), await shop.stockSummary(second)];
  const bodies = [{ quantity: 5 }, { shipDate: null }, { petId: second }, { petId: second, quantity: 10, shipDate: '2027-01-01T00:00:00Z' }, { petId: null }];
  for (const body of bodies) await expectUndone(shop, () => shop.call(updateOrder, { orderId, body }), read);
});

testOnEveryStore('undoes an edit that also completed or reopened the order, and keeps its ship date', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  const { id: orderId } = await later(shop, () => ben.call(placeOrder, { body: { petId, quantity: 2 } }));
  const read = async () => [await shop.call(getOrder, { orderId }), await shop.stockSummary(petId)];
  await expectUndone(shop, () => shop.call(updateOrder, { orderId, body: { quantity: 3, complete: true } }), read);
  await later(shop, () => ben.call(updateOrder, { orderId, body: { complete: true } }));
  await expectUndone(shop, () => shop.call(updateOrder, { orderId, body: { quantity: 4, complete: false } }), read);
  // The ship date that the completion set is still removed by the next reopening.
  await later(shop, () => ben.call(updateOrder, { orderId, body: { complete: false } }));
  expect((await shop.call(getOrder, { orderId })).shipDate).toBeUndefined();
});

testOnEveryStore('undoes the cancellation of an order, while its units are available', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  const { id: orderId } = await later(shop, () => ben.call(placeOrder, { body: { petId, quantity: 8 } }));
  const read = async () => [await shop.call(getOrder, { orderId }).catch(({ code }: { readonly code: string }) => code), await shop.stockSummary(petId)];
  await later(shop, () => ben.call(holdPet, { petId }));
  await expectUndone(shop, () => shop.call(cancelOrder, { orderId }), read);
  await later(shop, () => shop.call(cancelOrder, { orderId }));
  await later(shop, () => ben.call(undoLast, { body: {} }));
  await later(shop, () => ben.call(placeOrder, { body: { petId, quantity: 3 } }));
  await shop.expectRefusal('insufficient_stock', () => undo(shop), /Only 7 × Rex available/);
  const { id: draft } = await later(shop, () => ben.call(placeOrder, { body: {} }));
  await later(shop, () => shop.call(cancelOrder, { orderId: draft }));
  await later(shop, () => undo(shop));
  expect(await shop.call(getOrder, { orderId: draft })).toMatchObject({ complete: false });
});

testOnEveryStore('undoes an edit of a pet: name, category and status', async (shop) => {
  const petId = await tenUnits(shop);
  const single = await shop.shopOf('owner').call(createPet, { body: { name: 'Max', categoryId: 1 } });
  const { id: categoryId } = await later(shop, () => shop.shopOf('owner').call(createCategory, { body: { name: 'Cats' } }));
  for (const body of [{ name: 'Moritz' }, { categoryId }, { name: 'Moritz', categoryId, status: 'pending' }] as const) {
    await expectUndone(
      shop,
      () => shop.call(updatePet, { petId, body }),
      () => shop.call(getPet, { petId }),
    );
  }
  await expectUndone(
    shop,
    () => shop.call(updatePet, { petId: single.id, body: { status: 'sold', name: 'Moritz' } }),
    () => shop.call(getPet, { petId: single.id }),
  );
});

testOnEveryStore('undoes low-stock levels of a pet and of the shop', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  const read = async () => [await shop.call(getInventoryItem, { petId }), await shop.rows(sql`SELECT low_at, low_own FROM stock`)];
  const levels = [
    () => shop.call(setLowAt, { petId, body: { lowAt: 12 } }),
    () => shop.call(setLowAt, { petId, body: { lowAt: 0 } }),
    () => shop.call(setLowDefault, { body: { lowAt: 11 } }),
  ];
  for (const level of levels) await expectUndone(shop, level, read);
  await later(shop, () => ben.call(setLowDefault, { body: { lowAt: 3 } }));
  await expectUndone(shop, () => shop.call(setLowDefault, { body: {} }), read);
  await later(shop, () => ben.call(setLowAt, { petId, body: { lowAt: 4 } }));
  await expectUndone(shop, () => shop.call(setLowAt, { petId, body: {} }), read);
});

testOnEveryStore('undoes the creation of a pet, unless something refers to it', async (shop) => {
  const petId = await tenUnits(shop);
  const { categoryId } = await shop.call(getPet, { petId });
  for (const quantity of [0, 1, 7]) {
    const { id } = await later(shop, () => shop.call(createPet, { quantity, body: { name: 'Max', categoryId } }));
    await later(shop, () => undo(shop));
    await shop.expectRefusal('pet_not_found', () => shop.call(getPet, { petId: id }));
  }
  const { id: held } = await later(shop, () => shop.call(createPet, { body: { name: 'Max', categoryId, status: 'pending' } }));
  expect(await undoable(shop)).toEqual(['pet.held opening']);
  await later(shop, () => undo(shop));
  await shop.expectRefusal('pet_not_found', () => shop.call(getPet, { petId: held }));
  expect(await brokenInvariants(shop)).toEqual([]);
  const { id: used } = await later(shop, () => shop.call(createPet, { quantity: 3, body: { name: 'Max', categoryId } }));
  const orderId = await later(shop, async () => (await shop.shopOf('ben').call(placeOrder, { body: { petId: used } })).id);
  await shop.expectRefusal('not_undoable', () => undo(shop), /You cannot undo entry \d+: ben changed order 1 on /);
  await later(shop, () => shop.shopOf('ben').call(undoLast, { body: {} }));
  await shop.expectRefusal('order_not_found', () => shop.call(getOrder, { orderId }));
  await undo(shop);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('undoes the deletion of a pet, which keeps its id, hold and low-stock level', async (shop) => {
  const { call } = shop.shopOf('owner');
  const categoryId = await shop.category();
  const { id: petId } = await call(createPet, { body: { name: 'Max', categoryId } });
  await later(shop, () => call(setLowAt, { petId, body: { lowAt: 2 } }));
  await later(shop, () => call(holdPet, { petId }));
  const read = async () => [await shop.call(getPet, { petId }).catch(({ code }: { readonly code: string }) => code), await shop.rows(sql`SELECT * FROM stock`)];
  const before = await read();
  await later(shop, () => shop.call(deletePet, { petId }));
  const deletedAt = new Date(shop.clock.now() - 500).toISOString();
  await later(shop, () => undo(shop));
  expect(JSON.stringify(await read()).replaceAll(/"version":\d+/g, '')).toBe(JSON.stringify(before).replaceAll(/"version":\d+/g, ''));
  expect(await shop.ledgerSummary({ petId })).toEqual([
    'opening +1',
    'pet.updated',
    'inventory.low',
    'pet.held',
    'adjust -1',
    'pet.archived',
    'pet.restored',
    'inventory.low',
    'undo +1',
  ]);
  // The past stays what it was: no pet while it was deleted.
  expect(await shop.call(reportStock, { at: deletedAt })).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
  await later(shop, () => shop.call(deletePet, { petId }));
  await later(shop, () => call(deleteCategory, { categoryId }));
  await shop.expectRefusal('unknown_category', () => undo(shop), /There is no category 1/);
});

testOnEveryStore('undoes changes of categories, and refuses a name that was given to another one', async (shop) => {
  const ben = shop.shopOf('ben');
  const { id: categoryId } = await later(shop, () => ben.call(createCategory, { body: { name: 'Cats', description: 'All' } }));
  const read = () => shop.call(getCategory, { categoryId }).catch(({ code }: { readonly code: string }) => code);
  for (const body of [{ name: 'Dogs' }, { description: null }, { name: 'CATS', description: 'Some' }]) {
    await expectUndone(shop, () => shop.call(updateCategory, { categoryId, body }), read);
  }
  await expectUndone(shop, () => shop.call(deleteCategory, { categoryId }), read);
  await later(shop, () => shop.call(updateCategory, { categoryId, body: { name: 'Fish' } }));
  const { id: other } = await later(shop, () => ben.call(createCategory, { body: { name: 'cats' } }));
  await shop.expectRefusal('category_exists', () => undo(shop), /Category 2 is already named "cats"/);
  await later(shop, () => ben.call(undoLast, { body: {} }));
  await shop.expectRefusal('category_not_found', () => shop.call(getCategory, { categoryId: other }));
  await later(shop, () => undo(shop));
  await later(shop, () => shop.call(deleteCategory, { categoryId }));
  await later(shop, () => ben.call(createCategory, { body: { name: 'cats' } }));
  await shop.expectRefusal('category_exists', () => undo(shop));
});

testOnEveryStore('undoes the creation of a category without pets, and a deletion that moved its pets', async (shop) => {
  const petId = await tenUnits(shop);
  const { id: categoryId } = await later(shop, () => shop.call(createCategory, { body: { name: 'Cats' } }));
  await later(shop, () => shop.shopOf('ben').call(updatePet, { petId, body: { categoryId } }));
  await shop.expectRefusal('category_in_use', () => undo(shop), /Cats still has 1 pet/);
  await later(shop, () => shop.call(deleteCategory, { categoryId, moveTo: 1 }));
  await later(shop, () => undo(shop));
  expect((await shop.call(getPet, { petId })).categoryId).toBe(categoryId);
  await later(shop, () => shop.shopOf('ben').call(undoLast, { body: {} }));
  await later(shop, () => undo(shop));
  await shop.expectRefusal('category_not_found', () => shop.call(getCategory, { categoryId }));
  expect(await undoable(shop)).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('refuses to undo an edit of a record that was changed since, naming who and when; an older change can be named', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  await later(shop, () => shop.adjust(petId, 5));
  const [adjusted] = (await shop.ledger()).slice(-1);
  await later(shop, () => shop.call(updatePet, { petId, body: { name: 'Max' } }));
  // Other fields of the pet do not count.
  await later(shop, () => ben.call(setLowAt, { petId, body: { lowAt: 1 } }));
  expect(await undoable(shop)).toEqual(['pet.updated', 'adjust']);
  await later(shop, () => ben.call(updatePet, { petId, body: { name: 'Moritz' } }));
  const id = (await shop.ledger()).at(-1)?.id;
  const refusal = await shop.expectRefusal(
    'not_undoable',
    () => undo(shop),
    new RegExp(`ben changed pet 1 on 2026-\\d\\d-\\d\\d at \\d\\d:\\d\\d UTC \\(entry ${id}\\)`),
  );
  expect(refusal.details).toMatchObject({ reason: 'changed_since', petId });
  expect(await undoable(shop)).toEqual(['adjust']);
  await undo(shop, adjusted?.id);
  expect(await shop.stockSummary(petId)).toBe('10 on hand, 0 reserved, available');
});

testOnEveryStore('two changes of one actor at the same instant are two changes', async (shop) => {
  const petId = await tenUnits(shop);
  await shop.adjust(petId, 1);
  await shop.adjust(petId, 2);
  await shop.callEach(
    adjustInventory,
    [3, 4].map((delta) => ({ petId, body: { delta } })),
  );
  expect(await undoable(shop)).toEqual(['adjust adjust', 'adjust', 'adjust']);
  await undo(shop);
  await undo(shop);
  expect(await undoable(shop)).toEqual(['adjust']);
  expect(await shop.stockSummary(petId)).toBe('11 on hand, 0 reserved, available');
});

testOnEveryStore('refuses to undo an edit whose former values are not in the ledger', async (shop) => {
  const petId = await tenUnits(shop);
  await shop.engine.write((queries) =>
    queries.run(sql`INSERT INTO ledger (id, kind, pet_id, at, actor, source) VALUES (3, 'pet.updated', ${petId}, ${shop.clock.now()}, 'ana', 'cli')`),
  );
  expect(await undoable(shop)).toEqual([]);
  await shop.expectRefusal('not_undoable', () => undo(shop), /You cannot undo entry 3: the ledger does not have the former values of pet 1\./);
});

testOnEveryStore('refuses to undo an import of pets, as the last change', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => shop.adjust(petId, 1));
  await later(shop, () => shop.shop.importPets(csv('name,category', 'Max,Dogs 0'), { mode: 'atomic' }));
  await shop.expectRefusal('not_undoable', () => undo(shop), /Batch 1 created pets; delete them instead/);
  expect(await undoable(shop)).toEqual(['adjust']);
});
