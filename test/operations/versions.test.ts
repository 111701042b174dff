import { expect } from 'vitest';
import { deleteCategory, replaceCategory, updateCategory } from '../../src/domain/categories.js';
import { adjustInventory, setInventory, setLowAt } from '../../src/domain/inventory.js';
import { cancelOrder, placeOrder, updateOrder } from '../../src/domain/orders.js';
import { getPetDetails } from '../../src/domain/pet-details.js';
import { deletePet, holdPet, releasePet, replacePet, updatePet } from '../../src/domain/pets.js';
import type { CallOptions } from '../../src/domain/shop.js';
import { everywhere } from '../support/everywhere.js';
import type { Scene } from '../support/scene.js';

type Change = (shop: Scene, options: CallOptions) => Promise<unknown>;

/** Each change of pet 1, with the version the caller last saw. */
const petChanges: Readonly<Record<string, Change>> = {
  'replacing a pet': ({ call }, options) => call(replacePet, { petId: 1, body: { name: 'Max', categoryId: 1 } }, options),
  'changing a pet': ({ call }, options) => call(updatePet, { petId: 1, body: { name: 'Max' } }, options),
  'deleting a pet': ({ call }, options) => call(deletePet, { petId: 1 }, options),
  'holding a pet': ({ call }, options) => call(holdPet, { petId: 1 }, options),
  'releasing a pet': ({ call }, options) => call(releasePet, { petId: 1 }, options),
  'setting the stock': ({ call }, options) => call(setInventory, { petId: 1, body: { quantity: 4 } }, options),
  'adjusting the stock': ({ call }, options) => call(adjustInventory, { petId: 1, body: { delta: 2 } }, options),
  'setting the low level': ({ call }, options) => call(setLowAt, { petId: 1, body: { lowAt: 3 } }, options),
};

/** The same for category 1 and order 1. */
const otherChanges: Readonly<Record<string, readonly ['category' | 'order', Change]>> = {
  'replacing a category': ['category', ({ call }, options) => call(replaceCategory, { categoryId: 1, body: { name: 'Hounds' } }, options)],
  'changing a category': ['category', ({ call }, options) => call(updateCategory, { categoryId: 1, body: { name: 'Hounds' } }, options)],
  'deleting a category': ['category', ({ call }, options) => call(deleteCategory, { categoryId: 1 }, options)],
  'changing an order': ['order', ({ call }, options) => call(updateOrder, { orderId: 1, body: { quantity: 3 } }, options)],
  'completing an order': ['order', ({ call }, options) => call(updateOrder, { orderId: 1, body: { complete: true } }, options)],
  'cancelling an order': ['order', ({ call }, options) => call(cancelOrder, { orderId: 1 }, options)],
};

for (const [name, change] of Object.entries(petChanges)) {
  everywhere(`${name} needs the version it names`, async (shop) => {
    await shop.pet();
    const { version } = await shop.call(getPetDetails, { petId: 1 });
    for (const ifMatch of [version - 1, version + 1]) {
      await shop.refuses('precondition_failed', () => change(shop, { ifMatch }), new RegExp(`Pet 1 is at version ${version}, not ${ifMatch}`));
    }
    await change(shop, { ifMatch: version });
  });
}

for (const [name, [noun, change]] of Object.entries(otherChanges)) {
  everywhere(`${name} needs the version it names`, async (shop) => {
    if (noun === 'category') await shop.category();
    else await shop.pet({ quantity: 5, promised: 2 });
    const subject = noun === 'category' ? 'Category 1' : 'Order 1';
    const rows = await shop.ledger(noun === 'category' ? {} : { orderId: 1 });
    const version = rows.at(-1)?.id ?? 0;
    for (const ifMatch of [version - 1, version + 1]) {
      await shop.refuses('precondition_failed', () => change(shop, { ifMatch }), new RegExp(`${subject} is at version ${version}, not ${ifMatch}`));
    }
    await change(shop, { ifMatch: version });
  });
}

everywhere('of two people who saw the same version only the first succeeds', async ({ call, pet, refuses }) => {
  const petId = await pet();
  const { version } = await call(getPetDetails, { petId });
  await call(updatePet, { petId, body: { name: 'Max' } }, { ifMatch: version });
  await refuses('precondition_failed', () => call(updatePet, { petId, body: { name: 'Tom' } }, { ifMatch: version }), /version/);
  expect(await call(getPetDetails, { petId })).toMatchObject({ name: 'Max' });
});

everywhere('a change that changes nothing keeps the version', async ({ call, pet }) => {
  const petId = await pet({ quantity: 3 });
  const { version } = await call(getPetDetails, { petId });
  await call(updatePet, { petId, body: { name: 'Rex' } }, { ifMatch: version });
  await call(setInventory, { petId, body: { quantity: 3 } }, { ifMatch: version });
  expect(await call(getPetDetails, { petId })).toMatchObject({ version });
});

everywhere('an order of a pet is a change of the pet', async ({ call, pet }) => {
  const petId = await pet();
  const { version } = await call(getPetDetails, { petId });
  await call(placeOrder, { body: { petId } });
  const { version: after } = await call(getPetDetails, { petId });
  expect(after).toBeGreaterThan(version);
});

everywhere('a record that is gone is not found, whatever its version', async ({ call, pet, refuses }) => {
  const petId = await pet();
  await call(deletePet, { petId });
  await refuses('pet_not_found', () => call(updatePet, { petId, body: { name: 'Max' } }, { ifMatch: 1 }), /Pet 1/);
});
