import { expect } from 'vitest';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import { listBatches } from '../../src/domain/imports/list-batches.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, file, keepGoing } from '../support/files.js';
import { type TestShop } from '../support/test-shop.js';
import { onHand } from '../support/stock.js';

/** Pets 1 to 5 with 10 on hand each; 4 of pet 5 are reserved for order 1. */
async function five({ pet }: TestShop): Promise<void> {
  for (let index = 0; index < 4; index += 1) await pet({ quantity: 10 });
  await pet({ quantity: 10, reserved: 4 });
}

testOnEveryStore('applies a file of counts as one batch, with a ledger row for each change', async (shop) => {
  await five(shop);
  const report = await shop.shop.importStock(csv('petId,quantity', '1,7', '2,10', '5,4'), atomic);
  expect(report).toMatchObject({
    batch: 1,
    dryRun: false,
    mode: 'atomic',
    total: 3,
    applied: 2,
    unchanged: 1,
    rejected: 0,
    alreadyApplied: 0,
    notInFile: 2,
    errors: [],
    errorsOmitted: 0,
  });
  expect(await onHand(shop)).toEqual([7, 10, 10, 10, 4]);
  const rows = await shop.ledger({ batchId: 1 });
  expect(rows.map(({ kind, petId, delta, quantityAfter, line, actor, source }) => [kind, petId, delta, quantityAfter, line, actor, source])).toEqual([
    ['count', 1, -3, 7, 2, 'ana', 'import'],
    ['count', 5, -6, 4, 4, 'ana', 'import'],
  ]);
});

testOnEveryStore('a batch stores actor, time, options and result', async (shop) => {
  await five(shop);
  shop.clock.set('2026-11-21T10:00:00Z');
  await shop.shopOf('ben').importStock(csv('petId,quantity', '1,7', '77,1'), { ...keepGoing, note: 'recount' });
  const batch = await shop.call(getBatch, { batchId: 1 });
  expect(batch).toMatchObject({ id: 1, kind: 'stock', state: 'partial', actor: 'ben', at: '2026-11-21T10:00:00.000Z', mode: 'keep-going', note: 'recount' });
  expect(batch).toMatchObject({
    total: 2,
    applied: 1,
    unchanged: 0,
    rejected: 1,
    errors: [{ line: 3, petId: 77, code: 'unknown_pet', message: expect.stringMatching(/there is no pet 77/i) }],
  });
  expect((await shop.call(listBatches, {})).items).toMatchObject([{ id: 1, state: 'partial' }]);
  expect(await shop.ledger({ batchId: 1 })).toMatchObject([{ at: '2026-11-21T10:00:00.000Z', actor: 'ben', note: 'recount' }]);
  await shop.expectRefusal('batch_not_found', () => shop.call(getBatch, { batchId: 2 }), /Batch 2 was not found/);
});

testOnEveryStore('one invalid row refuses the whole file, and every invalid row is reported', async (shop) => {
  await five(shop);
  const before = await shop.allRows();
  const report = await shop.shop.importStock(csv('petId,quantity', '1,7', 'x,1', '77,1', '2,-1', '5,3', '3,8'), atomic);
  expect(counts(report)).toBe('6 total, 0 applied, 0 unchanged, 4 rejected, 0 already applied');
  expect(faults(report)).toEqual(['3 invalid_pet_id', '4 unknown_pet', '5 invalid_quantity', '6 stock_reserved']);
  const { batches, batch_errors: errors, ...others } = await shop.allRows();
  expect({ ...others, batches: [], batch_errors: [] }).toEqual(before);
  expect([batches?.length, errors?.length]).toEqual([1, 4]);
  expect(await shop.call(getBatch, { batchId: 1 })).toMatchObject({ state: 'refused', applied: 0, rejected: 4, errors: report.errors });
});

testOnEveryStore('keep-going with only invalid rows makes a refused batch', async (shop) => {
  await five(shop);
  const report = await shop.shop.importStock(csv('petId,quantity', 'x,1', '77,1'), keepGoing);
  expect(counts(report)).toBe('2 total, 0 applied, 0 unchanged, 2 rejected, 0 already applied');
  expect(await shop.call(getBatch, { batchId: report.batch ?? 0 })).toMatchObject({ state: 'refused' });
});

testOnEveryStore('a dry run of an import has the report of the real run and stores nothing', async (shop) => {
  await five(shop);
  for (const options of [atomic, keepGoing]) {
    const send = (dryRun: boolean) => shop.shop.importStock(csv('petId,delta', '1,5', '77,1', '2,-3'), { ...options, dryRun });
    const would = await shop.expectUnchanged(() => send(true));
    expect(would).toMatchObject({ batch: null, dryRun: true });
    const did = await send(false);
    expect({ ...did, batch: null, dryRun: true }).toEqual(would);
  }
});

testOnEveryStore('refuses both rows when two counts name one pet', async (shop) => {
  await five(shop);
  const report = await shop.shop.importStock(csv('petId,quantity', '1,7', '2,3', '1,7', '1,8'), keepGoing);
  expect(faults(report)).toEqual(['2 duplicate_row', '4 duplicate_row', '5 duplicate_row']);
  for (const { line, petId, message } of report.errors) {
    const other = /pet 1 is also on line (\d)\.$/i.exec(message)?.[1];
    expect([petId, other]).toEqual([1, expect.stringMatching(new RegExp(`[245](?<!${line})`))]);
  }
  expect(await onHand(shop)).toEqual([10, 3, 10, 10, 10]);
});

testOnEveryStore('applies the deltas of one pet in order', async (shop) => {
  await five(shop);
  await shop.shop.importStock(csv('petId,delta', '1,-10', '1,+3', '1,-2', '2,5'), atomic);
  expect(await onHand(shop)).toEqual([1, 15, 10, 10, 10]);
  expect((await shop.ledger({ petId: 1, batchId: 1 })).map(({ delta, quantityAfter, line }) => [delta, quantityAfter, line])).toEqual([
    [-10, 0, 2],
    [3, 3, 3],
    [-2, 1, 4],
  ]);
  const order = await shop.shop.importStock(csv('petId,delta', '1,-2', '1,5', '3,-11', '3,-10'), keepGoing);
  expect(faults(order)).toEqual(['2 out_of_stock', '4 out_of_stock']);
  expect(order.errors[0]?.message).toMatch(/pet 1 has 1 on hand; cannot remove 2\.$/i);
  expect(await onHand(shop)).toEqual([6, 15, 0, 10, 10]);
});

testOnEveryStore('refuses a quantity below the reserved units unless a shortage is allowed', async (shop) => {
  await five(shop);
  const refused = await shop.shop.importStock(csv('petId,quantity', '5,3'), atomic);
  expect(refused.errors).toMatchObject([{ line: 2, petId: 5, code: 'stock_reserved' }]);
  expect(refused.errors[0]?.message).toMatch(/pet 5 has 4 .*reserved.*3 on hand would not be enough\. They are reserved for order 1\.$/i);
  const accepted = await shop.shop.importStock(csv('petId,quantity', '5,1'), { ...atomic, allowShortage: true });
  expect(counts(accepted)).toBe('1 total, 1 applied, 0 unchanged, 0 rejected, 0 already applied');
  expect(await shop.stockSummary(5)).toBe('1 on hand, 4 reserved, pending');
  expect(await shop.rows({ text: 'SELECT pet_id FROM ledger WHERE shortage = 1', values: [] })).toEqual([{ pet_id: 5 }]);
});

testOnEveryStore('the note of a row overrides the note of the import', async (shop) => {
  await five(shop);
  await shop.shop.importStock(csv('petId,delta,note', '1,1, broken cage ', '2,1,', '3,1,ok'), { ...atomic, note: 'recount' });
  expect((await shop.ledger({ batchId: 1 })).map(({ note }) => note)).toEqual(['broken cage', 'recount', 'ok']);
  const long = await shop.shop.importStock(csv('petId,delta,note', `1,1,${'x'.repeat(501)}`, '2,1,"a\u001bb"'), keepGoing);
  expect(long.errors).toMatchObject([
    { line: 2, petId: 1, column: 'note', code: 'validation_failed' },
    { line: 3, petId: 2, column: 'note', code: 'validation_failed' },
  ]);
});

testOnEveryStore('counts the pets that are not in the file, also when rows are refused', async (shop) => {
  await five(shop);
  await shop.call(deletePet, { petId: await shop.pet() });
  const notInFile = async (...lines: readonly string[]) => (await shop.shop.importStock(csv('petId,quantity', ...lines), keepGoing)).notInFile;
  expect(await notInFile('1,10')).toBe(4);
  expect(await notInFile('1,x', '2,-1', '3,1', '3,2', '77,1', '6,1')).toBe(2);
});

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('petId,quantity\n1,7\n2,');
  throw new Error('the line went dead');
}

testOnEveryStore('an aborted stream changes nothing', async (shop) => {
  await five(shop);
  await shop.expectUnchanged(async () => {
    await expect(shop.shop.importStock({ bytes: broken(), map: new Map() }, keepGoing)).rejects.toThrow('the line went dead');
  });
});

testOnEveryStore('keeps the first 1,000 errors and counts the rest', async (shop) => {
  await five(shop);
  const lines = Array.from({ length: 1200 }, (_, index) => `${index + 100},1`).join('\n');
  const report = await shop.shop.importStock(file(`petId,quantity\n${lines}\n`, {}, 4096), keepGoing);
  expect([report.rejected, report.errors.length, report.errorsOmitted]).toEqual([1200, 1000, 200]);
  const batch = await shop.call(getBatch, { batchId: 1 });
  expect([batch.rejected, batch.errors.length, batch.errors.at(-1)?.line]).toEqual([1200, 1000, 1001]);
});
