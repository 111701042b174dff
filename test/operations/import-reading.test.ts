import { expect } from 'vitest';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { testOnEveryStore } from '../support/stores.js';
import { counts, csv, file } from '../support/files.js';
import { createThreePets, onHand } from '../support/stock.js';

const atomic = { mode: 'atomic' } as const;

testOnEveryStore('reads pets of another encoding', async (shop) => {
  await shop.category('Dogs');
  const text = 'name,category\nRübe – 5 €,Dogs\n';
  const windows = Buffer.from(text.replace('–', '\u0096').replace('€', '\u0080'), 'latin1');
  await shop.expectRefusal('not_utf8', () => shop.shop.importPets(file(windows), atomic), /Line 2 .*UTF-8/);
  await shop.shop.importPets(file(windows), { ...atomic, encoding: 'windows-1252' });
  await shop.shop.importPets(file(Buffer.from(`\uFEFF${text}`, 'utf16le')), { ...atomic, encoding: 'utf-16' });
  expect((await shop.call(listPets, {})).items.map(({ name }) => name)).toEqual(['Rübe – 5 €', 'Rübe – 5 €']);
});

testOnEveryStore('refused rows of another encoding are returned as text', async (shop) => {
  await createThreePets(shop);
  const originals: unknown[] = [];
  const source = file(Buffer.from('petId,delta,note\n9,1,Größe\n', 'latin1'));
  await shop.shop.importStock(source, { mode: 'keep-going', encoding: 'latin1', onRejected: (_, row) => originals.push(row?.original) });
  expect(originals).toEqual([['9', '1', 'Größe']]);
});

testOnEveryStore('the same bytes in another encoding are another file, and in the same encoding the same one', async (shop) => {
  await createThreePets(shop);
  const send = (encoding?: 'utf-8' | 'latin1' | 'windows-1252') => shop.shop.importStock(csv('petId,delta,note', '1,1,Größe'), { ...atomic, encoding });
  expect(counts(await send())).toContain('1 applied');
  expect(counts(await send('utf-8'))).toContain('1 already applied');
  expect(counts(await send('windows-1252'))).toContain('1 applied');
  expect(counts(await send('latin1'))).toContain('1 already applied');
});

testOnEveryStore('ignores unknown columns of stock figures when asked, and reports them once', async (shop) => {
  await createThreePets(shop);
  const send = (options: object) => shop.shop.importStock(csv('petId,quantity,EAN,Price', '1,7,401,3.50', '2,8,402,1'), { ...atomic, ...options });
  await shop.expectRefusal('unknown_column', () => send({}), /EAN/);
  const named: (readonly string[])[] = [];
  const rejected: unknown[] = [];
  await send({ ignoreUnknown: true, onIgnored: (columns: readonly string[]) => named.push(columns), onRejected: (error: unknown) => rejected.push(error) });
  expect([named, rejected, await onHand(shop)]).toEqual([[['EAN', 'Price']], [], [7, 8, 10]]);
  const json = file('[{"petId":1,"quantity":1,"EAN":4},{"petId":2,"quantity":2,"Price":5}]');
  await shop.shop.importStock(json, { ...atomic, ignoreUnknown: true, onIgnored: (columns) => named.push(columns) });
  expect([named[1], await onHand(shop)]).toEqual([
    ['EAN', 'Price'],
    [1, 2, 10],
  ]);
});

const fileNames: readonly (readonly [given: string | undefined, stored: string | undefined])[] = [
  ['count.csv', 'count.csv'],
  ['/srv/inbox/Zählung Köln.csv', 'Zählung Köln.csv'],
  ['C:\\Users\\ana\\count.csv', 'count.csv'],
  ['folder/', 'folder'],
  ['Za\u0308hlung.csv', 'Zählung.csv'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['/', undefined],
  [undefined, undefined],
];

testOnEveryStore('an import keeps the name of its file without the folder, also when it is refused', async (shop) => {
  await createThreePets(shop);
  for (const [index, [fileName, stored]] of fileNames.entries()) {
    await shop.shop.importStock(csv('petId,quantity', index % 2 === 0 ? '1,7' : '99,7'), { ...atomic, fileName });
    expect((await shop.call(getBatch, { batchId: index + 1 })).fileName).toBe(stored);
  }
  await shop.shop.importPets(csv('name,category', 'Rex,1'), { ...atomic, fileName: 'pets.csv' });
  expect((await shop.call(getBatch, { batchId: fileNames.length + 1 })).fileName).toBe('pets.csv');
});
