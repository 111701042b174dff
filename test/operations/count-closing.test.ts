import { expect } from 'vitest';
import { cancelCount } from '../../src/domain/counts/cancel-count.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { getCount } from '../../src/domain/counts/get-count.js';
import { listCountPets } from '../../src/domain/counts/list-count-pets.js';
import { previewCount } from '../../src/domain/counts/preview-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { undoLast } from '../../src/domain/ledger/undo-last.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { brokenRules } from '../support/invariants.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';

/** Counts pets: the number that was found of each. */
async function counted({ countLines }: TestShop, countId: number, found: Readonly<Record<number, number>>): Promise<void> {
  const lines = Object.entries(found).map(([petId, number]) => ({ petId: Number(petId), number }));
  await countLines(countId, ...lines);
}

testOnEveryStore('a count is refused as a whole with the reason of each pet, or closed without them', async (shop) => {
  const { call, pet, adjust, order, expectRefusal, stockSummary } = shop;
  const rex = await pet({ name: 'Rex', quantity: 10 });
  const max = await pet({ name: 'Max', quantity: 5 });
  const mia = await pet({ name: 'Mia', quantity: 5 });
  await call(startCount, { body: {} });
  await counted(shop, 1, { [rex]: 4, [max]: 3, [mia]: 6 });
  await adjust(rex, -7);
  await order(max, 4);
  const refusal = await expectRefusal('count_refused', () => call(closeCount, { countId: 1, body: {} }));
  expect(refusal.message).toBe(
    'Count 1 was not closed: 2 pets cannot be changed. Rex (pet 1) has 3 on hand; cannot remove 6. Max (pet 2) has 4 units reserved for open orders; 3 on hand would not be enough.',
  );
  expect(refusal.details).toEqual({ countId: 1, petIds: [rex, max] });
  expect((await call(previewCount, { countId: 1 })).items).toMatchObject([
    { petId: rex, before: 3, difference: -6, problem: { code: 'out_of_stock' } },
    { petId: max, before: 5, difference: -2, problem: { code: 'stock_reserved' } },
    { petId: mia, before: 5, after: 6, difference: 1 },
  ]);
  expect((await call(previewCount, { countId: 1, allowShortage: true })).items[1]).toMatchObject({ petId: max, after: 3 });
  const closed = await call(closeCount, { countId: 1, body: { mode: 'keep-going' } });
  expect(closed).toMatchObject({ changed: 1, unchanged: 0, rejected: 2, deleted: 0 });
  expect(closed.refused.map(({ petId, code }) => [petId, code])).toEqual([
    [rex, 'out_of_stock'],
    [max, 'stock_reserved'],
  ]);
  expect([await stockSummary(rex), await stockSummary(mia)]).toEqual(['3 on hand, 0 reserved, available', '6 on hand, 0 reserved, available']);
  expect((await call(listCountPets, { countId: 1, petId: rex })).items).toMatchObject([{ counted: 4, refused: 'out_of_stock' }]);
  expect((await call(listBatches, {})).items).toMatchObject([{ kind: 'count', countId: 1, state: 'partial', total: 3, applied: 1, unchanged: 0, rejected: 2 }]);
  // Nobody counted them as far as the stock is concerned.
  expect(await call(getPetDetails, { petId: rex })).not.toHaveProperty('lastCounted');
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('a shortage that a close may make is recorded', async (shop) => {
  const { call, pet, stockSummary } = shop;
  const rex = await pet({ quantity: 5, reserved: 4 });
  await call(startCount, { body: {} });
  await counted(shop, 1, { [rex]: 2 });
  await call(closeCount, { countId: 1, body: { allowShortage: true } });
  expect(await stockSummary(rex)).toBe('2 on hand, 4 reserved, pending');
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('pets that nobody counted have none with missing zero, also after sales during the count', async (shop) => {
  const { call, pet, adjust, stockSummary, ledgerSummary } = shop;
  const rex = await pet({ name: 'Rex', quantity: 10 });
  const max = await pet({ name: 'Max', quantity: 5 });
  const mia = await pet({ name: 'Mia', quantity: 0 });
  await call(startCount, { body: {} });
  await counted(shop, 1, { [rex]: 10 });
  await adjust(max, -3);
  expect((await call(previewCount, { countId: 1, missing: 'zero' })).items).toEqual([
    { petId: max, name: 'Max', before: 2, after: 0, counted: 0, expected: 2, difference: -2 },
  ]);
  expect((await call(previewCount, { countId: 1 })).items).toEqual([]);
  expect(await call(closeCount, { countId: 1, body: { missing: 'zero' } })).toMatchObject({ pets: 3, counted: 3, agreeing: 2, differing: 1, changed: 1 });
  expect(await stockSummary(max)).toBe('0 on hand, 0 reserved, sold');
  expect(await ledgerSummary({ batchId: 1 })).toEqual(['count -2']);
  expect((await call(listCountPets, { countId: 1, petId: mia })).items).toMatchObject([
    { state: 'counted', counted: 0, expected: 0, countedBy: 'ana', lines: 0 },
  ]);
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('a pet that was deleted meanwhile is left out, and one that came back is changed', async (shop) => {
  const { call, pet, stockSummary } = shop;
  const rex = await pet({ name: 'Rex', quantity: 1 });
  const max = await pet({ name: 'Max', quantity: 1 });
  await call(startCount, { body: {} });
  await counted(shop, 1, { [rex]: 3, [max]: 2 });
  await call(deletePet, { petId: max });
  await call(undoLast, { body: {} });
  await call(deletePet, { petId: rex });
  await pet({ name: 'Mia' });
  expect((await call(previewCount, { countId: 1 })).items).toMatchObject([
    { petId: rex, problem: { code: 'unknown_pet', message: 'Rex (pet 1) was deleted meanwhile; nothing changes.' } },
    { petId: max, after: 2 },
  ]);
  expect(await call(closeCount, { countId: 1, body: {} })).toMatchObject({
    pets: 2,
    changed: 1,
    rejected: 0,
    deleted: 1,
    refused: [{ petId: rex, code: 'unknown_pet' }],
  });
  expect(await stockSummary(max)).toBe('2 on hand, 0 reserved, available');
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('a close writes the crossings of low levels, and new versions of the pets that it changes', async (shop) => {
  const { call, pet, ledger } = shop;
  const rex = await pet({ name: 'Rex', quantity: 10 });
  const max = await pet({ name: 'Max', quantity: 1 });
  const mia = await pet({ name: 'Mia', quantity: 4 });
  for (const petId of [rex, max, mia]) await call(setLowAt, { petId, body: { lowAt: 2 } });
  const before = await call(getPetDetails, { petId: mia });
  await call(startCount, { body: {} });
  await counted(shop, 1, { [rex]: 1, [max]: 7, [mia]: 4 });
  expect(await call(getPetDetails, { petId: mia })).toEqual(before);
  await call(closeCount, { countId: 1, body: {} }, { note: 'evening' });
  const entries = await ledger({ batchId: 1 });
  expect(entries.map(({ kind, petId, delta, quantityAfter, note }) => [kind, petId, delta, quantityAfter, note])).toEqual([
    ['count', rex, -9, 1, 'evening'],
    ['inventory.low', rex, undefined, undefined, 'evening'],
    ['count', max, 6, 7, 'evening'],
    ['inventory.restocked', max, undefined, undefined, 'evening'],
  ]);
  expect((await call(getPetDetails, { petId: rex })).version).toBe(entries[1]?.id);
  expect((await call(getPetDetails, { petId: mia })).version).toBe(before.version);
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('a count is closed once, and not after it was cancelled', async (shop) => {
  const { call, pet, expectRefusal, expectUnchanged } = shop;
  const rex = await pet({ quantity: 5 });
  await call(startCount, { body: {} });
  await counted(shop, 1, { [rex]: 4 });
  const dry = await expectUnchanged(() => call(closeCount, { countId: 1, body: {} }, { dryRun: true }));
  const closed = await call(closeCount, { countId: 1, body: {} }, { key: 'close' });
  expect(dry).toEqual(closed);
  expect(await expectUnchanged(() => call(closeCount, { countId: 1, body: {} }, { key: 'close' }))).toEqual(closed);
  await expectRefusal('count_not_open', () => call(closeCount, { countId: 1, body: {} }), /^Count 1 is closed/);
  await expectRefusal('count_not_open', () => call(cancelCount, { countId: 1 }), /^Count 1 is closed/);
  await expectRefusal('count_not_open', () => counted(shop, 1, { [rex]: 4 }), /^Count 1 is closed/);
  expect((await call(previewCount, { countId: 1 })).items).toEqual([]);
  await call(startCount, { body: {} });
  await counted(shop, 2, { [rex]: 9 });
  expect(await call(cancelCount, { countId: 2 })).toMatchObject({ state: 'cancelled', counted: 1, differing: 1 });
  await expectRefusal('count_not_open', () => call(closeCount, { countId: 2, body: {} }), /^Count 2 is cancelled/);
  await expectRefusal('count_not_found', () => call(closeCount, { countId: 3, body: {} }), /^Count 3 was not found/);
  await expectRefusal('precondition_failed', () => call(cancelCount, { countId: 2 }, { ifMatch: 7 }), /^Count 2 has no version/);
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('an undo takes back what a close changed, and keeps what happened since', async (shop) => {
  const { call, pet, adjust, stockSummary, shop: own, clock, expectRefusal } = shop;
  const rex = await pet({ name: 'Rex', quantity: 10 });
  const max = await pet({ name: 'Max', quantity: 2 });
  await call(startCount, { body: {} });
  clock.pass(60_000);
  await counted(shop, 1, { [rex]: 8, [max]: 2 });
  const lastCounted = { at: '2026-11-20T09:01:00.000Z', by: 'ana' };
  expect(await call(getPetDetails, { petId: max })).not.toHaveProperty('lastCounted');
  clock.pass(60_000);
  await call(closeCount, { countId: 1, body: {} });
  expect((await call(getPetDetails, { petId: rex })).lastCounted).toEqual(lastCounted);
  expect((await call(getPetDetails, { petId: max })).lastCounted).toEqual(lastCounted);
  await adjust(rex, -1);
  await expectRefusal('already_counting', async () => {
    await own.call(startCount, { body: {} }, { dryRun: true });
    await own.callEach(startCount, [{ body: {} }, { body: {} }]);
  });
  expect(await call(undoLast, { body: {} })).toMatchObject({ entries: [{ kind: 'adjust' }] });
  expect(await call(undoLast, { body: {} })).toMatchObject({ batchId: 1, rows: 1 });
  expect(await stockSummary(rex)).toBe('10 on hand, 0 reserved, available');
  expect(await call(getPetDetails, { petId: max })).not.toHaveProperty('lastCounted');
  expect(await call(getCount, { countId: 1 })).toMatchObject({ state: 'closed', batchId: 1 });
  await expectRefusal('already_undone', () => own.undoBatch(1, {}));
  expect(await brokenRules(shop)).toEqual([]);
});

testOnEveryStore('lists the pets that nobody counted for some time', async (shop) => {
  const { call, pet, clock, category, expectRefusal } = shop;
  const cats = await category('Cats');
  const rex = await pet({ name: 'Rex', quantity: 3 });
  const mia = await pet({ name: 'Mia', categoryId: cats, quantity: 2 });
  const notCountedSince = async (since: string): Promise<readonly number[]> => {
    const { items, total } = await call(listInventory, { notCountedSince: since, tz: 'Europe/Berlin', count: true });
    expect(total).toBe(items.length);
    return items.map(({ petId }) => petId);
  };
  expect(await notCountedSince('2026-11-01')).toEqual([rex, mia]);
  await call(startCount, { body: { categoryIds: [cats] } });
  await counted(shop, 1, { [mia]: 2 });
  expect(await notCountedSince('2026-11-01')).toEqual([rex, mia]);
  clock.set('2026-12-20T09:00:00Z');
  await call(closeCount, { countId: 1, body: {} });
  expect(await notCountedSince('2026-11-20')).toEqual([rex]);
  expect(await notCountedSince('2026-11-20T09:00:00Z')).toEqual([rex]);
  expect(await notCountedSince('2026-11-20T09:00:01Z')).toEqual([rex, mia]);
  const available = await call(listInventory, { notCountedSince: '2026-11-20', status: ['available'], categoryId: [2, cats], count: true });
  expect([available.items.map(({ petId }) => petId), available.total]).toEqual([[rex], 1]);
  await expectRefusal(
    'invalid_parameter',
    () => call(listInventory, { notCountedSince: '2026-11-20', at: '2026-11-20' }),
    /at, notCountedSince: cannot be combined/,
  );
});
