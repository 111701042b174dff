import { expect } from 'vitest';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, file, keepGoing } from '../support/files.js';
import { createThreePets } from '../support/stock.js';

testOnEveryStore('applies a file of deltas once when it is sent twice', async (shop) => {
  await createThreePets(shop);
  const send = (actor: string) => shop.shopOf(actor).importStock(csv('petId,delta', '1,5', '2,-3'), atomic);
  shop.clock.set('2026-11-21T10:00:00Z');
  await send('ben');
  shop.clock.set('2027-01-01T10:00:00Z');
  const again = await shop.expectUnchanged(() => send('ana'));
  expect(counts(again)).toBe('2 total, 0 applied, 0 unchanged, 0 rejected, 2 already applied');
  expect(again).toMatchObject({ batch: 1, earlier: { actor: 'ben', at: '2026-11-21T10:00:00.000Z' } });
  expect(await shop.stockSummary(1)).toBe('15 on hand, 0 reserved, available');
});

testOnEveryStore('a file of counts that is sent again makes a batch without changes', async (shop) => {
  await createThreePets(shop);
  const send = () => shop.shop.importStock(csv('petId,quantity', '1,5', '2,3'), atomic);
  await send();
  expect(counts(await send())).toBe('2 total, 0 applied, 2 unchanged, 0 rejected, 0 already applied');
  await shop.set(1, 9);
  expect(counts(await send())).toBe('2 total, 1 applied, 1 unchanged, 0 rejected, 0 already applied');
  expect(await shop.stockSummary(1)).toBe('5 on hand, 0 reserved, available');
});

testOnEveryStore('applies the same file again with a new key', async (shop) => {
  await createThreePets(shop);
  const send = (key?: string) => shop.shop.importStock(csv('petId,delta', '1,5'), { ...atomic, key });
  await send();
  await send('again');
  await shop.expectUnchanged(() => send('again'));
  await shop.expectUnchanged(() => send());
  expect(await shop.stockSummary(1)).toBe('20 on hand, 0 reserved, available');
});

testOnEveryStore('refuses a key that was used for another file and makes no batch', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5'), { ...atomic, key: 'monday' });
  const other = () => shop.shop.importStock(csv('petId,delta', '1,6'), { ...atomic, key: 'monday' });
  await shop.expectRefusal('idempotency_key_reused', other, /The key "monday" was used for another file, batch 1 by ana at 2026-11-20T09:00:00\.000Z/);
});

testOnEveryStore('a file of counts with a key is applied once, and the key does not expire', async (shop) => {
  await createThreePets(shop);
  const send = () => shop.shop.importStock(csv('petId,quantity', '1,5'), { ...atomic, key: 'recount-1' });
  await send();
  await shop.set(1, 9);
  shop.clock.set('2036-11-20T09:00:00Z');
  expect(counts(await shop.expectUnchanged(send))).toBe('1 total, 0 applied, 0 unchanged, 0 rejected, 1 already applied');
});

testOnEveryStore('the column mapping is part of the identity of a file', async (shop) => {
  await createThreePets(shop);
  const text = 'petId,in,out\n1,5,2\n';
  const send = (theirs: string, other: string) =>
    shop.shop.importStock(
      file(text, {
        map: new Map([
          [theirs, 'delta'],
          [other, 'note'],
        ]),
      }),
      atomic,
    );
  await send('in', 'out');
  await shop.expectUnchanged(() => send('in', 'out'));
  expect(counts(await send('out', 'in'))).toBe('1 total, 1 applied, 0 unchanged, 0 rejected, 0 already applied');
  expect(await shop.stockSummary(1)).toBe('17 on hand, 0 reserved, available');
});

testOnEveryStore('a refused file does not use up its key', async (shop) => {
  await createThreePets(shop);
  const send = () => shop.shop.importStock(csv('petId,delta', '1,5', '4,1'), { ...atomic, key: 'monday' });
  expect(faults(await send())).toEqual(['3 unknown_pet']);
  const other = await shop.shop.importStock(csv('petId,delta', '2,7', '5,1'), { ...atomic, key: 'monday' });
  expect(faults(other)).toEqual(['3 unknown_pet']);
  await shop.pet({ quantity: 1 });
  expect(counts(await send())).toBe('2 total, 2 applied, 0 unchanged, 0 rejected, 0 already applied');
  expect(await shop.stockSummary(1)).toBe('15 on hand, 0 reserved, available');
});

testOnEveryStore('after a keep-going run the same file retries only the refused rows', async (shop) => {
  await createThreePets(shop);
  const send = () => shop.shop.importStock(csv('petId,delta', '1,5', '4,1', '2,-11', '3,-1'), keepGoing);
  const first = await send();
  expect(counts(first)).toBe('4 total, 2 applied, 0 unchanged, 2 rejected, 0 already applied');
  await shop.set(2, 20);
  const second = await send();
  expect(counts(second)).toBe('4 total, 1 applied, 0 unchanged, 1 rejected, 2 already applied');
  expect(faults(second)).toEqual(['3 unknown_pet']);
  await shop.pet({ quantity: 1 });
  const third = await send();
  expect(counts(third)).toBe('4 total, 1 applied, 0 unchanged, 0 rejected, 3 already applied');
  const fourth = await shop.expectUnchanged(send);
  expect(counts(fourth)).toBe('4 total, 0 applied, 0 unchanged, 0 rejected, 4 already applied');
  expect((await shop.call(listBatches, {})).items.map(({ state }) => state)).toEqual(['partial', 'partial', 'applied']);
  expect([await shop.stockSummary(1), await shop.stockSummary(2), await shop.stockSummary(3), await shop.stockSummary(4)]).toEqual([
    '15 on hand, 0 reserved, available',
    '9 on hand, 0 reserved, available',
    '9 on hand, 0 reserved, available',
    '2 on hand, 0 reserved, available',
  ]);
});

testOnEveryStore('retries more than a thousand refused rows', async (shop) => {
  await shop.pet({ quantity: 1 });
  const lines = Array.from({ length: 1100 }, () => '1,-2').join('\n');
  const send = () => shop.shop.importStock(file(`petId,delta\n1,1\n${lines}\n1,-2\n`, {}, 4096), keepGoing);
  expect(counts(await send())).toBe('1102 total, 2 applied, 0 unchanged, 1100 rejected, 0 already applied');
  await shop.set(1, 2200);
  expect(counts(await send())).toBe('1102 total, 1100 applied, 0 unchanged, 0 rejected, 2 already applied');
  expect(await shop.stockSummary(1)).toBe('0 on hand, 0 reserved, sold');
});

testOnEveryStore('a key belongs to one stock import, pet import, undo or request', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,1'), atomic);
  const uses: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    stock: (key) => shop.shop.importStock(csv('petId,delta', '1,5'), { ...atomic, key }),
    pets: (key) => shop.shop.importPets(csv('name,category', 'Rex,1'), { ...atomic, key }),
    order: (key) => shop.call(placeOrder, { body: { petId: 1 } }, { key }),
    adjustments: (key) =>
      shop.callEach(
        adjustInventory,
        [
          { petId: 1, body: { delta: 1 } },
          { petId: 2, body: { delta: 1 } },
        ],
        { key },
      ),
    undo: (key) => shop.shop.undoBatch(1, { key }),
  };
  for (const [first, use] of Object.entries(uses)) {
    await use(first);
    for (const [other, reuse] of Object.entries(uses)) {
      if (other !== first) await shop.expectRefusal('idempotency_key_reused', () => reuse(first), new RegExp(`The key "${first}" was used`));
    }
    await shop.expectUnchanged(() => use(first));
  }
});

testOnEveryStore('a request cannot reuse the key of an import, and an import that of a request until it expires', async (shop) => {
  await createThreePets(shop);
  const send = () => shop.shop.importStock(csv('petId,delta', '1,5'), { ...atomic, key: 'a' });
  const order = (key: string) => () => shop.call(placeOrder, { body: { petId: 1 } }, { key });
  await send();
  await order('b')();
  const other = () => shop.shop.importStock(csv('petId,delta', '1,5'), { ...atomic, key: 'b' });
  await shop.expectRefusal('idempotency_key_reused', other, /"b"/);
  shop.clock.set('2036-11-20T09:00:00Z');
  await shop.expectRefusal('idempotency_key_reused', order('a'), /"a"/);
  expect(counts(await other())).toMatch(/1 applied/);
});

testOnEveryStore('senders have separate keys, also while rows are left to retry', async (shop) => {
  await createThreePets(shop);
  const key = 'monday';
  const send = (actor: string, ...rows: readonly string[]) => shop.shopOf(actor).importStock(csv('petId,delta', ...rows), { ...keepGoing, key });
  expect(counts(await send('ana', '1,5', '4,1'))).toBe('2 total, 1 applied, 0 unchanged, 1 rejected, 0 already applied');
  expect(counts(await send('ben', '1,5', '4,1'))).toBe('2 total, 1 applied, 0 unchanged, 1 rejected, 0 already applied');
  await shop.expectUnchanged(() => shop.expectRefusal('idempotency_key_reused', () => send('ana', '2,1'), /batch 1 by ana/));
  await shop.pet({ quantity: 1 });
  expect(counts(await send('ben', '1,5', '4,1'))).toBe('2 total, 1 applied, 0 unchanged, 0 rejected, 1 already applied');
  expect(counts(await send('ana', '1,5', '4,1'))).toBe('2 total, 1 applied, 0 unchanged, 0 rejected, 1 already applied');
  const again = await shop.expectUnchanged(() => send('ana', '1,5', '4,1'));
  expect(again).toMatchObject({ batch: 4, alreadyApplied: 2, earlier: { actor: 'ana' } });
  expect([await shop.stockSummary(1), await shop.stockSummary(4)]).toEqual(['20 on hand, 0 reserved, available', '3 on hand, 0 reserved, available']);
});

testOnEveryStore('a file that was sent with a key is not recognised by its digest', async (shop) => {
  await createThreePets(shop);
  const send = (actor: string, key?: string) => shop.shopOf(actor).importStock(csv('petId,delta', '1,5'), { ...atomic, key });
  await send('ana', 'monday');
  expect(counts(await send('ben'))).toMatch(/ 1 applied/);
  expect(await shop.expectUnchanged(() => send('ana'))).toMatchObject({ batch: 2, earlier: { actor: 'ben' } });
});

testOnEveryStore('the key of an undo belongs to its sender', async (shop) => {
  await createThreePets(shop);
  await shop.shop.importStock(csv('petId,delta', '1,5'), atomic);
  await shop.shop.importStock(csv('petId,delta', '2,5'), atomic);
  const undo = (actor: string, batch: number) => () => shop.shopOf(actor).undoBatch(batch, { key: 'k' });
  const report = await undo('ana', 1)();
  await shop.expectRefusal('already_undone', undo('ben', 1), /Batch 1/);
  expect(await undo('ben', 2)()).toMatchObject({ batch: { id: 2, state: 'undone' } });
  expect(await shop.expectUnchanged(undo('ana', 1))).toEqual(report);
});

testOnEveryStore('returns refused rows in the order of the file and with their original content', async (shop) => {
  await createThreePets(shop);
  const back: unknown[] = [];
  const source = csv('petId,name,quantity', '1,Rex,5', '77,Tom,1', '3,"A ""B""",x');
  await shop.shop.importStock(source, { ...keepGoing, onRejected: ({ line, code }, row) => void back.push([line, code, row?.header, row?.original]) });
  const header = ['petId', 'name', 'quantity'];
  expect(back).toEqual([
    [3, 'unknown_pet', header, ['77', 'Tom', '1']],
    [4, 'invalid_quantity', header, ['3', 'A "B"', 'x']],
  ]);
});
