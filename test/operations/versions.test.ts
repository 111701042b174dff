import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { deleteCategory } from '../../src/domain/categories/delete-category.js';
import { getCategory } from '../../src/domain/categories/get-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { replaceCategory } from '../../src/domain/categories/replace-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { pauseHook } from '../../src/domain/hooks/pause-hook.js';
import { resumeHook } from '../../src/domain/hooks/resume-hook.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import type { Versioned } from '../../src/domain/values/version.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { listOrders } from '../../src/domain/orders/list-orders.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { replacePet } from '../../src/domain/pets/replace-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import type { Call, CallOptions } from '../../src/domain/call.js';
import { testOnEveryEngine, testOnEveryStore } from '../support/stores.js';

// That each change needs the version which it names: test/http/conditions.test.ts.
testOnEveryStore('a change can be refused at the versions it names, or of any record that exists', async (shop) => {
  await shop.pet();
  const { version } = await shop.call(getPetDetails, { petId: 1 });
  const change = (options: CallOptions) => shop.call(updatePet, { petId: 1, body: { name: 'Max' } }, options);
  for (const ifNoneMatch of [[version], [version - 1, version], 'any'] as const) {
    await shop.expectRefusal('precondition_failed', () => change({ ifNoneMatch }), /^Pet 1 (is still at version|exists)/);
  }
  await change({ ifNoneMatch: [version - 1] });
  await change({ ifNoneMatch: [], ifMatch: [1, 2, version + 1] });
});

testOnEveryStore('a refusal names a few of many versions', async ({ call, pet, expectRefusal }) => {
  const petId = await pet();
  const ifMatch = Array.from({ length: 1000 }, (_, index) => 1000 + index);
  await expectRefusal(
    'precondition_failed',
    () => call(updatePet, { petId, body: { name: 'Max' } }, { ifMatch }),
    /^.{0,60}1000 or 1001 .{0,60}…; read it again\.$/,
  );
});

testOnEveryEngine('pausing and resuming a hook, which has no version, is refused with one', async ({ call, shop, expectRefusal }) => {
  const { hook } = await shop.hooks.create({ url: 'https://hooks.example.com/', rows: false, batch: 1, allowPrivate: false });
  for (const change of [pauseHook, resumeHook]) {
    await expectRefusal('precondition_failed', () => call(change, { hookId: hook.id }, { ifMatch: 1 }), /Hook 1 has no version/);
  }
});

testOnEveryStore('a deleted record is not found with any version', async ({ call, pet, expectRefusal }) => {
  const petId = await pet();
  await call(deletePet, { petId });
  await expectRefusal('pet_not_found', () => call(updatePet, { petId, body: { name: 'Max' } }, { ifMatch: 1 }), /Pet 1/);
});

/** Each read and each change of one record, in an order in which all succeed. */
const answers: readonly (readonly [noun: 'pet' | 'order' | 'category', answer: (call: Call) => Promise<Versioned>])[] = [
  ['category', (call) => call(createCategory, { body: { name: 'Cats' } })],
  ['category', (call) => call(replaceCategory, { categoryId: 1, body: { name: 'Hounds' } })],
  ['category', (call) => call(updateCategory, { categoryId: 1, body: { description: 'Good ones' } })],
  ['category', (call) => call(getCategory, { categoryId: 1 })],
  ['pet', (call) => call(createPet, { quantity: 9, body: { name: 'Rex', categoryId: 1, status: 'pending' } })],
  ['pet', (call) => call(replacePet, { petId: 1, body: { name: 'Max', categoryId: 1, status: 'available' } })],
  ['pet', (call) => call(updatePet, { petId: 1, body: { name: 'Tom' } })],
  ['pet', (call) => call(holdPet, { petId: 1 })],
  ['pet', (call) => call(releasePet, { petId: 1 })],
  ['pet', (call) => call(setInventory, { petId: 1, body: { quantity: 8 } })],
  ['pet', (call) => call(adjustInventory, { petId: 1, body: { delta: -2 } })],
  ['pet', (call) => call(setLowAt, { petId: 1, body: { lowAt: 7 } })],
  ['order', (call) => call(placeOrder, { body: { petId: 1, quantity: 2, complete: true } })],
  ['order', (call) => call(updateOrder, { orderId: 1, body: { complete: false, quantity: 3 } })],
  ['order', (call) => call(getOrder, { orderId: 1 })],
  ['order', (call) => call(cancelOrder, { orderId: 1 })],
  ['pet', (call) => call(getPet, { petId: 1 })],
  ['pet', (call) => call(getPetDetails, { petId: 1 })],
  ['pet', (call) => call(getInventoryItem, { petId: 1 })],
];

testOnEveryStore('returns a record with its version, the id of its last ledger entry', async ({ call, ledger, category }) => {
  await category();
  for (const [noun, answer] of answers) {
    const { version } = await answer(call);
    const entries = await ledger();
    const newest = entries.findLast((entry) => entry[`${noun}Id`] !== undefined);
    expect([noun, version]).toEqual([noun, newest?.id]);
  }
});

testOnEveryStore('deleting returns the record as it was, with its last version', async ({ call, pet }) => {
  const petId = await pet();
  const { version } = await call(getPet, { petId });
  expect(await call(deletePet, { petId })).toMatchObject({ version });
  const before = await call(getCategory, { categoryId: 1 });
  expect(await call(deleteCategory, { categoryId: 1 })).toEqual(before);
});

testOnEveryStore('lists contain no versions', async ({ call, pet }) => {
  await pet({ quantity: 3, reserved: 1 });
  const pages = [await call(listPets, {}), await call(listInventory, {}), await call(listOrders, {}), await call(listCategories, {})];
  for (const { items } of pages) {
    expect(items).toHaveLength(1);
    expect(items[0]).not.toHaveProperty('version');
  }
});

testOnEveryStore('changes several pets by their versions, all or none', async ({ callEach, call, pet, expectRefusal, adjust }) => {
  const [first, second] = [await pet(), await pet()];
  const versions = async (): Promise<number[]> => {
    const read: number[] = [];
    for (const petId of [first, second]) read.push((await call(getPetDetails, { petId })).version);
    return read;
  };
  const rename = (name: string, ifMatch: readonly number[]) =>
    callEach(
      updatePet,
      [first, second].map((petId) => ({ petId, body: { name } })),
      { ifMatch },
    );
  const read = await versions();
  await rename('Max', read);
  await adjust(second, 1);
  await expectRefusal('precondition_failed', () => rename('Tom', read), /Pet 1 is at version/);
  const [newest = 0] = await versions();
  await expectRefusal('precondition_failed', () => rename('Tom', [newest, ...read]), /Pet 2 is at version/);
  expect((await call(getPetDetails, { petId: first })).name).toBe('Max');
});
