import { expect } from 'vitest';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import type { ImportFile } from '../../src/domain/imports/import-file.js';
import type { ImportReport } from '../../src/domain/imports/import-report.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import type { Shop } from '../../src/domain/shop.js';
import type { StockImportOptions } from '../../src/domain/imports/import-inventory.js';
import { localShop } from '../../src/storage/shop.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, keepGoing } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import type { TestShop } from '../support/test-shop.js';
import { onHand, sell } from '../support/stock.js';

/** Pets 1 to 4 with 10 on hand each. */
async function four({ pet }: TestShop): Promise<void> {
  for (let index = 0; index < 4; index += 1) await pet({ quantity: 10 });
}

/** A file whose bytes can be sent more than once. */
type Send = () => ImportFile;

/** Imports a file while another actor makes a change between its evaluation and its write. */
async function between(shop: TestShop, file: ImportFile, options: StockImportOptions, meanwhile: (ben: Shop) => Promise<unknown>): Promise<ImportReport> {
  let times = 0;
  const report = await shop.shop.importStock(file, {
    ...options,
    onPreview: async () => {
      times += 1;
      if (times === 1) await meanwhile(shop.shopOf('ben'));
    },
  });
  expect(times).toBeGreaterThan(0);
  expect(await brokenInvariants(shop)).toEqual([]);
  return report;
}

testOnEveryStore('adds a delta to the quantity at the time of the write', async (shop) => {
  await four(shop);
  const report = await between(shop, csv('petId,delta', '1,-3', '2,5', '1,-1'), atomic, async () => {
    await sell(shop, 1, 4);
    await shop.set(2, 100);
    await shop.adjust(3, 1);
  });
  expect(counts(report)).toBe('3 total, 3 applied, 0 unchanged, 0 rejected, 0 already applied');
  expect(await onHand(shop)).toEqual([2, 105, 11, 10]);
  expect((await shop.ledger({ batchId: 1 })).map(({ petId, delta, quantityAfter, line }) => [petId, delta, quantityAfter, line])).toEqual(
    expect.arrayContaining([
      [1, -3, 3, 2],
      [1, -1, 2, 4],
      [2, 5, 105, 3],
    ]),
  );
});

testOnEveryStore('refuses a delta after a concurrent sale took the stock, by row or with the whole file', async (shop) => {
  await four(shop);
  const send: Send = () => csv('petId,delta', '1,-8', '2,-8', '1,2');
  const all = await between(shop, send(), atomic, () => sell(shop, 1, 5));
  expect(counts(all)).toBe('3 total, 0 applied, 0 unchanged, 1 rejected, 0 already applied');
  expect(faults(all)).toEqual(['2 out_of_stock']);
  expect(await onHand(shop)).toEqual([5, 10, 10, 10]);
  expect(await shop.call(getBatch, { batchId: all.batch ?? 0 })).toMatchObject({ state: 'refused', applied: 0, rejected: 1 });
  const some = await between(shop, send(), keepGoing, () => sell(shop, 1, 1));
  expect(counts(some)).toBe('3 total, 2 applied, 0 unchanged, 1 rejected, 0 already applied');
  expect(await onHand(shop)).toEqual([6, 2, 10, 10]);
  expect(await shop.call(getBatch, { batchId: some.batch ?? 0 })).toMatchObject({ state: 'partial', applied: 2, rejected: 1 });
});

testOnEveryStore('applies a row that was invalid when it was evaluated and is valid when it is written', async (shop) => {
  await four(shop);
  const results: string[] = [];
  const options = { ...keepGoing, onRow: ({ line, outcome }: { readonly line: number; readonly outcome: string }) => void results.push(`${line} ${outcome}`) };
  const report = await between(shop, csv('petId,delta', '1,-11', '2,1', '77,1'), options, () => shop.adjust(1, 5));
  expect(counts(report)).toBe('3 total, 2 applied, 0 unchanged, 1 rejected, 0 already applied');
  expect(results).toEqual(['2 applied', '3 applied', '4 rejected']);
  expect(await onHand(shop)).toEqual([4, 11, 10, 10]);
  expect(await shop.call(getBatch, { batchId: 1 })).toMatchObject({ state: 'partial', rejected: 1, errors: [{ line: 4 }] });
});

testOnEveryStore('refuses a row of a pet that is deleted during the import', async (shop) => {
  await four(shop);
  await shop.set(1, 1);
  const remove = (ben: Shop): Promise<unknown> => ben.call(deletePet, { petId: 1 });
  const report = await between(shop, csv('petId,quantity', '1,7', '2,8'), keepGoing, remove);
  expect(counts(report)).toBe('2 total, 1 applied, 0 unchanged, 1 rejected, 0 already applied');
  expect(faults(report)).toEqual(['2 unknown_pet']);
  expect(report.notInFile).toBe(2);
  expect(await shop.ledgerSummary({ petId: 1 })).toEqual(['opening +10', 'count -9', 'adjust -1', 'pet.archived']);
});

testOnEveryStore('refuses the whole file when concurrent changes make more than maxErrors rows invalid', async (shop) => {
  await four(shop);
  const limited = { ...keepGoing, maxErrors: 1 };
  const report = await between(shop, csv('petId,delta', '1,-4', '2,-4', '3,-4'), limited, async () => {
    await shop.set(1, 0);
    await shop.set(2, 0);
  });
  expect(counts(report)).toBe('3 total, 0 applied, 0 unchanged, 2 rejected, 0 already applied');
  expect(await onHand(shop)).toEqual([0, 0, 10, 10]);
});

testOnEveryStore('declining the preview changes nothing', async (shop) => {
  await four(shop);
  const refusal = new Error('rather not');
  const onPreview = async () => Promise.reject(refusal);
  await shop.expectUnchanged(() => expect(shop.shop.importStock(csv('petId,delta', '1,-4'), { ...atomic, onPreview })).rejects.toBe(refusal));
  expect(counts(await shop.shop.importStock(csv('petId,delta', '1,-4'), atomic))).toMatch(/1 applied/);
});

testOnEveryStore('applies a file of deltas once when two programs send it at the same time', async (shop) => {
  await four(shop);
  const other = await shop.openAgain();
  try {
    const ben = localShop(other, { actor: 'ben', source: 'cli', clock: shop.clock.now }, shop.shop.where);
    const send: Send = () => csv('petId,delta', '1,-3', '2,5', '1,1');
    // Both imports are evaluated before either writes.
    let waiting = 0;
    let go = (): void => undefined;
    const both = new Promise<void>((resolve) => (go = resolve));
    const onPreview = async (): Promise<void> => {
      waiting += 1;
      if (waiting === 2) go();
      await both;
    };
    const reports = await Promise.all([shop.shop, ben].map((one) => one.importStock(send(), { ...atomic, onPreview })));
    expect(reports.map(({ applied, alreadyApplied }) => [applied, alreadyApplied]).toSorted(([left = 0], [right = 0]) => left - right)).toEqual([
      [0, 3],
      [3, 0],
    ]);
    expect(await onHand(shop)).toEqual([8, 15, 10, 10]);
    expect((await shop.call(listBatches, {})).items).toHaveLength(1);
    expect(await brokenInvariants(shop)).toEqual([]);
  } finally {
    await other.close();
  }
});

testOnEveryStore('does not apply a row again that a concurrent retry has applied', async (shop) => {
  const pet = await shop.pet({ quantity: 10, reserved: 9 });
  await shop.pet({ quantity: 10 });
  const send = (options: StockImportOptions): Promise<ImportReport> => shop.shop.importStock(csv('petId,delta', `${pet},-4`, '2,-1', '77,1'), options);
  const slower = await between(shop, csv('petId,delta', `${pet},-4`, '2,-1', '77,1'), keepGoing, () => send({ ...keepGoing, allowShortage: true }));
  expect(counts(slower)).toBe('3 total, 0 applied, 0 unchanged, 1 rejected, 2 already applied');
  expect(counts(await send({ ...keepGoing, allowShortage: true }))).toBe('3 total, 0 applied, 0 unchanged, 1 rejected, 2 already applied');
  expect(await onHand(shop)).toEqual([6, 9]);
});
