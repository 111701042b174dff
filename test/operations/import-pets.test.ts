import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { deleteCategory } from '../../src/domain/categories/delete-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { listCodes } from '../../src/domain/codes/list-codes.js';
import { getBatch } from '../../src/domain/imports/get-batch.js';
import type { RowResult } from '../../src/domain/imports/import-report.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { setLowDefault } from '../../src/domain/inventory/set-low-default.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { testOnEveryStore } from '../support/stores.js';
import { atomic, counts, csv, faults, file, keepGoing } from '../support/files.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { brokenInvariants } from '../support/invariants.js';
import type { TestShop } from '../support/test-shop.js';

async function pets({ call }: TestShop): Promise<readonly string[]> {
  const { items } = await call(listPets, { limit: 500 });
  return items.map(({ name, categoryId, status }) => `${name} in ${categoryId}, ${status}`);
}

testOnEveryStore('a pet import creates all pets in one batch, with a ledger row for each', async (shop) => {
  await shop.category('Dogs');
  await shop.category('Fish');
  const lines = ['name,category,status,quantity', 'Rex,1,,', 'Tom,Dogs,pending,', 'Guppy,fish,available,40', 'Old,name:Fish,sold,0'];
  const report = await shop.shop.importPets(csv(...lines), atomic);
  expect(report).toMatchObject({
    batch: 1,
    dryRun: false,
    mode: 'atomic',
    total: 4,
    applied: 4,
    unchanged: 0,
    rejected: 0,
    alreadyApplied: 0,
    errors: [],
    errorsOmitted: 0,
  });
  expect(await pets(shop)).toEqual(['Rex in 1, available', 'Tom in 1, pending', 'Guppy in 2, available', 'Old in 2, sold']);
  expect((await shop.call(listInventory, {})).items.map(({ quantity }) => quantity)).toEqual([1, 1, 40, 0]);
  expect((await shop.ledger({ batchId: 1 })).map(({ kind, petId, quantityAfter, line, source }) => [kind, petId, quantityAfter, line, source])).toEqual([
    ['opening', 1, 1, 2, 'import'],
    ['opening', 2, 1, 3, 'import'],
    ['pet.held', 2, undefined, 3, 'import'],
    ['opening', 3, 40, 4, 'import'],
    ['opening', 4, 0, 5, 'import'],
  ]);
  expect(await shop.call(getBatch, { batchId: 1 })).toMatchObject({ kind: 'pets', state: 'applied' });
});

testOnEveryStore('one invalid pet refuses the whole file, and every invalid row is reported', async (shop) => {
  await shop.category('Dogs');
  const lines = [
    'name,category,status,quantity',
    'Rex,1,,',
    ' ,1,,',
    `${'x'.repeat(101)},1,,`,
    'A\u001bB,1,,',
    'Rex,,,',
    'Rex,9,,',
    'Rex,Cats,,',
    'Rex,1,Sold,',
    'Rex,1,,x',
    'Rex,1,,-1',
    'Rex,1,,+1',
    'Rex,1,sold,3',
    'Rex,1,available,0',
    'Rex,1',
  ];
  const before = await shop.allRows();
  const report = await shop.shop.importPets(csv(...lines), atomic);
  expect(faults(report)).toEqual([
    '3 validation_failed',
    '4 validation_failed',
    '5 validation_failed',
    '6 validation_failed',
    '7 unknown_category',
    '8 unknown_category',
    '9 validation_failed',
    '10 invalid_quantity',
    '11 invalid_quantity',
    '12 invalid_quantity',
    '13 validation_failed',
    '14 validation_failed',
    '15 malformed_row',
  ]);
  const { batches, batch_errors: errors, ...others } = await shop.allRows();
  expect({ ...others, batches: [], batch_errors: [] }).toEqual(before);
  expect([batches?.length, errors?.length]).toEqual([1, 13]);
});

testOnEveryStore('creates no pets when more than maxErrors are refused', async (shop) => {
  await shop.category('Dogs');
  const send = (maxErrors: number) => shop.shop.importPets(csv('name,category', 'Rex,1', 'Tom,Cats', 'Max,Fish'), { ...keepGoing, maxErrors });
  expect(counts(await send(1))).toBe('3 total, 0 applied, 0 unchanged, 2 rejected, 0 already applied');
  expect(await pets(shop)).toEqual([]);
  expect(counts(await send(2))).toBe('3 total, 1 applied, 0 unchanged, 2 rejected, 0 already applied');
});

testOnEveryStore('a dry run of a pet import has the report of the real run and stores nothing', async (shop) => {
  await shop.category('Dogs');
  const send = (dryRun: boolean) => shop.shop.importPets(csv('name,category', 'Rex,1', 'Tom,Cats'), { ...keepGoing, dryRun, createCategories: true });
  const would = await shop.expectUnchanged(() => send(true));
  expect(would).toMatchObject({ batch: null, applied: 2 });
  expect({ ...(await send(false)), batch: null, dryRun: true }).toEqual(would);
});

testOnEveryStore('a pet import that is sent twice creates every pet once', async (shop) => {
  await shop.category('Dogs');
  const send = () => shop.shop.importPets(csv('name,category', 'Rex,1', 'Rex,1'), atomic);
  await send();
  shop.clock.set('2027-11-20T09:00:00Z');
  const again = await shop.expectUnchanged(send);
  expect(counts(again)).toBe('2 total, 0 applied, 0 unchanged, 0 rejected, 2 already applied');
  expect(again.earlier).toMatchObject({ actor: 'ana', at: '2026-11-20T09:00:00.000Z' });
  expect(await pets(shop)).toHaveLength(2);
});

testOnEveryStore('retries only the refused pets, and creates their categories', async (shop) => {
  await shop.category('Dogs');
  const send = (createCategories: boolean) => shop.shop.importPets(csv('name,category', 'Rex,1', 'Tom,Cats'), { ...keepGoing, createCategories });
  expect(counts(await send(false))).toBe('2 total, 1 applied, 0 unchanged, 1 rejected, 0 already applied');
  expect(counts(await send(true))).toBe('2 total, 1 applied, 0 unchanged, 0 rejected, 1 already applied');
  expect(await pets(shop)).toEqual(['Rex in 1, available', 'Tom in 2, available']);
});

testOnEveryStore('creates each category of the file once, regardless of case, accents and Unicode form', async (shop) => {
  const dogs = await shop.category('Dogs');
  const lines = ['name,category', 'Rex,dogs', 'Tom,Ñandúes', 'Tim,NANDUES', 'Tam,name:ñandúes', 'Guppy,Fish'];
  const report = await shop.shop.importPets(csv(...lines), { ...atomic, createCategories: true });
  expect(report).toMatchObject({ applied: 5, rejected: 0 });
  const { items } = await shop.call(listCategories, {});
  expect(items.map(({ name, pets: count }) => `${name}: ${count}`)).toEqual(['Dogs: 1', 'Ñandúes: 3', 'Fish: 1']);
  expect(items[0]?.id).toBe(dogs);
  expect((await shop.ledger({ batchId: 1, kind: ['category.created'] })).map(({ categoryId, line }) => [categoryId, line])).toEqual([
    [2, 3],
    [3, 6],
  ]);
});

testOnEveryStore('creates no category for a refused file or for a number', async (shop) => {
  const refused = await shop.shop.importPets(csv('name,category', 'Rex,Dogs', ' ,Dogs'), { ...atomic, createCategories: true });
  expect(refused).toMatchObject({ applied: 0, rejected: 1 });
  const numbers = await shop.shop.importPets(csv('name,category', 'Rex,7', 'Rex,007', 'Rex,9007199254740993', `Rex,${'x'.repeat(101)}`), {
    ...keepGoing,
    createCategories: true,
  });
  expect(faults(numbers)).toEqual(['2 unknown_category', '3 unknown_category', '4 unknown_category', '5 validation_failed']);
  expect((await shop.call(listCategories, {})).items).toEqual([]);
});

testOnEveryStore('creates no category for a row that keep-going leaves out', async (shop) => {
  const report = await shop.shop.importPets(csv('name,category', 'Rex,Dogs', ' ,Cats'), { ...keepGoing, createCategories: true });
  expect(report).toMatchObject({ applied: 1, rejected: 1 });
  expect((await shop.call(listCategories, {})).items.map(({ name }) => name)).toEqual(['Dogs']);
});

testOnEveryStore('refuses a name of two categories and lists the ids, unless one matches exactly', async (shop) => {
  for (const name of ['Dogs', 'Dogs', 'DOGS']) await shop.oldCategory(name);
  const report = await shop.shop.importPets(csv('name,category', 'Rex,Dogs', 'Max,DOGS', 'Tom,dogs'), keepGoing);
  expect(faults(report)).toEqual(['2 ambiguous_category', '4 ambiguous_category']);
  expect(report.errors.map(({ message }) => message).join(' ')).toMatch(/1 and 2\..*1, 2 and 3\./);
  expect(await pets(shop)).toEqual(['Max in 3, available']);
});

testOnEveryStore('refuses a deleted category by id and by name', async (shop) => {
  await shop.call(deleteCategory, { categoryId: await shop.category('Dogs') });
  const report = await shop.shop.importPets(csv('name,category', 'Rex,1', 'Max,Dogs'), keepGoing);
  expect(faults(report)).toEqual(['2 unknown_category', '3 unknown_category']);
});

testOnEveryStore('ignores unknown columns and reports them once', async (shop) => {
  await shop.category('Dogs');
  const named: (readonly string[])[] = [];
  const source = csv('id,name,category,Breed,Colour', '77,Rex,1,Hound,red', '78,Max,1,Hound,red');
  await shop.shop.importPets(source, { ...atomic, onIgnored: (columns) => named.push(columns) });
  expect(named).toEqual([['Breed', 'Colour']]);
  expect((await shop.call(listPets, {})).items.map(({ id }) => id)).toEqual([1, 2]);
});

testOnEveryStore('refuses a pet file without a name or category column', async (shop) => {
  await shop.expectRefusal('missing_column', () => shop.shop.importPets(csv('name,Species', 'Rex,Dog'), keepGoing), /category/);
  await shop.expectRefusal('missing_column', () => shop.shop.importPets(csv('Name of pet,category', 'Rex,1'), keepGoing), /name/);
  await shop.expectRefusal('empty_file', () => shop.shop.importPets(csv('name,category'), keepGoing), /no rows/);
});

testOnEveryStore('imports pets from JSON, with categories as ids or names', async (shop) => {
  await shop.category('Dogs');
  const rows = [
    { name: ' Ñandú '.normalize('NFD'), category: 1 },
    { name: 'Max', category: 'Dogs', quantity: 3 },
    { name: 7, category: 1 },
    { name: 'Tom', category: true },
  ];
  const report = await shop.shop.importPets(file(JSON.stringify(rows)), keepGoing);
  expect(report.errors.map(({ column, code }) => `${column} ${code}`)).toEqual(['name validation_failed', 'category validation_failed']);
  expect(await pets(shop)).toEqual([`${'Ñandú'.normalize('NFC')} in 1, available`, 'Max in 1, available']);
});

testOnEveryStore('imported pets have the low level of the store and write no low row', async (shop) => {
  await shop.category('Dogs');
  await shop.call(setLowDefault, { body: { lowAt: 2 } });
  await shop.shop.importPets(csv('name,category', 'Rex,1'), atomic);
  expect((await shop.call(listInventory, { low: true })).items.map(({ petId, lowAt }) => [petId, lowAt])).toEqual([[1, 2]]);
  expect(await shop.ledgerSummary({ batchId: 1 })).toEqual(['opening +1']);
});

testOnEveryStore('reports the id of each new pet', async (shop) => {
  await shop.pet({ categoryId: await shop.category('Dogs') });
  const told: unknown[] = [];
  const onRow = ({ line, petId, name, outcome }: RowResult): void => void told.push([line, petId, name, outcome]);
  const lines = ['name,category,status', 'Max,Dogs,', 'Tom,Nope,', 'Mia,Dogs,pending', ',Dogs,', 'Zoe,Dogs,'];
  const outcomes = [
    [2, 2, 'Max', 'applied'],
    [3, undefined, 'Tom', 'rejected'],
    [4, 3, 'Mia', 'applied'],
    [5, undefined, undefined, 'rejected'],
    [6, 4, 'Zoe', 'applied'],
  ];
  await shop.shop.importPets(csv(...lines), { ...keepGoing, onRow, dryRun: true });
  expect(told.splice(0)).toEqual(outcomes);
  await shop.shop.importPets(csv(...lines), { ...keepGoing, onRow });
  expect(told).toEqual(outcomes);
  const { items } = await shop.call(listPets, { id: [2, 3, 4] });
  expect(items.map(({ id, name }) => [id, name])).toEqual([
    [2, 'Max'],
    [3, 'Mia'],
    [4, 'Zoe'],
  ]);
});

testOnEveryStore('reports which category each category name was matched to', async (shop) => {
  await shop.call(createCategory, { body: { name: 'Dogs' } });
  const rows = ['A,NULL', 'B,null', 'C,True', 'D,true', 'E,TRUE', 'F,\u{1d403}\u{1d428}\u{1d420}\u{1d42c}', 'G, Dogs ', 'H,name:dogs', 'I,1'];
  const report = await shop.shop.importPets(csv('name,category', ...rows), { mode: 'atomic', createCategories: true, dryRun: true });
  const warnings = [
    [3, 'null', 'NULL'],
    [5, 'true', 'True'],
    [6, 'TRUE', 'True'],
    [7, '\u{1d403}\u{1d428}\u{1d420}\u{1d42c}', 'Dogs'],
    [9, 'dogs', 'Dogs'],
  ].map(([line, value, category]) => ({ line, value, message: `The category "${value}" was read as "${category}".` }));
  expect([report.applied, report.warnings, report.warningsOmitted]).toEqual([9, warnings, 0]);
  const exact = await shop.shop.importPets(csv('name,category', 'A,Dogs', 'B,1'), { mode: 'atomic' });
  expect('warnings' in exact).toBe(false);
});

testOnEveryStore('refuses a file with too many new categories', async (shop) => {
  const rows = Array.from({ length: 10_001 }, (_, index) => `A,kind ${index}\n`).join('');
  const bytes = file(`name,category\n${rows}`, {}, 1 << 16);
  await expectRefusal('validation_failed', shop.shop.importPets(bytes, { mode: 'atomic', createCategories: true }), /more than 10000 categories/);
});

testOnEveryStore('a pet import adds the codes of new pets, and refuses the pets whose codes are taken or damaged', async (shop) => {
  await shop.category('Fish');
  const lines = [
    'name,category,codes',
    'Guppy,Fish,4006381333931 10012345000017*20',
    'Molly,Nowhere,m1',
    'Tetra,Fish,',
    'Danio,Fish,ring-1 Ring-1 AB*20*1',
    'Betta,Fish,x1',
    'Barb,Fish,X1',
    'Koi,Fish,4.00638E+12',
    'Loach,Fish,c*0',
    'Perch,Fish,c*10001',
    'Pike,Fish,c*',
  ];
  const report = await shop.shop.importPets(csv(...lines), keepGoing);
  expect(report).toMatchObject({ applied: 3, rejected: 7 });
  expect(report.errors.map(({ line, code, message }) => [line, code, message])).toEqual([
    [3, 'unknown_category', expect.any(String)],
    [6, 'duplicate_row', 'The code x1 is also on line 7, and each row becomes a pet of its own.'],
    [7, 'duplicate_row', 'The code X1 is also on line 6, and each row becomes a pet of its own.'],
    [8, 'validation_failed', expect.stringContaining('a spreadsheet has rounded this code')],
    [9, 'validation_failed', 'codes "c*0" has c*0: after the code and * come the units of a carton, 1 to 10000.'],
    [10, 'validation_failed', expect.stringContaining('1 to 10000')],
    [11, 'validation_failed', expect.stringContaining('1 to 10000')],
  ]);
  const codes = async () => (await shop.call(listCodes, {})).items.map(({ code, petId, units }) => `${code} ${petId} ${units}`);
  expect(await codes()).toEqual(['4006381333931 1 1', '10012345000017 1 20', 'AB*20 3 1', 'ring-1 3 1']);
  const added = await shop.ledger({ batchId: 1, kind: ['code.added'] });
  expect(added.map(({ petId, line, source }) => [petId, line, source])).toEqual([
    [1, 2, 'import'],
    [1, 2, 'import'],
    [3, 5, 'import'],
    [3, 5, 'import'],
  ]);
  expect((await shop.ledger({ batchId: 1 })).map(({ kind }) => kind)).toEqual([...Array<string>(3).fill('opening'), ...added.map(({ kind }) => kind)]);
  expect(await shop.ledger({ kind: ['code.added'], actor: added[0]?.actor ?? '' })).toHaveLength(4);
  const taken = await shop.shop.importPets(csv('name,category,codes', 'Platy,Fish,n1 04006381333931', 'Rasbora,Fish,n2'), keepGoing);
  expect(taken.errors.map(({ line, code, message }) => [line, code, message])).toEqual([[2, 'code_taken', 'The code 4006381333931 belongs to Guppy (pet 1).']]);
  expect(taken.conflictsOnly).toBe(true);
  expect((await codes()).slice(-2)).toEqual(['n2 4 1', 'ring-1 3 1']);
  const damaged = await shop.shop.importPets(csv('name,category,codes', 'Tetra,Fish,12345678905 4006381333932'), { ...keepGoing, dryRun: true });
  expect(damaged.warnings?.map(({ line, value }) => [line, value])).toEqual([
    [2, '12345678905'],
    [2, '4006381333932'],
  ]);
  expect(await brokenInvariants(shop)).toEqual([]);
});
