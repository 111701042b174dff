import { expect } from 'vitest';
import { addCode } from '../../src/domain/codes/add-code.js';
import { ownNumber } from '../../src/domain/codes/gtin.js';
import { listCodes } from '../../src/domain/codes/list-codes.js';
import { removeCode } from '../../src/domain/codes/remove-code.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { localShop } from '../../src/storage/shop.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { csv, file } from '../support/files.js';
import { brokenInvariants } from '../support/invariants.js';
import { testOnEveryEngine, testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { later, undo, undoable } from '../support/undo.js';

/** Two pets of ten units: one with a barcode, a UPC and a carton of 20, and one without codes. */
async function coded(shop: TestShop): Promise<readonly [number, number]> {
  const [first, second] = [await shop.pet({ quantity: 10 }), await shop.pet({ quantity: 10 })];
  for (const [code, units] of [
    ['4006381333931', 1],
    ['012345678905', 1],
    ['10012345000017', 20],
  ] as const)
    await shop.call(addCode, { petId: first, body: { code, units } });
  return [first, second];
}

testOnEveryStore('imports stock by codes, of which a carton counts its units, and by the numbers of the shop', async (shop) => {
  const [first, second] = await coded(shop);
  const rows = `code,delta\n04006381333931,1\n10012345000017,3\n${ownNumber(second)},-2\n0012345678905,1\n`;
  const report = await shop.shop.importStock(csv(rows), { mode: 'atomic', match: 'code' });
  expect([report.applied, report.rejected, report.multiplied]).toEqual([4, 0, 1]);
  expect([await shop.stockSummary(first), await shop.stockSummary(second)]).toEqual(['72 on hand, 0 reserved, available', '8 on hand, 0 reserved, available']);
});

testOnEveryStore('plain lines of codes and numbers are read as the same lines with quotes', async (shop) => {
  const [first, second] = await coded(shop);
  const own = ownNumber(second) ?? '';
  const cells = ['4006381333931', '04006381333931', '004006381333931', '4006381333932', '12345678905', '012345678905', '0012345678905', '10012345000017'];
  // No cell with a marker: it would make cells of the whole block.
  const others = [own, `0${own}`, '-4006381333931', '5901234123457', '0400000000008', '400638', 'x', ''];
  const figures = ['1,', '-1,', '0,', '2147483647,', '300000,', ',', 'x,', '1,10', '1,11', '1,-1'];
  const rows = [...cells, ...others].flatMap((code) => figures.map((one) => [code, one] as const));
  // The rows that come with the header are read by their cells; a line of white space is blank.
  const top = `code,delta,expected\n4006381333931,1,\n${'\v'.repeat(66_000)}\n`;
  const plain = `${top}${rows.map((row) => row.join(',')).join('\n')}\n`;
  const quoted = `${top}${rows.map(([code, one]) => `"${code}",${one}`).join('\n')}\n`;
  for (const match of ['code', undefined] as const) {
    const read = async (text: string) => shop.shop.importStock(csv(text), { mode: 'keep-going', ...(match && { match }), dryRun: true });
    const report = await read(plain);
    expect(report).toEqual(await read(quoted));
    expect([report.total, report.multiplied]).toEqual([rows.length + 1, 5]);
  }
  await shop.shop.importStock(csv(`${top}04006381333931,2,\n10012345000017,3,\n${own},4,\n`), { mode: 'atomic', match: 'code' });
  expect([await shop.stockSummary(first), await shop.stockSummary(second)]).toEqual(['73 on hand, 0 reserved, available', '14 on hand, 0 reserved, available']);
});

testOnEveryStore('counts of codes are compared with what is expected in units, and a JSON file may have codes as numbers', async (shop) => {
  const [first] = await coded(shop);
  const json = (rows: unknown) => file(JSON.stringify(rows));
  const counted = await shop.shop.importStock(json([{ code: 10012345000017, quantity: 2, expected: 10 }]), { mode: 'atomic', match: 'code' });
  expect(counted.applied).toBe(1);
  expect(await shop.stockSummary(first)).toBe('40 on hand, 0 reserved, available');
  const again = await shop.shop.importStock(json([{ code: '10012345000017', quantity: 1, expected: 10 }]), { mode: 'atomic', match: 'code' });
  expect(again.errors.map(({ message }) => message)).toEqual([`Pet ${first} has 40 on hand, expected 10.`]);
});

testOnEveryStore('rows with unknown or damaged codes are refused with the reason, and two codes of one pet in a count', async (shop) => {
  const [first] = await coded(shop);
  const cells = ['5901234123457', '6.93E+12', '12345678905', '', 'a b'];
  const report = await shop.shop.importStock(csv(`code,quantity\n${cells.map((cell) => `${cell},1`).join('\n')}\n4006381333931,5\n012345678905,6\n`), {
    mode: 'keep-going',
    match: 'code',
    dryRun: true,
  });
  expect(report.errors.map(({ line, code, message }) => [line, code, message])).toEqual([
    [2, 'unknown_code', 'code "5901234123457" is not the code of a pet.'],
    [3, 'unknown_code', 'code "6.93E+12" is no code: a spreadsheet has rounded this code; format the column as text.'],
    [4, 'unknown_code', `code "12345678905" is not the code of a pet; with a leading zero it is the code of pet ${first}.`],
    [5, 'unknown_code', 'code "" is not the code of a pet.'],
    [6, 'unknown_code', 'code "a b" is not the code of a pet.'],
    [7, 'duplicate_row', expect.any(String)],
    [8, 'duplicate_row', expect.any(String)],
  ]);
  const tooMany = await shop.shop.importStock(csv('code,quantity\n10012345000017,2000000000\n'), { mode: 'keep-going', match: 'code', dryRun: true });
  expect(tooMany.errors[0]?.message).toBe('quantity "2000000000" times 20 units is not between 0 and 2147483647.');
});

testOnEveryStore('a file with a column code needs no choice, a row with an id is found by that, and a cell may say what it is', async (shop) => {
  const [first, second] = await coded(shop);
  const rows = `petId,code,delta\n,10012345000017,1\n${second},4006381333931,2\ncode:4006381333931,,3\nid:${second},,4\n`;
  const report = await shop.shop.importStock(csv(rows), { mode: 'atomic' });
  expect([report.applied, report.errors]).toEqual([4, []]);
  expect([await shop.stockSummary(first), await shop.stockSummary(second)]).toEqual(['33 on hand, 0 reserved, available', '16 on hand, 0 reserved, available']);
  const alone = csv('code,delta\n4006381333931,1\n');
  expect((await shop.shop.importStock(alone, { mode: 'atomic' })).applied).toBe(1);
  // The same file, whose rows were chosen by their codes before.
  expect((await shop.shop.importStock(csv('code,delta\n4006381333931,1\n'), { mode: 'atomic', match: 'code' })).alreadyApplied).toBe(1);
  const wrong = await shop.shop.importStock(csv('petId,delta\ncode:5901234123457,1\nname:Nobody,1\nid:x,1\n'), { mode: 'atomic', dryRun: true });
  expect(wrong.errors.map(({ line, column, code, message }) => [line, column, code, message])).toEqual([
    [2, 'petId', 'unknown_code', 'petId "code:5901234123457" is not the code of a pet.'],
    [3, 'petId', 'unknown_pet', 'petId "name:Nobody" is not the name of a pet.'],
    [4, 'petId', 'invalid_pet_id', 'petId "id:x" is not the id of a pet.'],
  ]);
});

const codesOf = async ({ call }: TestShop): Promise<readonly string[]> =>
  (await call(listCodes, {})).items.map(({ code, petId, units }) => `${code} ${petId} ${units}`);

testOnEveryStore('an import of codes adds them in one batch, changes nothing twice, and is undone as a whole', async (shop) => {
  const [first, second] = await coded(shop);
  const before = await codesOf(shop);
  const rows = () =>
    csv(
      'petId,code,units',
      `${second},5901234123457,`,
      `${second},Ring-7,`,
      `${first},96385074,12`,
      `${first},04006381333931,1`,
      `${second},ring-7,1`,
      `${second},,`,
    );
  const dry = await shop.shop.importCodes(rows(), { mode: 'atomic', dryRun: true });
  expect([dry.batch, dry.applied, await codesOf(shop)]).toEqual([null, 3, before]);
  const report = await later(shop, () => shop.shop.importCodes(rows(), { mode: 'atomic' }));
  expect(report).toMatchObject({ batch: 1, total: 6, applied: 3, unchanged: 3, rejected: 0 });
  expect(await codesOf(shop)).toEqual([`96385074 ${first} 12`, ...before.slice(0, 2), `5901234123457 ${second} 1`, before[2], `Ring-7 ${second} 1`]);
  const entries = await shop.ledger({ batchId: 1, kind: ['code.added'] });
  expect(entries.map(({ petId, line, source, current }) => [petId, line, source, current?.code])).toEqual([
    [second, 2, 'import', '5901234123457'],
    [second, 3, 'import', 'Ring-7'],
    [first, 4, 'import', '96385074'],
  ]);
  expect(await shop.shop.importCodes(rows(), { mode: 'atomic' })).toMatchObject({ applied: 0, unchanged: 6 });
  // Later changes are kept: the ring that was taken off, and given to another pet.
  await later(shop, () => shop.call(removeCode, { code: 'RING-7' }));
  await later(shop, () => shop.call(addCode, { petId: first, body: { code: 'Ring-7' } }));
  expect(await undoable(shop)).toContain('import 1');
  const { batch, rows: undone } = await later(shop, () => shop.shop.undoBatch(1, {}));
  expect([batch.state, undone]).toEqual(['undone', 2]);
  expect(await codesOf(shop)).toEqual([...before, `Ring-7 ${first} 1`]);
  expect((await shop.ledger({ batchId: 1 })).map(({ kind }) => kind)).toEqual([...entries.map(({ kind }) => kind), 'code.removed', 'code.removed']);
  await expectRefusal('already_undone', shop.shop.undoBatch(1, {}));
  await undo(shop);
  expect(await codesOf(shop)).toEqual(before);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('undoing an import of codes leaves a code that was removed and added again since', async (shop) => {
  const pet = await shop.pet();
  await shop.shop.importCodes(csv('petId,code', `${pet},a1`, `${pet},a2`, `${pet},a3`), { mode: 'atomic' });
  await shop.call(removeCode, { code: 'a1' });
  await shop.call(addCode, { petId: pet, body: { code: 'a1' } });
  await later(shop, () => shop.call(removeCode, { code: 'a2' }));
  // The undo of the removal gives the import its code back.
  await undo(shop);
  expect((await later(shop, () => shop.shop.undoBatch(1, {}))).rows).toBe(2);
  expect((await shop.call(listCodes, {})).items.map(({ code }) => code)).toEqual(['a1']);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('an import is refused if a code or a name that it used was taken from its pet before it was applied', async (shop) => {
  const [first, second] = await coded(shop);
  const move = async (): Promise<void> => {
    const { code, petId } = await shop.call(removeCode, { code: '4006381333931' });
    await shop.call(addCode, { petId: petId === first ? second : first, body: { code } });
  };
  const byCode = (code: string) => csv('code,delta', `${code},1`);
  await expectRefusal(
    'store_busy',
    shop.shop.importStock(byCode('4006381333931'), { mode: 'atomic', match: 'code', onPreview: move }),
    /of pet \d+ was changed/,
  );
  await shop.call(updatePet, { petId: second, body: { name: 'Solo' } });
  const rename = async (): Promise<void> => {
    await shop.call(updatePet, { petId: second, body: { name: 'Other' } });
    await shop.call(updatePet, { petId: first, body: { name: 'Solo' } });
  };
  await expectRefusal('store_busy', shop.shop.importStock(csv('name,delta', 'Solo,1'), { mode: 'atomic', match: 'name', onPreview: rename }), /of pet/);
  expect(await shop.stockSummary(second)).toBe('10 on hand, 0 reserved, available');
  // Codes of pets that the file does not name, and files with ids, are not affected.
  const other = await shop.shop.importStock(csv('petId,delta', `${second},1`), { mode: 'atomic', onPreview: move });
  expect(other.applied).toBe(1);
});

testOnEveryEngine('what changed since the preview of an import is looked for before the shop is locked', async (shop) => {
  const [first, second] = await coded(shop);
  const write = async (): Promise<never> => {
    throw new Error('The shop was locked.');
  };
  const reading = localShop({ ...shop.engine, write }, { actor: 'ana', source: 'http', clock: shop.clock.now }, '');
  const from = (previewedAt: number) => reading.importStock(csv('code,delta', '4006381333931,1'), { mode: 'atomic', match: 'code', previewedAt });
  // The first entries of the shop include those of the codes.
  await expectRefusal('store_busy', from(0), new RegExp(`of pet ${first} was changed`));
  await shop.call(addCode, { petId: second, body: { code: 'ring' } });
  const id = (await shop.ledger()).at(-1)?.id ?? 0;
  await expect(from(id)).rejects.toThrow('The shop was locked.');
});

testOnEveryEngine('an import of codes is refused if a name that it used was taken from its pet before it was applied', async (shop) => {
  const [first, second] = await coded(shop);
  await shop.call(updatePet, { petId: first, body: { name: 'Solo' } });
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(`name,code\n${Array.from({ length: 20_000 }, (_, index) => `Solo,s${index}\n`).join('')}`);
    await shop.call(updatePet, { petId: first, body: { name: 'Other' } });
    await shop.call(updatePet, { petId: second, body: { name: 'Solo' } });
    yield Buffer.from('\n');
  };
  await expectRefusal('store_busy', shop.shop.importCodes({ bytes: bytes(), format: 'csv', map: new Map() }, { mode: 'atomic' }), /of pet \d+ was changed/);
  expect((await shop.call(listCodes, { code: 's1' })).items).toEqual([]);
});

testOnEveryStore('a code that a file gives to two pets is added to neither, also where a row is repeated', async (shop) => {
  const [first, second] = await coded(shop);
  const rows = [`${first},a1`, `${first},A1`, `${second},a1`, `${first},a1`, `${second},a2`, `${second},A2`];
  const report = await shop.shop.importCodes(csv('petId,code', ...rows), { mode: 'keep-going' });
  expect(report).toMatchObject({ applied: 1, unchanged: 1, rejected: 4 });
  expect(report.errors.map(({ line, message }) => [line, message])).toEqual([
    [2, 'The code a1 is also on line 4, for another pet.'],
    [3, 'The code A1 is also on line 4, for another pet.'],
    [4, 'The code a1 is also on line 2, for another pet.'],
    [5, 'The code a1 is also on line 4, for another pet.'],
  ]);
});

testOnEveryStore('an import of codes refuses each wrong row with the reason, and with a key adds the rest once', async (shop) => {
  const [first, second] = await coded(shop);
  const rows = () =>
    csv(
      'petId,name,code,units',
      `99,,a1,`,
      `,Nobody,a2,`,
      `${second},,4006381333931,`,
      `${second},,4.00638E+12,`,
      `${second},,a b,`,
      `${second},,a3,0`,
      `${second},,a4,`,
      `${first},,A4,`,
      `${second},,12345678905,`,
      `code:4006381333931,,a5,`,
      `${first},,4006381333932,`,
    );
  const all = await shop.shop.importCodes(rows(), { mode: 'atomic', key: 'K' });
  expect(all).toMatchObject({ applied: 0, rejected: 8 });
  expect(all.errors.map(({ line, code, message }) => [line, code, message])).toEqual([
    [2, 'unknown_pet', 'There is no pet 99.'],
    [3, 'unknown_pet', 'name "Nobody" is not the name of a pet.'],
    [4, 'code_taken', expect.stringMatching(/^The code 4006381333931 belongs to .+ \(pet \d+\)\.$/)],
    [5, 'validation_failed', 'code "4.00638E+12" is no code: a spreadsheet has rounded this code; format the column as text.'],
    [6, 'validation_failed', 'code "a b" must not contain white space or invisible characters.'],
    [7, 'invalid_quantity', 'units "0" is not between 1 and 10000.'],
    [8, 'duplicate_row', 'The code a4 is also on line 9, for another pet.'],
    [9, 'duplicate_row', 'The code A4 is also on line 8, for another pet.'],
  ]);
  expect(all.warnings?.map(({ line, value }) => [line, value])).toEqual([
    [10, '12345678905'],
    [12, '4006381333932'],
  ]);
  const some = await shop.shop.importCodes(rows(), { mode: 'keep-going', key: 'K' });
  expect(some).toMatchObject({ applied: 3, rejected: 8 });
  await shop.call(removeCode, { code: 'a5' });
  expect(await shop.shop.importCodes(rows(), { mode: 'keep-going', key: 'K' })).toMatchObject({ applied: 0, alreadyApplied: 3 });
  const many = csv('petId,code', ...Array.from({ length: 100 }, (_, index) => `${second},m${index}`));
  expect((await shop.shop.importCodes(many, { mode: 'keep-going' })).errors.map(({ line, message }) => [line, message])).toEqual([
    [101, `Pet ${second} has 100 codes, the most of one pet.`],
  ]);
  expect(await brokenInvariants(shop)).toEqual([]);
});
