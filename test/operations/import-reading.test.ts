import { expect } from 'vitest';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import type { TestShop } from '../support/test-shop.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, file } from '../support/files.js';
import { createThreePets, onHand } from '../support/stock.js';

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

testOnEveryStore('ignores unknown columns of a stock file when asked, and reports them once', async (shop) => {
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

const byName = { mode: 'keep-going', match: 'name' } as const;

async function namedPets(shop: TestShop, ...names: readonly string[]): Promise<void> {
  const categoryId = await shop.category('Dogs');
  for (const name of names) await shop.pet({ name, categoryId, quantity: 10 });
}

testOnEveryStore('rows find their pets by name, whatever the case, accents and spaces', async (shop) => {
  await namedPets(shop, 'Rex', 'Zoë', 'Straße');
  const report = await shop.shop.importStock(csv('petId,name,quantity', '99,rex,1', '1," ZOE ",2', ',STRASSE,3'), byName);
  expect([faults(report), await onHand(shop)]).toEqual([[], [1, 2, 3]]);
  await shop.shop.importStock(file('[{"name":"Zoe\\u0308","delta":5}]'), byName);
  expect(await onHand(shop)).toEqual([1, 7, 3]);
});

testOnEveryStore('an unknown or ambiguous name is the error of its row, with the ids of the pets', async (shop) => {
  await namedPets(shop, 'Rex', 'rex', 'Max', 'Max', 'Bella', 'Gone');
  await shop.call(setInventory, { petId: 6, body: { quantity: 0 } });
  await shop.call(deletePet, { petId: 6 });
  const rows = ['Rex,1', 'rex,2', 'REX,3', 'Max,4', 'Gone,5', ',6', '5,7', 'Bella,x', `${'x'.repeat(3000)},8`];
  const report = await shop.shop.importStock(csv('name,quantity', ...rows), byName);
  expect(report.errors.map(({ line, code, message }) => `${line} ${code} ${message.slice(0, 80)}`)).toEqual([
    '4 ambiguous_pet name "REX" is the name of 2 pets: 1 and 2.',
    '5 ambiguous_pet name "Max" is the name of 2 pets: 3 and 4.',
    '6 unknown_pet name "Gone" is not the name of a pet.',
    '7 unknown_pet name "" is not the name of a pet.',
    '8 unknown_pet name "5" is not the name of a pet.',
    '9 invalid_quantity quantity "x" is not a whole number.',
    `10 unknown_pet name "${'x'.repeat(60)}…" is not the `,
  ]);
  expect(await onHand(shop)).toEqual([1, 2, 10, 10, 10]);
});

testOnEveryStore('names are found in files of several chunks, and their changes are reported in the order of the file', async (shop) => {
  const names = Array.from({ length: 2500 }, (_, index) => `Pet ${index}`);
  await shop.category('Dogs');
  await shop.shop.importPets(csv('name,category,quantity', ...names.map((name) => `${name},1,1`)), atomic);
  const changed: number[] = [];
  const backwards = names.toReversed().map((name) => `${name},1`);
  const report = await shop.shop.importStock(csv('name,delta', ...backwards), {
    ...byName,
    onChanges: (changes) => changed.push(...changes.map(({ petId }) => petId)),
  });
  expect([counts(report), changed.length, changed[0], changed.at(-1)]).toEqual([
    '2500 total, 2500 applied, 0 unchanged, 0 rejected, 0 already applied',
    2500,
    2500,
    1,
  ]);
});

testOnEveryStore('a delivery by name is applied once, also after a pet was renamed', async (shop) => {
  await namedPets(shop, 'Rex');
  const send = (options: object = {}) => shop.shop.importStock(csv('petId,name,delta', '1,Rex,5'), { ...byName, ...options });
  await send();
  await shop.call(updatePet, { petId: 1, body: { name: 'Max' } });
  expect(counts(await send())).toContain('1 already applied');
  expect(counts(await send({ match: 'id' }))).toContain('1 applied');
  expect(await onHand(shop)).toEqual([20]);
});

testOnEveryStore('a file without names is refused when pets are found by name', async (shop) => {
  await namedPets(shop, 'Rex');
  await shop.expectRefusal('missing_column', () => shop.shop.importStock(csv('petId,quantity', '1,5'), byName), /"name"/);
});
