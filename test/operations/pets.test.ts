import { expect } from 'vitest';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { replacePet } from '../../src/domain/pets/replace-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { findPet, findPets } from '../../src/domain/pets/find-pet.js';
import { testOnEveryStore } from '../support/stores.js';

const maximum = 2 ** 31 - 1;

testOnEveryStore('finds a pet by id, or by name regardless of case, accents and Unicode form', async ({ call, pet, expectRefusal }) => {
  await pet({ name: 'Rex' });
  const zoe = await pet({ name: 'Zoé Ñandú' });
  for (const text of ['2', 'Zoé Ñandú', 'zoe nandu', ' ZOÉ ÑANDÚ ', 'Zoé Ñandú'.normalize('NFD'), 'name:zoe nandu']) {
    expect(await findPet(call, text, 'pet_not_found')).toBe(zoe);
  }
  for (const missing of ['pet_not_found', 'unknown_pet'] as const) {
    await expectRefusal(missing, () => findPet(call, 'Zoe', missing), /^There is no pet named "Zoe"; did you mean "Zoé Ñandú"\?$/);
    await expectRefusal(missing, () => findPet(call, 'Rez', missing), /no pet named "Rez"; did you mean "Rex"\?$/);
    await expectRefusal(missing, () => findPet(call, '9007199254740993', missing), /^There is no pet 9007199254740993\.$/);
  }
  // An id is not looked up: the operation refuses it.
  expect(await findPet(call, '99', 'pet_not_found')).toBe(99);
  expect(await findPets(call, ['rex', '2', 'Rex'])).toEqual([1, 2, 1]);
});

testOnEveryStore('reads digits as the id of a pet, and anything after name: as its name', async ({ call, pet }) => {
  await pet({ name: 'Rex' });
  const seven = await pet({ name: '7' });
  expect(await findPet(call, '7', 'pet_not_found')).toBe(7);
  expect(await findPet(call, 'name:7', 'pet_not_found')).toBe(seven);
  const odd = await pet({ name: 'name:x' });
  expect(await findPet(call, 'name:name:x', 'pet_not_found')).toBe(odd);
});

testOnEveryStore('refuses a name of several live pets and lists their ids', async ({ call, pet, expectRefusal }) => {
  for (const name of ['Rex', 'Rex', 'REX', 'Max', 'max']) await pet({ name });
  await expectRefusal('ambiguous_pet', () => findPet(call, 'rex', 'pet_not_found'), /^"rex" names 3 pets: 1, 2 and 3; give the id\.$/);
  await expectRefusal('ambiguous_pet', () => findPet(call, 'Rex', 'pet_not_found'), /names 2 pets: 1 and 2/);
  // One of them has exactly this name.
  expect(await findPet(call, 'REX', 'pet_not_found')).toBe(3);
  await expectRefusal('ambiguous_pet', () => findPet(call, 'MAX', 'pet_not_found'), /4 and 5/);
  await call(deletePet, { petId: 5 });
  expect(await findPet(call, 'MAX', 'pet_not_found')).toBe(4);
});

testOnEveryStore('lists the pets of a name', async ({ call, pet }) => {
  for (const name of ['Rex', 'rex', 'T-Rex']) await pet({ name });
  expect((await call(listPets, { name: 'REX', count: true })).total).toBe(2);
  expect((await call(listPets, { name: ' rex ' })).items.map(({ id }) => id)).toEqual([1, 2]);
  expect((await call(listPets, { name: 'rex', id: [2, 3] })).items.map(({ id }) => id)).toEqual([2]);
});

testOnEveryStore('a new pet has an inventory entry with one unit', async ({ call, category, ledger }) => {
  const categoryId = await category('Dogs');
  const created = await call(createPet, { body: { name: 'Rex', categoryId } });
  expect(created).toMatchObject({ id: 1, name: 'Rex', categoryId, status: 'available' });
  expect(await call(getInventoryItem, { petId: 1 })).toEqual({
    petId: 1,
    name: 'Rex',
    category: 'Dogs',
    quantity: 1,
    status: 'available',
    reserved: 0,
    available: 1,
    hold: false,
    low: false,
    short: false,
    version: 2,
  });
  expect(await ledger({ petId: 1 })).toMatchObject([{ kind: 'opening', delta: 1, quantityAfter: 1, petId: 1 }]);
});

testOnEveryStore('a new pet has the requested quantity', async ({ call, category, stockSummary, ledgerSummary }) => {
  const categoryId = await category();
  const opened = async (quantity: number): Promise<string> => {
    const { id } = await call(createPet, { quantity, body: { name: 'Guppy', categoryId } });
    expect(await ledgerSummary({ petId: id })).toEqual([`opening ${quantity > 0 ? '+' : ''}${quantity}`]);
    return stockSummary(id);
  };
  expect(await opened(0)).toBe('0 on hand, 0 reserved, sold');
  expect(await opened(40)).toBe('40 on hand, 0 reserved, available');
  expect(await opened(maximum)).toBe(`${maximum} on hand, 0 reserved, available`);
});

testOnEveryStore('refuses a new pet with a quantity out of range', async ({ call, category, expectRefusal }) => {
  const body = { name: 'Guppy', categoryId: await category() };
  await expectRefusal('invalid_parameter', () => call(createPet, { quantity: -1, body }), /quantity: must not be negative/);
  await expectRefusal('invalid_parameter', () => call(createPet, { quantity: maximum + 1, body }), /quantity: .*2147483647/);
});

testOnEveryStore('refuses a new pet whose quantity contradicts its status', async ({ call, category, expectRefusal }) => {
  const body = { name: 'Guppy', categoryId: await category() };
  await expectRefusal('validation_failed', () => call(createPet, { quantity: 2, body: { ...body, status: 'sold' } }), /sold/, /2/);
  await expectRefusal('validation_failed', () => call(createPet, { quantity: 0, body: { ...body, status: 'available' } }), /available/, /0/);
  expect(await call(createPet, { quantity: 0, body: { ...body, status: 'pending' } })).toMatchObject({ status: 'pending' });
});

testOnEveryStore('refuses a pet with an unknown category', async ({ call, pet, expectRefusal }) => {
  const petId = await pet();
  await expectRefusal('unknown_category', () => call(createPet, { body: { name: 'Rex', categoryId: 99 } }), /There is no category 99/);
  await expectRefusal('unknown_category', () => call(replacePet, { petId, body: { name: 'Rex', categoryId: 99 } }), /99/);
  await expectRefusal('unknown_category', () => call(updatePet, { petId, body: { categoryId: 99 } }), /99/);
});

testOnEveryStore('reports all problems of a body in one message', async ({ callUnchecked, expectRefusal }) => {
  const wrong = { name: ' ', categoryId: 1.5, status: 'Sold', colour: 'red' };
  await expectRefusal(
    'validation_failed',
    () => callUnchecked(createPet, { body: wrong }),
    /name: must not be blank/,
    /categoryId: must be an integer/,
    /status: must be available, pending or sold/,
    /colour: is unknown/,
    /; /,
  );
  await expectRefusal('validation_failed', () => callUnchecked(createPet, { body: {} }), /name: is required; categoryId: is required/);
  await expectRefusal('validation_failed', () => callUnchecked(createPet, { body: null }), /body: /);
  await expectRefusal('validation_failed', () => callUnchecked(createPet, { body: { id: 7, name: 'Rex', categoryId: 1 } }), /id: is unknown/);
});

testOnEveryStore('refuses an invalid parameter with invalid_parameter and an unknown one with unknown_parameter', async ({ callUnchecked, expectRefusal }) => {
  await expectRefusal('invalid_parameter', () => callUnchecked(getPet, { petId: '7' }), /petId: must be an integer/);
  await expectRefusal('invalid_parameter', () => callUnchecked(getPet, { petId: 0 }), /petId: must be at least 1/);
  await expectRefusal('invalid_parameter', () => callUnchecked(getPet, {}), /petId: is required/);
  await expectRefusal('unknown_parameter', () => callUnchecked(getPet, { petId: 1, verbose: true }), /verbose: is unknown/);
});

testOnEveryStore('answers pet_not_found for an unknown pet', async ({ call, expectRefusal }) => {
  const petId = 7;
  const attempts = [
    () => call(getPet, { petId }),
    () => call(getPetDetails, { petId }),
    () => call(getInventoryItem, { petId }),
    () => call(deletePet, { petId }),
    () => call(holdPet, { petId }),
    () => call(releasePet, { petId }),
    () => call(updatePet, { petId, body: { name: 'Rex' } }),
    () => call(replacePet, { petId, body: { name: 'Rex', categoryId: 1 } }),
  ];
  for (const attempt of attempts) await expectRefusal('pet_not_found', attempt, /Pet 7 was not found/);
});

testOnEveryStore(
  'replacing or changing a pet writes one row, and a request without changes none',
  async ({ call, category, pet, ledgerSummary, expectUnchanged }) => {
    const cats = await category('Cats');
    const petId = await pet({ name: 'Rex' });
    expect(await call(replacePet, { petId, body: { name: 'Tom', categoryId: cats } })).toMatchObject({ id: petId, name: 'Tom', categoryId: cats });
    await expectUnchanged(() => call(replacePet, { petId, body: { name: 'Tom', categoryId: cats } }));
    expect(await call(updatePet, { petId, body: { name: 'Tim' } })).toMatchObject({ name: 'Tim', categoryId: cats });
    await expectUnchanged(() => call(updatePet, { petId, body: { name: 'Tim' } }));
    await expectUnchanged(() => call(updatePet, { petId, body: {} }));
    expect(await ledgerSummary({ petId })).toEqual(['opening +1', 'pet.updated', 'pet.updated']);
  },
);

testOnEveryStore('deleting a pet writes off its last unit', async ({ call, pet, ledgerSummary, ledger }) => {
  const petId = await pet({ name: 'Rex' });
  expect(await call(deletePet, { petId })).toMatchObject({ id: petId, name: 'Rex', status: 'available' });
  expect(await ledgerSummary({ petId })).toEqual(['opening +1', 'adjust -1', 'pet.archived']);
  expect((await ledger({ petId })).at(1)).toMatchObject({ quantityAfter: 0 });
});

testOnEveryStore('deleting a sold pet archives it without a stock change', async ({ call, pet, ledgerSummary }) => {
  const petId = await pet({ quantity: 0 });
  expect(await call(deletePet, { petId })).toMatchObject({ status: 'sold' });
  expect(await ledgerSummary({ petId })).toEqual(['opening 0', 'pet.archived']);
});

testOnEveryStore('a deleted pet is not found', async ({ call, pet, expectRefusal }) => {
  const petId = await pet();
  await call(deletePet, { petId });
  await expectRefusal('pet_not_found', () => call(getPet, { petId }), /Pet 1/);
  await expectRefusal('pet_not_found', () => call(deletePet, { petId }), /Pet 1/);
  await expectRefusal('pet_not_found', () => call(getInventoryItem, { petId }), /Pet 1/);
  await expectRefusal('unknown_pet', () => call(placeOrder, { body: { petId } }), /There is no pet 1/);
  expect((await call(listPets, { count: true })).total).toBe(0);
  expect((await call(listPets, { id: [petId] })).items).toEqual([]);
  expect((await call(listInventory, {})).items).toEqual([]);
});

testOnEveryStore('does not reuse the id of a deleted pet', async ({ call, pet }) => {
  expect(await pet()).toBe(1);
  await call(deletePet, { petId: 1 });
  expect(await pet()).toBe(2);
});

testOnEveryStore('refuses to delete a pet with open orders', async ({ call, pet, order, expectRefusal }) => {
  const petId = await pet({ name: 'Rex', quantity: 3 });
  await order(petId);
  await order(petId);
  await expectRefusal('pet_has_open_orders', () => call(deletePet, { petId }), /Pet 1 \(Rex\)/, /2 open orders: 1 and 2/);
});

testOnEveryStore('refuses to delete a pet with more than one unit', async ({ call, pet, expectRefusal }) => {
  const petId = await pet({ name: 'Guppy', quantity: 2 });
  await expectRefusal('pet_in_stock', () => call(deletePet, { petId }), /Pet 1 \(Guppy\)/, /2 on hand/);
});

testOnEveryStore('complete orders of a deleted pet still refer to it', async ({ call, pet, order }) => {
  const petId = await pet({ name: 'Rex' });
  const orderId = await order(petId);
  await call(updateOrder, { orderId, body: { complete: true } });
  await call(deletePet, { petId });
  expect(await call(getOrder, { orderId })).toMatchObject({ id: orderId, petId, pet: 'Rex', complete: true });
});

testOnEveryStore('refuses to reopen an order of a deleted pet', async ({ call, pet, order, expectRefusal }) => {
  const petId = await pet();
  const orderId = await order(petId);
  await call(updateOrder, { orderId, body: { complete: true } });
  await call(deletePet, { petId });
  await expectRefusal('unknown_pet', () => call(updateOrder, { orderId, body: { complete: false } }), /Pet 1/, /order 1/);
});

testOnEveryStore('deletes several pets in one transaction or none, and the error names the pet', async ({ callEach, pet, expectRefusal, call }) => {
  const [plain, stocked] = [await pet(), await pet({ quantity: 4 })];
  await expectRefusal('pet_in_stock', () => callEach(deletePet, [{ petId: plain }, { petId: stocked }]), /Pet 2/);
  await expectRefusal('pet_not_found', () => callEach(holdPet, [{ petId: plain }, { petId: 9 }]), /Pet 9/);
  await callEach(holdPet, [{ petId: plain }, { petId: stocked }]);
  expect((await call(listPets, { status: ['pending'] })).items).toHaveLength(2);
});

testOnEveryStore('the details of a pet include category, reservations and open orders', async ({ call, category, clock, ledger, set }) => {
  const categoryId = await category('Dogs');
  const { id: petId } = await call(createPet, { quantity: 3, body: { name: 'Rex', categoryId } });
  clock.set('2026-11-21T10:30:00Z');
  await set(petId, 5);
  await call(placeOrder, { body: { petId, quantity: 2 } });
  expect(JSON.parse(JSON.stringify(await call(getPetDetails, { petId })))).toEqual({
    id: petId,
    name: 'Rex',
    categoryId,
    status: 'available',
    category: { id: categoryId, name: 'Dogs' },
    inventory: { quantity: 5, reserved: 2, available: 3 },
    codes: [],
    hold: false,
    openOrders: 1,
    version: (await ledger({ petId })).at(-1)?.id,
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-21T10:30:00.000Z',
  });
});
