import { expect, test } from 'vitest';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { changeText } from '../../src/domain/ledger/change-text.js';
import { listUndoable } from '../../src/domain/ledger/list-undoable.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { changesIn, undoStepsOf } from '../../src/domain/ledger/undo-steps.js';
import type { LedgerEntry } from '../../src/domain/ledger/ledger-entry.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { getOrder } from '../../src/domain/orders/get-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import type { CallOptions } from '../../src/domain/call.js';
import type { Shop } from '../../src/domain/shop.js';
import { atomic, csv } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { testOnEveryStore, testOnSqlite } from '../support/stores.js';
import { later, tenUnits, undo, undoable } from '../support/undo.js';

function sale({ callEach }: Pick<Shop, 'callEach'>, ...items: readonly (readonly [petId: number, quantity: number])[]) {
  return callEach(
    placeOrder,
    items.map(([petId, quantity]) => ({ body: { petId, quantity, complete: true } })),
  );
}

testOnEveryStore('undoes a sale of several pets in one transaction: reopens and cancels its orders', async (shop) => {
  const [first, second] = [await tenUnits(shop), await tenUnits(shop)];
  const [one, other] = await later(shop, () => sale(shop, [first, 3], [second, 10]));
  expect(await undoable(shop)).toEqual(['sale order.placed sale order.placed']);
  const before = (await shop.ledger()).at(-1)?.id ?? 0;
  expect((await undo(shop)).entries.map(({ kind, orderId }) => [kind, orderId])).toEqual([
    ['sale', other?.id],
    ['order.placed', other?.id],
    ['sale', one?.id],
    ['order.placed', one?.id],
  ]);
  expect([await shop.stockSummary(first), await shop.stockSummary(second)]).toEqual(['10 on hand, 0 reserved, available', '10 on hand, 0 reserved, available']);
  expect((await shop.call(getOrder, { orderId: one?.id ?? 0 }).catch(({ code }: { readonly code: string }) => code)).toString()).toBe('order_not_found');
  const written = (await shop.ledger()).filter(({ id }) => id > before);
  expect(written.every(({ reverses }) => reverses !== undefined)).toBe(true);
  expect(await undoable(shop)).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('undoes changes one after the other, newest first, each once', async (shop) => {
  const petId = await tenUnits(shop);
  const { id: orderId } = await later(shop, () => shop.call(placeOrder, { body: { petId, quantity: 2 } }));
  await later(shop, () => shop.call(updateOrder, { orderId, body: { complete: true } }));
  await later(shop, () => shop.call(updateOrder, { orderId, body: { complete: false } }));
  await later(shop, () => shop.adjust(petId, 5));
  await later(shop, () => shop.set(petId, 12));
  await later(shop, () => shop.call(holdPet, { petId }));
  await later(shop, () => shop.call(releasePet, { petId }));
  await later(shop, () => shop.shop.importStock(csv('petId,quantity', `${petId},20`), atomic));
  const all = ['import 1', 'pet.released', 'pet.held', 'count', 'adjust', 'return', 'sale', 'order.placed'];
  expect(await undoable(shop)).toEqual(all);
  expect(await later(shop, () => undo(shop))).toMatchObject({ batchId: 1, rows: 1, entries: [] });
  const states: string[] = [];
  for (const expected of all.slice(1)) {
    expect((await undo(shop)).entries.map(({ kind }) => kind)).toEqual([expected]);
    states.push(await shop.stockSummary(petId));
    shop.clock.pass(1000);
  }
  expect(states).toEqual([
    '12 on hand, 2 reserved, pending',
    '12 on hand, 2 reserved, available',
    '15 on hand, 2 reserved, available',
    '10 on hand, 2 reserved, available',
    '8 on hand, 0 reserved, available',
    '10 on hand, 2 reserved, available',
    '10 on hand, 0 reserved, available',
  ]);
  expect(await undoable(shop)).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('undoes changes of the caller only', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  await later(shop, () => shop.adjust(petId, 1));
  await later(shop, () => sale(ben, [petId, 2]));
  expect([await undoable(shop), await undoable(ben)]).toEqual([['adjust'], ['sale order.placed']]);
  await later(shop, () => undo(shop));
  await shop.expectRefusal('not_undoable', () => undo(shop));
  expect(await shop.stockSummary(petId)).toBe('8 on hand, 0 reserved, available');
  await undo(ben);
  expect(await shop.stockSummary(petId)).toBe('10 on hand, 0 reserved, available');
});

testOnEveryStore('leaves out an order, a hold or a pet that was changed since', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  const { id: edited } = await later(shop, () => shop.call(placeOrder, { body: { petId } }));
  const { id: cancelled } = await later(shop, () => shop.call(placeOrder, { body: { petId } }));
  await later(shop, () => shop.call(holdPet, { petId }));
  expect(await undoable(shop)).toEqual(['pet.held', 'order.placed', 'order.placed']);
  await later(shop, () => ben.call(releasePet, { petId }));
  await later(shop, () => ben.call(updateOrder, { orderId: edited, body: { quantity: 3 } }));
  await later(shop, () => ben.call(cancelOrder, { orderId: cancelled }));
  expect(await undoable(shop)).toEqual([]);
  const gone = await tenUnits(shop);
  await later(shop, () => shop.adjust(gone, 2));
  await later(shop, () => ben.call(setInventory, { petId: gone, body: { quantity: 0 } }));
  await later(shop, () => ben.call(deletePet, { petId: gone }));
  expect(await undoable(shop)).toEqual([]);
  await shop.expectRefusal('not_undoable', () => undo(shop), /You cannot undo entry \d+: ben deleted pet 2 on 2026-11-20 at \d\d:\d\d UTC/);
});

testOnEveryStore('keeps later changes, and refuses what would take units that are gone or reserved', async (shop) => {
  const petId = await tenUnits(shop);
  const ben = shop.shopOf('ben');
  await later(shop, () => shop.adjust(petId, 10));
  await later(shop, () => ben.call(setInventory, { petId, body: { quantity: 4 } }));
  await shop.expectRefusal('out_of_stock', () => undo(shop), /Only 4 × Rex \(pet 1\) on hand/);
  await later(shop, () => ben.call(setInventory, { petId, body: { quantity: 14 } }));
  await later(shop, () => ben.call(placeOrder, { body: { petId, quantity: 12 } }));
  await shop.expectRefusal('stock_reserved', () => undo(shop));
  await undo(shop, undefined, true);
  expect(await shop.stockSummary(petId)).toBe('4 on hand, 12 reserved, pending');
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('undoes the change that is named, not one that was made since', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => shop.adjust(petId, 1));
  const [shown] = await shop.call(listUndoable, {});
  const shownId = shown?.entryId ?? 0;
  await later(shop, () => shop.adjust(petId, 2));
  expect((await undo(shop, shownId)).entries.map(({ delta }) => delta)).toEqual([1]);
  expect(await shop.stockSummary(petId)).toBe('12 on hand, 0 reserved, available');
  const undoing = (await shop.ledger()).at(-1)?.id ?? 0;
  await shop.expectRefusal('already_undone', () => undo(shop, shownId), new RegExp(`entry ${shownId}: it was already undone by entry ${undoing}`));
  await shop.expectRefusal('not_undoable', () => undo(shop, undoing), /it is an undo itself, of entry \d+; make the change again/);
  await shop.expectRefusal('entry_not_found', () => undo(shop, 99_999));
  await shop.expectRefusal('not_undoable', () => undo(shop.shopOf('ben'), shownId + 1), /ana made the change, and you are ben/);
});

testOnEveryStore('undoes an import once for a key, and repeats its answer', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => shop.adjust(petId, 5));
  await later(shop, () => shop.shop.importStock(csv('petId,delta', `${petId},3`, `${petId},4`), atomic));
  const undoWithKey = (options: CallOptions) => shop.call(undoLast, { body: {} }, { key: 'k', note: 'wrong file', ...options });
  const preview = await shop.expectUnchanged(() => undoWithKey({ dryRun: true }));
  const first = await later(shop, () => undoWithKey({}));
  expect([preview, first]).toEqual([first, { entryId: expect.any(Number), at: expect.any(String), batchId: 1, rows: 2, entries: [] }]);
  let replays = 0;
  expect(await shop.expectUnchanged(() => undoWithKey({ onReplay: () => void (replays += 1) }))).toEqual(first);
  expect([replays, await shop.stockSummary(petId), await undoable(shop)]).toEqual([1, '15 on hand, 0 reserved, available', ['adjust']]);
  expect((await shop.ledger({ kind: ['undo'] })).map(({ note }) => note)).toEqual(['wrong file', 'wrong file']);
  await shop.expectRefusal('idempotency_key_reused', () => shop.shop.undoBatch(1, { key: 'k' }));
  const concurrent = await later(shop, () => shop.shop.importStock(csv('petId,delta', `${petId},9`), atomic));
  const answers = await Promise.all([1, 2, 3].map(() => shop.call(undoLast, { body: {} }, { key: 'k2' })));
  expect(answers.map(({ batchId }) => batchId)).toEqual([concurrent.batch, concurrent.batch, concurrent.batch]);
  expect(await shop.stockSummary(petId)).toBe('15 on hand, 0 reserved, available');
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('of several concurrent undos of one change exactly one succeeds', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => shop.adjust(petId, 7));
  await later(shop, () => sale(shop, [petId, 4]));
  const [shown] = await shop.call(listUndoable, {});
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => undo(shop, shown?.entryId)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  expect(await shop.stockSummary(petId)).toBe('17 on hand, 0 reserved, available');
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('names a change that was undone in part by the last entry that is left', async (shop) => {
  const petId = await tenUnits(shop);
  await shop.callEach(
    adjustInventory,
    [1, 2].map((delta) => ({ petId, body: { delta } })),
  );
  const last = (await shop.ledger()).at(-1)?.id ?? 0;
  await shop.call(undoEntry, { entryId: last });
  expect((await shop.call(listUndoable, {})).map(({ entryId }) => entryId)).toEqual([last - 1]);
  await shop.expectRefusal('already_undone', () => undo(shop, last));
  await undo(shop, last - 1);
  expect(await shop.stockSummary(petId)).toBe('10 on hand, 0 reserved, available');
});

testOnEveryStore('refuses to undo a change of 500 entries or more, and does not skip it for an older import', async (shop) => {
  const petId = await tenUnits(shop);
  await shop.shop.importStock(csv('petId,delta', `${petId},5`), atomic);
  const units = Array.from({ length: 500 }, () => ({ petId, body: { delta: 1 } }));
  await later(shop, () => shop.callEach(adjustInventory, units));
  await shop.expectRefusal('not_undoable', () => undo(shop), /The last change of ana has 500 ledger entries or more, too many to undo/);
  await later(shop, () => shop.adjust(petId, 1));
  await undo(shop);
  await shop.expectRefusal('not_undoable', () => undo(shop), /No other change among the last 500 ledger entries of ana can be undone/);
  const [imported] = await shop.call(listUndoable, {});
  expect(imported?.batchId).toBe(1);
  await undo(shop, imported?.entryId);
  expect(await shop.stockSummary(petId)).toBe('510 on hand, 0 reserved, available');
});

testOnSqlite('does not undo an older import where the changes after it are too long ago to be searched', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => shop.shop.importStock(csv('petId,delta', `${petId},5`), atomic));
  await later(shop, () => shop.adjust(petId, 1));
  const rows = Array.from({ length: 100_001 }, () => `${petId},1`);
  const [other, own] = [shop.shopOf('owner'), shop.shop];
  await later(shop, () => other.importStock(csv('petId,delta', ...rows), atomic));
  expect(await undoable(shop)).toEqual([]);
  await shop.expectRefusal('not_undoable', () => undo(shop), /ana has no recent change to undo/);
  await later(shop, () => own.importStock(csv('petId,delta', ...rows, `${petId},2`), atomic));
  expect(await undoable(shop)).toEqual(['import 3']);
});

testOnSqlite('undoes an edit that many undone edits follow', async (shop) => {
  const petId = await tenUnits(shop);
  await later(shop, () => shop.call(updatePet, { petId, body: { name: 'Max' } }));
  for (let count = 0; count < 51; count += 1) {
    await shop.call(updatePet, { petId, body: { name: 'Moritz' } });
    await undo(shop);
  }
  expect(await undoable(shop)).toEqual(['pet.updated']);
  await undo(shop);
  expect((await shop.call(getPet, { petId })).name).toBe('Rex');
});

testOnEveryStore('leaves out an import of which every row was undone by itself', async (shop) => {
  const [first, second] = [await tenUnits(shop), await tenUnits(shop)];
  await shop.shop.importStock(csv('petId,delta', `${first},5`, `${second},5`), atomic);
  const [one, other] = (await shop.ledger({ batchId: 1 })).map(({ id }) => id);
  await shop.call(undoEntry, { entryId: one ?? 0 });
  expect(await undoable(shop)).toEqual(['import 1']);
  await shop.call(undoEntry, { entryId: other ?? 0 });
  expect(await undoable(shop)).toEqual([]);
});

testOnEveryStore('lists at most ten changes, and repeats an undo with a key once', async (shop) => {
  const petId = await tenUnits(shop);
  for (let units = 1; units <= 12; units += 1) await later(shop, () => shop.adjust(petId, units));
  expect((await shop.call(listUndoable, {})).map(({ entries }) => entries[0]?.delta)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  for (const _ of [1, 2]) await shop.call(undoLast, { body: {} }, { key: 'k' });
  expect(await shop.stockSummary(petId)).toBe('76 on hand, 0 reserved, available');
});

const entry = (kind: LedgerEntry['kind'], others: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: 1,
  at: '',
  actor: 'ana',
  source: 'cli',
  kind,
  ...others,
});
const sold = entry('sale', { orderId: 1, petId: 1, delta: -1 });

test('an undo takes the entries of a change in reverse', () => {
  const actionsOf = (...change: readonly LedgerEntry[]) => undoStepsOf(change).map(({ action }) => action);
  expect(actionsOf(entry('order.placed', { orderId: 1 }), entry('inventory.low'), sold)).toEqual(['reopenOrder', 'cancelOrder']);
  expect(actionsOf(sold, entry('pet.updated', { petId: 1 }))).toEqual([undefined, 'reopenOrder']);
  expect(actionsOf(entry('order.updated', { orderId: 1 }), entry('order.updated', { orderId: 1, previous: { petId: 2 } }))).toEqual(['editOrder']);
  expect(actionsOf({ ...sold, reverses: 3 })).toEqual([]);
  expect(actionsOf(entry('inventory.low'))).toEqual([]);
});

test('entries form changes by the change that they name, and one without is a change of its own', () => {
  const entries = [5, 4, 3, 2, 1].map((id) => entry('adjust', { id }));
  const changeIds = new Map([
    [3, 3],
    [4, 4],
    [5, 4],
  ]);
  expect(changesIn(entries, changeIds).map((change) => change.map(({ id }) => id))).toEqual([[4, 5], [3], [2], [1]]);
});

test('the text of an undo of deleted categories counts the pets that moved', () => {
  const text = (...entries: readonly LedgerEntry[]) => changeText({ entryId: 1, at: '2026-11-20T09:00:00.000Z', entries: [...entries] });
  const [birds, cats] = ['Birds', 'Cats'].map((name) => entry('category.archived', { previous: { name } }));
  if (birds === undefined || cats === undefined) return expect.fail();
  expect(text(cats, birds)).toBe('the deletion of category Birds, the deletion of category Cats');
  expect(text(cats, entry('pet.updated', { petId: 1 }))).toBe('the deletion of category Cats, which moved 1 pet');
});
