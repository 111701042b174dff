import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { releasePet } from '../../src/domain/pets/release-pet.js';
import { pagesOf } from '../support/pages.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import type { LedgerEntry, LedgerKind } from '../../src/domain/ledger/ledger-entry.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { atomic, csv } from '../support/files.js';

/** Writes every kind of ledger row, some by other actors and some on later days. */
async function fillLedger({ call, shopOf, clock, category }: TestShop): Promise<void> {
  const ben = shopOf('ben').call;
  const categoryId = await category('Dogs');
  await call(createPet, { quantity: 5, body: { name: 'Rex', categoryId } });
  await call(createPet, { body: { name: 'Max', categoryId } });
  clock.set('2026-11-21T00:00:00.000Z');
  await ben(placeOrder, { body: { petId: 1, quantity: 2 } });
  await ben(placeOrder, { body: { petId: 1 } });
  await ben(cancelOrder, { orderId: 2 });
  clock.set('2026-11-21T23:59:59.999Z');
  await call(updateOrder, { orderId: 1, body: { complete: true } });
  clock.set('2026-11-22T00:00:00.000Z');
  await ben(setInventory, { petId: 1, body: { quantity: 9 } });
  await call(holdPet, { petId: 2 });
  await call(releasePet, { petId: 2 });
  await call(deletePet, { petId: 2 });
}

testOnEveryStore('every ledger row has actor, time and source', async (shop) => {
  await fillLedger(shop);
  const rows = await shop.ledger();
  expect(rows.map(({ kind, actor, at }) => `${kind} ${actor} ${at.slice(0, 10)}`)).toEqual([
    'category.created ana 2026-11-20',
    'opening ana 2026-11-20',
    'opening ana 2026-11-20',
    'order.placed ben 2026-11-21',
    'order.placed ben 2026-11-21',
    'order.cancelled ben 2026-11-21',
    'sale ana 2026-11-21',
    'count ben 2026-11-22',
    'pet.held ana 2026-11-22',
    'pet.released ana 2026-11-22',
    'adjust ana 2026-11-22',
    'pet.archived ana 2026-11-22',
  ]);
  expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(['cli']));
});

testOnEveryStore('lists exactly the ledger rows that match a filter', async (shop) => {
  await fillLedger(shop);
  expect(await shop.ledgerSummary({ petId: 2 })).toEqual(['opening +1', 'pet.held', 'pet.released', 'adjust -1', 'pet.archived']);
  expect(await shop.ledgerSummary({ orderId: 1 })).toEqual(['order.placed', 'sale -2']);
  expect(await shop.ledgerSummary({ orderId: 2 })).toEqual(['order.placed', 'order.cancelled']);
  expect(await shop.ledgerSummary({ kind: ['sale', 'count'] })).toEqual(['sale -2', 'count +6']);
  expect(await shop.ledgerSummary({ kind: [] })).toEqual([]);
  expect(await shop.ledgerSummary({ actor: 'ben' })).toEqual(['order.placed', 'order.placed', 'order.cancelled', 'count +6']);
  expect(await shop.ledgerSummary({ actor: 'ben', petId: 1, kind: ['count'] })).toEqual(['count +6']);
  expect(await shop.ledgerSummary({ petId: 77 })).toEqual([]);
  // Values of one filter are alternatives; different filters must all match.
  const [one, other] = [await shop.ledger({ petId: 1 }), await shop.ledger({ petId: 2 })];
  const both = [...one, ...other].toSorted((left, right) => left.id - right.id);
  expect(await shop.ledger({ petId: [2, 1, 77] })).toEqual(both);
  expect(await shop.ledger({ petId: [1, 2], kind: ['sale', 'opening'] })).toEqual(both.filter(({ kind }) => kind === 'sale' || kind === 'opening'));
  expect(await shop.ledgerSummary({ orderId: [1, 2] })).toEqual(['order.placed', 'order.placed', 'order.cancelled', 'sale -2']);
  expect(await shop.ledgerSummary({ petId: [] })).toEqual([]);
});

testOnEveryStore('a time range includes both ends and whole days', async (shop) => {
  await fillLedger(shop);
  const day = ['order.placed', 'order.placed', 'order.cancelled', 'sale -2'];
  expect(await shop.ledgerSummary({ since: '2026-11-21', until: '2026-11-21' })).toEqual(day);
  expect(await shop.ledgerSummary({ since: '2026-11-21T00:00:00Z', until: '2026-11-21T23:59:59.999Z' })).toEqual(day);
  expect(await shop.ledgerSummary({ since: '2026-11-21T00:00:00.001Z', until: '2026-11-21T23:59:59.998Z' })).toEqual([]);
  expect(await shop.ledgerSummary({ since: '2026-11-21T01:00:00+01:00', until: '2026-11-21T00:00:00Z' })).toEqual(day.slice(0, 3));
  expect(await shop.ledgerSummary({ since: '2026-11-22' })).toHaveLength(5);
  expect(await shop.ledgerSummary({ until: '2026-11-20' })).toHaveLength(3);
  expect(await shop.ledgerSummary({ since: '2027-01-01' })).toEqual([]);
  expect(await shop.ledgerSummary({ until: '2025-01-01' })).toEqual([]);
  await shop.expectRefusal('validation_failed', () => shop.ledgerSummary({ since: '2026-11-22', until: '2026-11-20' }), /The range starts at 2026-11-22/);
});

testOnEveryStore('the total of the ledger counts the rows of its filter', async (shop) => {
  await fillLedger(shop);
  for (const filter of [
    {},
    { petId: [1] },
    { orderId: [2] },
    { actor: 'ben' },
    { since: '2026-11-22' },
    { until: '2026-11-20' },
    { kind: ['sale' as const] },
  ]) {
    const { total, items } = await shop.call(listLedger, { ...filter, count: true });
    expect(total).toBe(items.length);
  }
});

testOnEveryStore('refuses an invalid ledger filter', async ({ callUnchecked, expectRefusal }) => {
  await expectRefusal('invalid_parameter', () => callUnchecked(listLedger, { kind: ['sold'] }), /kind: must be a kind of ledger entry/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listLedger, { since: 'yesterday' }), /since: .*"yesterday"/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listLedger, { until: '2026-02-30' }), /until: .*"2026-02-30"/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listLedger, { actor: '' }), /actor: must not be blank/);
  await expectRefusal('unknown_parameter', () => callUnchecked(listLedger, { batch: 1 }), /batch: is unknown/);
});

testOnEveryStore('entries after one that no ledger can have are not all entries', async ({ call, pet, expectRefusal }) => {
  await pet();
  for (const after of ['99', '9999999999999999']) await expectRefusal('cursor_unknown', () => call(listLedger, { after }), new RegExp(`entry ${after}:`));
});

testOnEveryStore('ledger times never decrease, also when the clock goes back', async ({ clock, category, ledger }) => {
  await category('Dogs');
  clock.set('2026-11-25T12:00:00Z');
  await category('Cats');
  clock.set('2026-11-01T00:00:00Z');
  await category('Fish');
  clock.set('2026-11-25T12:00:00.001Z');
  await category('Birds');
  expect((await ledger()).map(({ at }) => at)).toEqual([
    '2026-11-20T09:00:00.000Z',
    '2026-11-25T12:00:00.000Z',
    '2026-11-25T12:00:00.000Z',
    '2026-11-25T12:00:00.001Z',
  ]);
});

testOnEveryStore('a time range finds all rows after the clock went back', async ({ clock, category, ledgerSummary }) => {
  clock.set('2026-11-25T12:00:00Z');
  await category('Dogs');
  clock.set('2026-11-01T00:00:00Z');
  await category('Cats');
  expect(await ledgerSummary({ since: '2026-11-25' })).toHaveLength(2);
  expect(await ledgerSummary({ until: '2026-11-24' })).toEqual([]);
});

testOnEveryStore('all ledger rows of one request have its time and note', async ({ call, category, ledger, clock }) => {
  const categoryId = await category();
  clock.set('2026-11-23T10:00:00Z');
  await call(createPet, { body: { name: 'Rex', categoryId, status: 'pending' } }, { note: 'from the fair' });
  const of = { at: '2026-11-23T10:00:00.000Z', note: 'from the fair' };
  expect(await ledger({ petId: 1 })).toMatchObject([
    { kind: 'opening', ...of },
    { kind: 'pet.held', ...of },
  ]);
});

testOnEveryStore('the ledger of a category has no rows of its pets', async ({ call, ledger }) => {
  const { id: categoryId } = await call(createCategory, { body: { name: 'Dogs' } });
  await call(createPet, { body: { name: 'Rex', categoryId } });
  await call(updateCategory, { categoryId, body: { name: 'Hounds' } });
  expect((await ledger()).map(({ kind, petId, categoryId: about }) => [kind, petId, about])).toEqual([
    ['category.created', undefined, 1],
    ['opening', 1, undefined],
    ['category.updated', undefined, 1],
  ]);
});

interface Search {
  readonly kind?: LedgerKind[];
  readonly actor?: string;
  readonly batchId?: number[];
}

/** Imports by two actors, with several entries to a row, between changes by hand; one import is undone. */
async function importByTwo({ call, shop, shopOf, pet }: TestShop): Promise<void> {
  const ben = shopOf('ben');
  for (let index = 0; index < 3; index += 1) await pet({ quantity: 5 });
  await call(setLowAt, { petId: 2, body: { lowAt: 4 } });
  await shop.importPets(csv('name,category,status', 'Rex,New dogs,pending', 'Max,New cats,available', 'Tom,New cats,pending'), {
    ...atomic,
    createCategories: true,
  });
  await shop.importStock(csv('petId,quantity', '1,7', '2,3', '3,9'), atomic);
  await ben.call(updatePet, { petId: 1, body: { name: 'Bello' } });
  const { batch } = await ben.importStock(csv('petId,delta', '2,4', '3,-1'), atomic);
  await ben.importStock(csv('petId,quantity', '1,8'), atomic);
  await call(updatePet, { petId: 1, body: { name: 'Rex' } });
  await shop.undoBatch(batch ?? 0, {});
  await shop.importStock(csv('petId,quantity', '2,1', '3,2'), atomic);
}

function meets({ kind, actor, batchId }: Search, entry: LedgerEntry): boolean {
  const isOfBatch = batchId === undefined || (entry.batchId !== undefined && batchId.includes(entry.batchId));
  return isOfBatch && (kind === undefined || kind.includes(entry.kind)) && (actor === undefined || entry.actor === actor);
}

const filters: readonly Search[] = [undefined, 'ana', 'zoe'].flatMap((actor) =>
  [undefined, [1], [2, 3], [99]].flatMap((batchId) =>
    [undefined, ['count'], ['adjust', 'undo'], ['opening', 'pet.held'], ['inventory.low', 'category.created', 'pet.updated'], []].map((kind) => ({
      ...(actor !== undefined && { actor }),
      ...(batchId !== undefined && { batchId }),
      ...(kind !== undefined && { kind: kind as LedgerKind[] }),
    })),
  ),
);

testOnEveryStore('a list names the pets and categories of its entries where that is asked for, also of deleted pets', async (shop) => {
  await fillLedger(shop);
  const named = await shop.call(listLedger, { names: true });
  const { items } = await shop.call(listLedger, {});
  const names = ['Rex', 'Max'];
  expect(named.items).toEqual(
    items.map((entry) => (entry.petId === undefined ? { ...entry, categoryName: 'Dogs' } : { ...entry, petName: names[entry.petId - 1] })),
  );
});

testOnEveryStore('searches of the ledger by import, kind and actor find exactly the entries that match, on every page', async (shop) => {
  await importByTwo(shop);
  const every = await shop.ledger();
  for (const kind of ['inventory.low', 'pet.held', 'category.created', 'undo', 'adjust']) expect(every.map((entry) => entry.kind)).toContain(kind);
  for (const filter of filters) {
    const matching = every.filter((entry) => meets(filter, entry));
    for (const sort of ['id', '-id'] as const) {
      const limit = matching.length > 6 ? 4 : 2;
      const pages = await pagesOf((cursor) => shop.call(listLedger, { ...filter, sort, limit, cursor, count: cursor === undefined }));
      expect([filter, pages[0]?.total]).toEqual([filter, matching.length]);
      expect([filter, pages.flatMap(({ items }) => items)]).toEqual([filter, sort === 'id' ? matching : matching.toReversed()]);
    }
  }
});
