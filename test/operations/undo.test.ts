import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { undoEntry } from '../../src/domain/ledger/undo-entry.js';
import type { Engine } from '../../src/storage/engine.js';
import { raw, sql } from '../../src/storage/sql.js';
import { localShop } from '../../src/storage/shop.js';
import { testOnEveryStore, testOnEveryEngine, testOnSqlite } from '../support/stores.js';
import { atomic, counts, csv, keepGoing } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { entrySummary, type TestShop } from '../support/test-shop.js';
import { onHand, sell, createThreePets } from '../support/stock.js';
import { updateOrder } from '../../src/domain/orders/update-order.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import { batchConflict } from '../../src/domain/imports/undo-batch.js';
import { lookUp } from '../../src/storage/tables/look-up.js';

/** The id of the last ledger row of a kind. */
async function latest({ ledger }: TestShop, kind: 'opening' | 'count' | 'adjust' | 'sale' | 'return' | 'undo' | 'pet.held'): Promise<number> {
  return (await ledger({ kind: [kind] })).at(-1)?.id ?? 0;
}

testOnEveryStore('an undo writes a reversing row for each row of the batch, with its own actor', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,quantity', '1,7', '2,10', '3,15'), atomic);
  const before = await shop.ledger();
  shop.clock.set('2026-11-21T10:00:00Z');
  const report = await shop.shopOf('ben').undoBatch(1, { note: 'wrong shelf' });
  expect(report).toMatchObject({ rows: 2, batch: { id: 1, state: 'undone', actor: 'ana', applied: 2 } });
  expect(await onHand(shop)).toEqual([10, 10, 10]);
  const after = await shop.ledger();
  const reversing = new Map(after.map(({ id, reverses }) => [reverses, id]));
  expect(after.slice(0, before.length)).toEqual(before.map((entry) => (entry.kind === 'count' ? { ...entry, undoneBy: reversing.get(entry.id) } : entry)));
  const line = { at: '2026-11-21T10:00:00.000Z', actor: 'ben', source: 'cli', kind: 'undo', batchId: 1, note: 'wrong shelf' };
  const [first, third] = before.filter(({ kind }) => kind === 'count');
  expect(after.slice(before.length)).toEqual([
    { ...line, id: expect.any(Number), petId: 1, delta: 3, quantityAfter: 10, reverses: first?.id },
    { ...line, id: expect.any(Number), petId: 3, delta: -5, quantityAfter: 10, reverses: third?.id },
  ]);
  expect(await shop.call(getBatch, { batchId: 1 })).toMatchObject({ state: 'undone', actor: 'ana', at: '2026-11-20T09:00:00.000Z', applied: 2, unchanged: 1 });
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('checks the note of an undo like other notes', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5'), atomic);
  for (const dryRun of [true, false]) {
    await shop.expectRefusal(
      'validation_failed',
      () => shop.shop.undoBatch(1, { dryRun, note: 'x'.repeat(501) }),
      /^note: must be at most 500 characters, not 501\.$/,
    );
    await shop.expectRefusal('validation_failed', () => shop.shop.undoBatch(1, { dryRun, note: 'a\u001bb' }), /^note: must not contain control characters/);
  }
  await shop.shop.undoBatch(1, { note: ' wrong shelf ' });
  expect((await shop.ledger({ kind: ['undo'] })).map(({ note }) => note)).toEqual(['wrong shelf']);
});

testOnEveryStore('refuses to undo a batch twice', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5'), atomic);
  await shop.shop.undoBatch(1, {});
  await shop.expectRefusal('already_undone', () => shop.shop.undoBatch(1, {}), /Batch 1 was already undone/);
  await shop.expectRefusal('already_undone', () => shop.shop.undoBatch(1, { dryRun: true }));
  await shop.expectRefusal('batch_not_found', () => shop.shop.undoBatch(2, {}), /Batch 2/);
});

testOnEveryStore('two concurrent undos of a batch undo it once', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '2,-3'), atomic);
  const outcomes = await Promise.allSettled(['ana', 'ben', 'cyd'].map((actor) => shop.shopOf(actor).undoBatch(1, {})));
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String((outcome.reason as { readonly code?: string }).code)] : []));
  expect(refusals).toEqual(['already_undone', 'already_undone']);
  expect(await onHand(shop)).toEqual([10, 10, 10]);
});

testOnEveryStore('an undo keeps changes made after the import', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,quantity', '1,30', '2,4', '3,12'), atomic);
  await sell(shop, 1, 6);
  await shop.adjust(2, 20);
  await shop.set(3, 2);
  await shop.shop.undoBatch(1, {});
  // 10 + 20 − 6 − 20; 10 − 6 + 20 + 6; 10 + 2, counted as 2, − 2.
  expect(await onHand(shop)).toEqual([4, 30, 0]);
  expect(await shop.ledgerSummary({ petId: 1 })).toEqual(['opening +10', 'count +20', 'order.placed', 'sale -6', 'undo -20']);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('refuses the whole undo when units were sold since', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '2,5', '3,5'), atomic);
  await sell(shop, 2, 11);
  const undo = (dryRun: boolean) => shop.shop.undoBatch(1, { dryRun, allowShortage: true });
  await shop.expectRefusal('out_of_stock', () => undo(false), /Batch 1 cannot be undone: Pet 2 has 4 on hand; cannot remove 5\.$/);
  await shop.expectRefusal('out_of_stock', () => undo(true));
  await sell(shop, 3, 12);
  await shop.expectRefusal('out_of_stock', () => undo(false), / \(and 1 more\)\.$/);
  expect(await shop.call(getBatch, { batchId: 1 })).toMatchObject({ state: 'applied' });
});

testOnEveryStore('refuses the whole undo when units were reserved since, unless a shortage is allowed', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '2,5'), atomic);
  await shop.order(2, 12);
  await shop.expectRefusal('stock_reserved', () => shop.shop.undoBatch(1, {}), /Pet 2 has 12 units reserved for open orders; 10 on hand would not be enough/);
  await shop.shop.undoBatch(1, { allowShortage: true });
  expect(await shop.stockSummary(2)).toBe('10 on hand, 12 reserved, pending');
  expect(await shop.rows({ text: 'SELECT pet_id, kind FROM ledger WHERE shortage = 1', values: [] })).toEqual([{ pet_id: 2, kind: 'undo' }]);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('refuses to undo a batch of pets or without changes', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importPets(csv('name,category', 'Tom,1'), atomic);
  await shop.shop.importStock(csv('petId,delta', '1,5', '77,1'), atomic);
  await shop.expectRefusal('not_undoable', () => shop.shop.undoBatch(1, {}), /Batch 1 created pets/);
  await shop.expectRefusal('not_undoable', () => shop.shop.undoBatch(2, {}), /Batch 2 was refused/);
});

testOnEveryStore('undoes the applied rows of a partial batch', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '77,1', '2,-11', '3,-1'), keepGoing);
  expect(await shop.shop.undoBatch(1, {})).toMatchObject({ rows: 2 });
  expect(await onHand(shop)).toEqual([10, 10, 10]);
});

testOnEveryStore('an undo skips rows that were undone singly, also when all were', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '2,-3'), atomic);
  const [first, second] = await shop.ledger({ batchId: 1 });
  await shop.call(undoEntry, { entryId: first?.id ?? 0 });
  expect(await shop.shop.undoBatch(1, {})).toMatchObject({ rows: 1 });
  expect(await onHand(shop)).toEqual([10, 10, 10]);
  await shop.expectRefusal(
    'already_undone',
    () => shop.call(undoEntry, { entryId: second?.id ?? 0 }),
    new RegExp(`entry ${second?.id}: it was already undone`),
  );
  await shop.shop.importStock(csv('petId,delta', '3,5'), atomic);
  await shop.call(undoEntry, { entryId: await latest(shop, 'adjust') });
  expect(await shop.shop.undoBatch(2, {})).toMatchObject({ rows: 0, batch: { state: 'undone' } });
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('an undo changes nothing when its token is revoked before it has the lock', async (shop) => {
  const { engine, clock } = shop;
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5'), atomic);
  const own = localShop(engine, { actor: 'ana', source: 'cli', clock: clock.now }, '');
  const { token } = await own.tokens.create({ name: 'till', scopes: ['store:write'] });
  const slow: Engine = { ...engine, write: (...given) => own.tokens.revoke('till').then(() => engine.write(...given)) };
  const undo = localShop(slow, { actor: 'till', tokenId: token.id, source: 'http', clock: clock.now }, '').undoBatch(1, {});
  await expectRefusal('invalid_token', undo, /revoked in the meantime; nothing was changed\.$/);
  expect(await onHand(shop)).toEqual([15, 10, 10]);
  expect((await shop.call(getBatch, { batchId: 1 })).state).toBe('applied');
});

testOnEveryStore('undoes the changes of one pet from last to first', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,-10', '2,1', '1,50', '1,-49'), atomic);
  await shop.shop.undoBatch(1, {});
  const rows = await shop.ledger({ petId: 1, batchId: 1 });
  expect(rows.map((row) => `${entrySummary(row)} = ${row.quantityAfter}`)).toEqual([
    'adjust -10 = 0',
    'adjust +50 = 50',
    'adjust -49 = 1',
    'undo +49 = 50',
    'undo -50 = 0',
    'undo +10 = 10',
  ]);
  expect(rows.slice(3).map(({ reverses }) => reverses)).toEqual(
    rows
      .slice(0, 3)
      .map(({ id }) => id)
      .toReversed(),
  );
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('a dry run of an undo reports its rows and stores nothing', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '2,-3'), atomic);
  const would = await shop.expectUnchanged(() => shop.shop.undoBatch(1, { dryRun: true }));
  expect(await shop.shop.undoBatch(1, {})).toEqual(would);
  expect(would).toMatchObject({ rows: 2, batch: { state: 'undone' } });
});

testOnEveryStore('refuses the same file after an undo unless it has a new key', async (shop) => {
  await createThreePets(shop);
  const send = (key?: string) => shop.shop.importStock(csv('petId,delta', '1,5', '2,-3'), { ...atomic, key });
  await send();
  await shop.shop.undoBatch(1, {});
  const again = await shop.expectUnchanged(() => send());
  expect(counts(again)).toBe('2 total, 0 applied, 0 unchanged, 0 rejected, 2 already applied');
  expect(again.earlier).toMatchObject({ actor: 'ana', undone: true });
  expect(counts(await send('again'))).toBe('2 total, 2 applied, 0 unchanged, 0 rejected, 0 already applied');
  expect(await onHand(shop)).toEqual([15, 7, 10]);
});

testOnEveryStore('the key of an undo belongs to that undo only', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5', '2,-3'), atomic);
  const undo = (allowShortage?: boolean) => () => shop.shop.undoBatch(1, { key: 'k', ...(allowShortage !== undefined && { allowShortage }) });
  const first = await undo()();
  expect(await shop.expectUnchanged(undo())).toEqual(first);
  expect(await shop.expectUnchanged(undo(false))).toEqual(first);
  await shop.expectRefusal('idempotency_key_reused', undo(true), /The key "k" was used for another request/);
});

testOnEveryStore('refuses to undo a batch with a deleted pet', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,-9', '2,5'), atomic);
  await shop.call(deletePet, { petId: 1 });
  await shop.expectRefusal('not_undoable', () => shop.shop.undoBatch(1, {}), /Batch 1 cannot be undone: There is no pet 1/);
});

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
  await shop.set(3, 0);
  await shop.call(deletePet, { petId: 3 });
  const ofDeleted = await latest(shop, 'count');
  await shop.expectRefusal('not_undoable', () => shop.call(undoEntry, { entryId: ofDeleted }), /pet 3 is no longer in the shop/);
});

testOnEveryEngine('completion of undo offers the batches that an undo would not refuse', async (tested) => {
  const { call, countLines, shop, engine } = tested;
  await createThreePets(tested);
  await shop.importPets(csv('name,category', 'Leo,1'), { mode: 'atomic' });
  await shop.importStock(csv('petId,quantity', '1,20'), { mode: 'atomic' });
  await shop.importStock(csv('petId,delta', '1,5', '99,1'), { mode: 'keep-going' });
  const undone = await shop.importStock(csv('petId,delta', '2,5'), { mode: 'atomic' });
  await shop.undoBatch(undone.batch ?? 0, {});
  await shop.importStock(csv('petId,delta', '99,1'), { mode: 'atomic' });
  await call(startCount, { body: {} });
  await countLines(1, { petId: 1, number: 3 });
  await call(closeCount, { countId: 1, body: {} });
  const { items } = await call(listBatches, {});
  expect(new Set(items.map(({ kind, state }) => `${kind} ${state}`))).toEqual(
    new Set(['pets applied', 'stock applied', 'stock partial', 'stock undone', 'stock refused', 'count applied']),
  );
  const offered = await engine.read((queries) => lookUp(queries, 'undoableBatch', ''));
  const undoable = items.filter((batch) => batchConflict(batch) === undefined).map(({ id }) => id);
  expect(offered.map(({ id }) => id)).toEqual(undoable.toReversed());
});

testOnSqlite('an undo for which the disk has no room changes nothing, also beside another write', async (shop) => {
  const { engine, shop: home, call } = shop;
  await createThreePets(shop);
  const counted = csv('name,category,quantity', ...Array.from({ length: 1000 }, (_, index) => `Pet ${index},Dogs,0`));
  await home.importPets(counted, { ...atomic, createCategories: true });
  const ids = Array.from({ length: 1000 }, (_, index) => index + 4);
  await home.importStock(csv('petId,quantity', ...ids.map((id) => `${id},7`)), atomic);
  const pages = await engine.write((queries) => queries.get<{ readonly page_count: number }>(sql`PRAGMA page_count`));
  await engine.write((queries) => queries.get(sql`PRAGMA max_page_count = ${raw(String((pages?.page_count ?? 0) + 16))}`));
  // While a write waits, the two others come into one group.
  const first = engine.write(() => sleep(20));
  const both = [call(setInventory, { petId: 1, body: { quantity: 5 } }), home.undoBatch(2, {})];
  await first;
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(await shop.ledger({ kind: ['undo'] })).toEqual([]);
  expect(await brokenInvariants(shop)).toEqual([]);
});
