import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { testOnEveryEngine, testOnEveryStore } from '../support/stores.js';

const hour = 60 * 60 * 1000;

testOnEveryStore('a repeated request with the same key returns the first answer and changes nothing', async ({ call, pet, expectUnchanged, set }) => {
  const petId = await pet({ quantity: 3 });
  let replayed = 0;
  const sell = () => call(placeOrder, { body: { petId, quantity: 2 } }, { key: 'till-1', onReplay: () => (replayed += 1) });
  const first = await sell();
  expect(replayed).toBe(0);
  await set(petId, 2);
  expect(await expectUnchanged(sell)).toEqual(first);
  expect(await expectUnchanged(sell)).toEqual(first);
  expect(replayed).toBe(2);
});

testOnEveryStore('refuses a key that was used for another request', async ({ call, pet, expectRefusal }) => {
  const petId = await pet({ quantity: 9 });
  const adjust = (delta: number) => () => call(adjustInventory, { petId, body: { delta } }, { key: 'k' });
  await adjust(1)();
  await expectRefusal('idempotency_key_reused', adjust(2), /The key "k" was used for another request/);
  await expectRefusal('idempotency_key_reused', () => call(setInventory, { petId, body: { quantity: 1 } }, { key: 'k' }), /"k"/);
});

testOnEveryStore('two senders can use the same key independently', async ({ shopOf, pet, expectUnchanged, expectRefusal, stockSummary }) => {
  const petId = await pet({ quantity: 9 });
  const till = (actor: string, quantity = 2, onReplay?: () => void) =>
    shopOf(actor).call(placeOrder, { body: { petId, quantity } }, { key: 'k', ...(onReplay && { onReplay }) });
  let replayed = 0;
  const first = await till('till-a', 2, () => (replayed += 1));
  const second = await till('till-b', 2, () => (replayed += 1));
  expect([first.id, second.id, replayed]).toEqual([1, 2, 0]);
  // A third sender can use the key for another request and learns nothing about the others.
  expect(await till('till-c', 3)).toMatchObject({ id: 3 });
  expect(await expectUnchanged(() => till('till-a'))).toEqual(first);
  expect(await expectUnchanged(() => till('till-b'))).toEqual(second);
  await expectRefusal('idempotency_key_reused', () => till('till-b', 3), /"k"/);
  expect(await stockSummary(petId)).toBe('9 on hand, 7 reserved, available');
});

testOnEveryStore('separates senders whose names and keys concatenate to the same text', async ({ shopOf, pet }) => {
  const petId = await pet({ quantity: 9 });
  const senders = [
    ['a', 'b c'],
    ['a b', 'c'],
    ['actor a', 'c'],
    ['token 1', 'c'],
    ['1', 'c'],
    ['A', 'b c'],
  ] as const;
  const ids = [];
  for (const [actor, key] of senders) ids.push((await shopOf(actor).call(placeOrder, { body: { petId } }, { key })).id);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
});

testOnEveryStore('a key is kept for 24 hours', async ({ call, category, clock, expectUnchanged }) => {
  const categoryId = await category();
  const create = () => call(createPet, { body: { name: 'Rex', categoryId } }, { key: 'k' });
  await create();
  clock.pass(24 * hour - 1);
  expect(await expectUnchanged(create)).toMatchObject({ id: 1 });
  clock.pass(1);
  expect(await create()).toMatchObject({ id: 2 });
});

testOnEveryStore('after 24 hours a key can be used again, and one of 256 new keys, by its time, deletes the old answers', async ({ call, rows, clock }) => {
  await call(createCategory, { body: { name: 'Dogs' } }, { key: 'a' });
  await call(createCategory, { body: { name: 'Cats' } }, { key: 'b' });
  clock.pass(24 * hour);
  expect(await call(createCategory, { body: { name: 'Fish' } }, { key: 'a' })).toMatchObject({ id: 3, name: 'Fish' });
  const keys = () => rows({ text: 'SELECT key FROM replays ORDER BY at, key', values: [] });
  expect(await keys()).toEqual([{ key: 'b' }, { key: 'a' }]);
  clock.pass(255 - (clock.now() % 256));
  await call(createCategory, { body: { name: 'Mice' } }, { key: 'c' });
  expect(await keys()).toEqual([{ key: 'a' }, { key: 'c' }]);
});

testOnEveryStore('a refused request does not use up its key', async ({ call, pet, set, expectRefusal }) => {
  const petId = await pet({ quantity: 1 });
  const order = () => call(placeOrder, { body: { petId, quantity: 2 } }, { key: 'k' });
  await expectRefusal('insufficient_stock', order, /Only 1 × .* available; 2 requested/);
  await set(petId, 2);
  const placed = await order();
  expect(placed).toMatchObject({ id: 1, quantity: 2 });
  expect(await order()).toEqual(placed);
});

testOnEveryStore('a dry run does not use up its key', async ({ call, category, expectUnchanged }) => {
  const categoryId = await category();
  const create = (dryRun: boolean) => () => call(createPet, { body: { name: 'Rex', categoryId } }, { key: 'k', dryRun });
  const would = await expectUnchanged(create(true));
  expect(await create(false)()).toEqual(would);
  expect((await call(listPets, {})).items).toHaveLength(1);
});

testOnEveryStore('a key covers all inputs of its request in their order', async ({ callEach, pet, expectRefusal, expectUnchanged, stockSummary }) => {
  const petId = await pet({ quantity: 1 });
  const add = (...deltas: readonly number[]) =>
    callEach(
      adjustInventory,
      deltas.map((delta) => ({ petId, body: { delta } })),
      { key: 'k' },
    );
  const first = await add(1, 2);
  expect(await expectUnchanged(() => add(1, 2))).toEqual(first);
  await expectRefusal('idempotency_key_reused', () => add(2, 1), /"k"/);
  await expectRefusal('idempotency_key_reused', () => add(1), /"k"/);
  expect(await stockSummary(petId)).toBe('4 on hand, 0 reserved, available');
});

testOnEveryStore('equivalent notations of one request count as the same request', async ({ call, expectUnchanged }) => {
  const name = 'Ñandú';
  const first = await call(createCategory, { body: { name: name.normalize('NFC') } }, { key: 'k' });
  expect(await expectUnchanged(() => call(createCategory, { body: { name: ` ${name.normalize('NFD')} ` } }, { key: 'k' }))).toEqual(first);
});

testOnEveryStore('two concurrent requests with one key take effect once', async ({ call, pet, stockSummary }) => {
  const petId = await pet({ quantity: 5 });
  const adjust = () => call(adjustInventory, { petId, body: { delta: 1 } }, { key: 'k' });
  const answers = await Promise.all([adjust(), adjust(), adjust()]);
  expect(new Set(answers.map(({ quantity }) => quantity))).toEqual(new Set([6]));
  expect(await stockSummary(petId)).toBe('6 on hand, 0 reserved, available');
});

testOnEveryStore('of two concurrent orders for the last unit exactly one succeeds', async ({ call, pet, stockSummary }) => {
  const petId = await pet();
  const order = () => call(placeOrder, { body: { petId } });
  const outcomes = await Promise.allSettled([order(), order(), order()]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await stockSummary(petId)).toBe('1 on hand, 1 reserved, pending');
});

testOnEveryStore('a dry run returns the answer of the real run and stores nothing', async ({ call, category, pet, expectUnchanged }) => {
  const categoryId = await category();
  const petId = await pet({ categoryId, quantity: 3, reserved: 2 });
  const steps: readonly ((dryRun: boolean) => Promise<unknown>)[] = [
    (dryRun) => call(createPet, { body: { name: 'Max', categoryId } }, { dryRun }),
    (dryRun) => call(setInventory, { petId, body: { quantity: 8 } }, { dryRun }),
    (dryRun) => call(placeOrder, { body: { petId, quantity: 3, complete: true } }, { dryRun }),
    (dryRun) => call(updateOrder, { orderId: 1, body: { complete: true } }, { dryRun }),
    (dryRun) => call(holdPet, { petId }, { dryRun }),
  ];
  for (const step of steps) {
    const would = await expectUnchanged(() => step(true));
    expect(await step(false)).toEqual(would);
  }
});

testOnEveryStore('a dry run is refused like the real run', async ({ call, pet, expectRefusal }) => {
  const petId = await pet({ quantity: 3 });
  await expectRefusal('pet_in_stock', () => call(deletePet, { petId }, { dryRun: true }), /3 on hand/);
});

testOnEveryEngine('a snapshot reads one state and allows no changes', async ({ shop, call, category }) => {
  await category('Dogs');
  const seen = await shop.snapshot(async (read) => {
    const before = await read(listCategories, {});
    await call(createCategory, { body: { name: 'Cats' } });
    const after = await read(listCategories, {});
    await expect(read(createCategory, { body: { name: 'Fish' } })).rejects.toThrow(/createCategory changes the shop/);
    return [before.items.length, after.items.length];
  });
  expect(seen).toEqual([1, 1]);
  expect((await call(listCategories, {})).items).toHaveLength(2);
});
