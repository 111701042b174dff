import { expect } from 'vitest';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import { testOnEveryStore } from '../support/stores.js';
import { brokenInvariants } from '../support/invariants.js';
import type { TestShop } from '../support/test-shop.js';
import { sell, createThreePets } from '../support/stock.js';

/** The id of the last ledger row of a kind. */
async function latest({ ledger }: TestShop, kind: 'opening' | 'count' | 'adjust' | 'sale' | 'return' | 'undo' | 'pet.held'): Promise<number> {
  return (await ledger({ kind: [kind] })).at(-1)?.id ?? 0;
}

testOnEveryStore('undoes a count or adjustment once, with the actor of the undo', async (shop) => {
  await createThreePets(shop);
  await shop.set(1, 4);
  await shop.adjust(2, 7);
  shop.clock.set('2026-11-21T10:00:00Z');
  for (const [kind, petId, delta] of [['count', 1, 6] as const, ['adjust', 2, -7] as const]) {
    const entryId = await latest(shop, kind);
    const entry = await shop.shopOf('ben').call(undoEntry, { entryId }, { note: 'a slip' });
    const written = { id: entry.id, at: '2026-11-21T10:00:00.000Z', actor: 'ben', source: 'cli', note: 'a slip' };
    expect(entry).toEqual({ ...written, kind: 'undo', petId, delta, quantityAfter: 10, reverses: entryId });
    await shop.expectRefusal(
      'already_undone',
      () => shop.call(undoEntry, { entryId }),
      new RegExp(`entry ${entryId}: it was already undone by entry ${entry.id}`),
    );
  }
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('refuses to undo other kinds of ledger rows with not_undoable', async (shop) => {
  await createThreePets(shop);
  await sell(shop, 1, 2);
  await shop.call(updateOrder, { orderId: 1, body: { complete: false } });
  await shop.pet({ hold: true });
  await shop.adjust(2, 1);
  await shop.call(undoEntry, { entryId: await latest(shop, 'adjust') });
  for (const kind of ['opening', 'sale', 'return', 'undo', 'pet.held'] as const) {
    const entryId = await latest(shop, kind);
    expect(entryId).toBeGreaterThan(0);
    await shop.expectRefusal('not_undoable', () => shop.call(undoEntry, { entryId }), new RegExp(`entry ${entryId}: it is ${kind}`));
  }
  await shop.expectRefusal('entry_not_found', () => shop.call(undoEntry, { entryId: 999 }));
});

testOnEveryStore('undoing one entry follows the rules of stock', async (shop) => {
  await createThreePets(shop);
  await shop.adjust(1, 5);
  const entryId = await latest(shop, 'adjust');
  await shop.order(1, 12);
  await shop.expectRefusal('stock_reserved', () => shop.call(undoEntry, { entryId }), /12 units reserved for order 1; 10 on hand would not be enough/);
  expect(await shop.call(undoEntry, { entryId, allowShortage: true })).toMatchObject({ delta: -5, quantityAfter: 10 });
  expect(await shop.stockSummary(1)).toBe('10 on hand, 12 reserved, pending');
  await shop.adjust(2, 5);
  const second = await latest(shop, 'adjust');
  await sell(shop, 2, 11);
  await shop.expectRefusal('out_of_stock', () => shop.call(undoEntry, { entryId: second, allowShortage: true }), /Only 4 × Rex \(pet 2\) on hand/);
  await shop.adjust(3, -9);
  const third = await latest(shop, 'adjust');
  await shop.call(deletePet, { petId: 3 });
  await shop.expectRefusal('not_undoable', () => shop.call(undoEntry, { entryId: third }), /pet 3 is no longer in the shop/);
});
