import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { deleteCategory } from '../../src/domain/categories/delete-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { StoreError } from '../../src/domain/errors.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { listUndoable } from '../../src/domain/ledger/list-undoable.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import { sql, type Sql } from '../../src/storage/sql.js';
import { csv } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { isFullSize, seed, seededRandom } from '../support/seeded-random.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

const sequences = isFullSize ? 200 : 1;
const changesPerSequence = 30;

type Random = (below: number) => number;

/** A random change of one of a few records; it may be refused. Without shortages each change can be undone. */
function randomChange({ call, callEach, importStock }: Shop, random: Random, allowsShortage: boolean): Promise<unknown> {
  const pick = <Value>(first: Value, ...others: readonly Value[]): Value => [first, ...others][random(others.length + 1)] ?? first;
  const petId = 1 + random(5);
  const other = 1 + random(5);
  const orderId = 1 + random(6);
  const categoryId = 1 + random(3);
  const name = pick('A', 'B', 'C', 'Cats', 'cats');
  const quantity = 1 + random(3);
  const status = pick('available', 'pending', 'sold');
  const shipDate = pick(undefined, null, '2026-12-24T09:00:00Z');
  const changes: readonly (() => Promise<unknown>)[] = [
    () => call(createPet, { quantity: random(3), body: { name, categoryId } }),
    () => call(createPet, { body: { name, categoryId, status } }),
    () => call(updatePet, { petId, body: { name, categoryId } }),
    () => call(updatePet, { petId, body: { name, status } }),
    () => call(updatePet, { petId, body: { categoryId } }),
    () => call(deletePet, { petId }),
    () => call(deletePet, { petId }),
    () => call(holdPet, { petId }),
    () => call(releasePet, { petId }),
    () => call(createCategory, { body: { name } }),
    () => call(updateCategory, { categoryId, body: { name, description: pick(undefined, null, 'text') } }),
    () => call(deleteCategory, { categoryId, moveTo: pick(undefined, 1 + random(3)) }),
    () => call(placeOrder, { body: { petId, quantity } }),
    () => call(placeOrder, { body: {} }),
    () => call(placeOrder, { body: { petId, quantity, complete: true } }),
    () =>
      callEach(
        placeOrder,
        [petId, other].map((one) => ({ body: { petId: one, quantity, complete: true } })),
      ),
    () => call(updateOrder, { orderId, body: { quantity } }),
    () => call(updateOrder, { orderId, body: { petId: pick(petId, null) } }),
    () => call(updateOrder, { orderId, body: { petId, quantity, shipDate, complete: pick(undefined, true, false) } }),
    () => call(updateOrder, { orderId, body: { complete: true } }),
    () => call(updateOrder, { orderId, body: { complete: false } }),
    () => callEach(cancelOrder, [{ orderId }, { orderId: 1 + random(6) }]),
    () => call(cancelOrder, { orderId }),
    () => call(setInventory, { petId, allowShortage: allowsShortage && random(2) === 0, body: { quantity: random(4) } }),
    () => call(adjustInventory, { petId, body: { delta: pick(-2, -1, 1, 2, 3) } }),
    () =>
      callEach(
        adjustInventory,
        [petId, other].map((one) => ({ petId: one, body: { delta: 1 } })),
      ),
    () => call(setLowAt, { petId, body: { lowAt: pick(undefined, 0, 1, 2) } }),
    () => call(setLowDefault, { body: { lowAt: pick(undefined, 1, 2) } }),
    () => importStock(csv('petId,delta', `${petId},2`, ...(other === petId ? [] : [`${other},1`])), { mode: 'keep-going' }),
  ];
  return changes[random(changes.length)]?.() ?? Promise.resolve();
}

/** The live records of the shop, without its history. */
async function liveRecords({ rows }: TestShop): Promise<unknown> {
  const live: readonly Sql[] = [
    sql`SELECT * FROM categories WHERE archived = 0 ORDER BY id`,
    sql`SELECT * FROM pets WHERE archived = 0 ORDER BY id`,
    sql`SELECT * FROM stock ORDER BY pet_id`,
    sql`SELECT * FROM settings ORDER BY 1`,
    sql`SELECT * FROM orders WHERE state <> 'cancelled' ORDER BY id`,
  ];
  const records: unknown[] = [];
  for (const query of live) records.push(await rows(query));
  return records;
}

/** Whether a change was accepted; any other error than a refusal is thrown. */
async function isAccepted(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code !== 'internal_error') return false;
    throw error;
  }
}

/** Numbers below a bound, the same ones for each run of a sequence. */
function randomOf(sequence: number): Random {
  const generate = seededRandom(seed + sequence);
  return (below) => Math.floor(generate() * below);
}

/** Two categories and three pets, which `owner` creates. */
async function startingRecords({ shopOf }: TestShop): Promise<void> {
  const { call } = shopOf('owner');
  for (const name of ['A', 'B']) await call(createCategory, { body: { name } });
  for (const name of ['A', 'B', 'C']) await call(createPet, { quantity: 3, body: { name, categoryId: 1 } });
}

/** Undoes the first change of the list, which a dry run shows without a change, and repeats the request. */
async function undoFirst(shop: TestShop, key: string): Promise<void> {
  const [first] = await shop.call(listUndoable, {});
  const dry = await shop.expectUnchanged(() => shop.call(undoLast, { body: {} }, { dryRun: true }));
  expect(dry.entryId).toBe(first?.entryId);
  for (const _ of [1, 2]) await shop.call(undoLast, { body: { entryId: first?.entryId } }, { key });
}

/** Undoes a change of an actor by one of its entries, or one of the list, which is refused or writes to the ledger. */
async function undoAny(shop: TestShop, { call }: Shop, random: Random): Promise<void> {
  const entries = (await shop.ledger()).length;
  if (random(3) === 0) return void (await isAccepted(() => call(undoEntry, { entryId: 1 + random(entries) })));
  const changes = await call(listUndoable, {});
  const entryId = random(2) === 0 ? undefined : changes[random(changes.length)]?.entryId;
  const isUndone = await isAccepted(() => call(undoLast, { allowShortage: random(2) === 0, body: { entryId } }));
  expect((await shop.ledger()).length > entries).toBe(isUndone);
}

for (let sequence = 0; sequence < sequences; sequence += 1) {
  testOnEveryStore(`undoes random changes one after the other, each to the records before it: sequence ${sequence}`, async (shop) => {
    const random = randomOf(sequence);
    await startingRecords(shop);
    const before: unknown[] = [];
    for (let step = 0; step < changesPerSequence; step += 1) {
      shop.clock.pass(random(2));
      const [records, entries] = [await liveRecords(shop), (await shop.ledger()).length];
      await isAccepted(() => randomChange(shop.shop, random, false));
      if ((await shop.ledger()).length > entries) before.push(records);
      if (random(5) > 0 || before.length === 0) continue;
      await undoFirst(shop, `key ${step}`);
      expect(await liveRecords(shop)).toEqual(before.pop());
    }
    for (const records of before.toReversed()) {
      await undoFirst(shop, `last key ${before.indexOf(records)}`);
      expect(await liveRecords(shop)).toEqual(records);
    }
    expect(await shop.call(listUndoable, {})).toEqual([]);
    expect(await brokenInvariants(shop)).toEqual([]);
  });

  testOnEveryStore(`keeps the rules of the shop while two actors change it and undo changes: sequence ${sequence}`, async (shop) => {
    const random = randomOf(sequence);
    await startingRecords(shop);
    for (let step = 0; step < changesPerSequence; step += 1) {
      shop.clock.pass(random(2));
      const actor = shop.shopOf(random(2) === 0 ? 'ana' : 'ben');
      if (random(3) > 0) await isAccepted(() => randomChange(actor, random, true));
      else await undoAny(shop, actor, random);
      expect(await brokenInvariants(shop)).toEqual([]);
    }
  });
}
