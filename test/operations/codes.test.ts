import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { addCode } from '../../src/domain/codes/add-code.js';
import { codeKey } from '../../src/domain/codes/code.js';
import { getCode } from '../../src/domain/codes/get-code.js';
import { gtinKey, ownNumber, petOfOwnNumber, scannedText } from '../../src/domain/codes/gtin.js';
import { listCodes } from '../../src/domain/codes/list-codes.js';
import { removeCode } from '../../src/domain/codes/remove-code.js';
import { listCountPets } from '../../src/domain/counts/list-count-pets.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { listInventory } from '../../src/domain/inventory/list-inventory.js';
import { listLedger } from '../../src/domain/ledger/list-ledger.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPetDetails } from '../../src/domain/pets/get-pet-details.js';
import { identifyPet } from '../../src/domain/pets/identify-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { brokenInvariants } from '../support/invariants.js';
import { itemsOf } from '../support/pages.js';
import { testOnEveryStore } from '../support/stores.js';
import type { TestShop } from '../support/test-shop.js';
import { later, undo } from '../support/undo.js';

const ean = '4006381333931';

async function namedPet(shop: TestShop, name: string, codes?: string): Promise<number> {
  const { items } = await shop.call(listPets, { limit: 1 });
  const categoryId = items[0]?.categoryId ?? (await shop.call(createCategory, { body: { name: 'Fish' } })).id;
  return (await shop.call(createPet, { body: { name, categoryId }, codes })).id;
}

const added = (shop: TestShop, petId: number, code: string, units?: number) => shop.call(addCode, { petId, body: { code, ...(units && { units }) } });

test.each([
  [ean, '04006381333931', 'an EAN-13 equals itself with 14 digits'],
  ['012345678905', '0012345678905', 'a UPC-A equals the EAN-13 with a leading zero'],
  ['96385074', '0000096385074', 'an EAN-8 equals the EAN-13 with zeros'],
  ['abc-1', 'ABC-1', 'another code equals itself in any case'],
  ['Å1', 'Å1', 'and in any normal form'],
])('codes: %s and %s are equal: %s', (left, right) => {
  expect(codeKey(left.normalize('NFC'))).toBe(codeKey(right.normalize('NFC')));
});

test.each([
  ['4006381333930', '04006381333930'],
  ['123', '0123'],
  ['12345', '012345'],
])('codes: %s and %s are different, because neither is a GTIN', (left, right) => {
  expect(gtinKey(left)).toBeUndefined();
  expect(codeKey(left)).not.toBe(codeKey(right));
});

test.each([
  [`]E0${ean}`, ean],
  [`]C0A-17`, 'A-17'],
  [']C10104006381333931', '04006381333931'],
  [']C1112601010104006381333931', '04006381333931'],
  [']d210ABC123\u001d0104006381333931', '04006381333931'],
  [']Q30104006381333931\u001d10ABC', '04006381333931'],
  [']C110ABC123', '10ABC123'],
  [` ${ean}\r`, ean],
])('codes: the scan %j is the code %s', (scan, code) => {
  expect(scannedText(scan)).toBe(code);
});

test("codes: the shop's own number of a pet is an EAN-13 that leads to it; ids above ten digits have none", () => {
  expect(ownNumber(13)).toBe('2000000000138');
  for (const id of [1, 13, 999, 9_999_999_999]) expect(petOfOwnNumber(gtinKey(ownNumber(id) ?? '') ?? '')).toBe(id);
  expect(ownNumber(10_000_000_000)).toBeUndefined();
  expect(petOfOwnNumber(gtinKey(ean) ?? '')).toBeUndefined();
});

testOnEveryStore('a code belongs to one pet, is found in any form, and is kept as it was entered', async (shop) => {
  const [guppy, tetra] = [await namedPet(shop, 'Guppy'), await namedPet(shop, 'Tetra', `${ean} Ring-7`)];
  expect(await added(shop, guppy, '012345678905', 20)).toEqual({ code: '012345678905', petId: guppy, units: 20 });
  expect(await shop.call(getCode, { code: '0012345678905' })).toEqual({ code: '012345678905', petId: guppy, units: 20 });
  expect(await shop.call(getCode, { code: 'RING-7' })).toEqual({ code: 'Ring-7', petId: tetra, units: 1 });
  await expect(added(shop, guppy, `0${ean}`)).rejects.toMatchObject({ code: 'code_taken', message: `The code ${ean} belongs to Tetra (pet ${tetra}).` });
  await expect(added(shop, guppy, '0012345678905', 5)).rejects.toMatchObject({ code: 'code_taken' });
  expect((await shop.call(getPetDetails, { petId: tetra })).codes).toEqual([
    { code: ean, units: 1 },
    { code: 'Ring-7', units: 1 },
  ]);
  expect((await shop.call(listPets, { code: `]E0${ean}` })).items.map(({ id }) => id)).toEqual([tetra]);
  // The same code with the same units again changes nothing.
  const entries = async () => (await shop.call(listLedger, {})).items.length;
  const before = await entries();
  expect(await added(shop, guppy, '0012345678905', 20)).toEqual({ code: '012345678905', petId: guppy, units: 20 });
  expect(await entries()).toBe(before);
});

testOnEveryStore('codes are listed by pages, and of one pet', async (shop) => {
  const pets = [await namedPet(shop, 'Guppy', 'a1 a2 a3'), await namedPet(shop, 'Tetra', 'A0 b1')];
  const codes = await itemsOf((cursor) => shop.call(listCodes, { limit: 2, cursor }));
  expect(codes.map(({ code }) => code)).toEqual(['A0', 'a1', 'a2', 'a3', 'b1']);
  const ofOne = await shop.call(listCodes, { petId: [pets[1] ?? 0], sort: '-code', count: true });
  expect([ofOne.items.map(({ code }) => code), ofOne.total]).toEqual([['b1', 'A0'], 2]);
});

test.each([
  ['a b', 'must not contain white space'],
  ['a\u200bb', 'must not contain white space or invisible characters'],
  ['a\u00adb', 'invisible characters'],
  ['x'.repeat(65), 'must be at most 64 characters'],
  ['a\u0007b', 'control characters'],
  ['', 'must not be blank'],
  ['name:Rex', 'must not begin with'],
  ['6.93E+12', 'a spreadsheet has rounded this code'],
])('codes: %j is refused', async (code, reason) => {
  const { codeText } = await import('../../src/domain/codes/code.js');
  const { safeParse } = await import('valibot');
  const [issue] = safeParse(codeText, code).issues ?? [];
  expect(issue?.message).toContain(reason);
});

testOnEveryStore('adding and removing a code, and deleting a pet with codes, can be undone', async (shop) => {
  const petId = await namedPet(shop, 'Guppy');
  const codes = async () => (await shop.call(listCodes, {})).items;
  await later(shop, () => added(shop, petId, ean, 20));
  await later(shop, () => undo(shop));
  expect(await codes()).toEqual([]);
  await later(shop, () => added(shop, petId, ean, 20));
  const before = await codes();
  await later(shop, () => shop.call(removeCode, { code: ean }));
  await later(shop, () => undo(shop));
  expect(await codes()).toEqual(before);
  await later(shop, () => shop.call(deletePet, { petId }));
  expect(await codes()).toEqual([]);
  await later(shop, () => undo(shop));
  expect(await codes()).toEqual(before);
  expect(await brokenInvariants(shop)).toEqual([]);
});

testOnEveryStore('a code that was freed and taken since is named where an undo would bring it back', async (shop) => {
  const [guppy, tetra] = [await namedPet(shop, 'Guppy', ean), await namedPet(shop, 'Tetra')];
  await later(shop, () => shop.call(removeCode, { code: ean }));
  await later(shop, () => shop.shopOf('ben').call(addCode, { petId: tetra, body: { code: ean } }));
  await expect(undo(shop)).rejects.toMatchObject({ code: 'code_taken', message: `The code ${ean} belongs to Tetra (pet ${tetra}).` });
  expect((await shop.call(getPetDetails, { petId: guppy })).codes).toEqual([]);
});

testOnEveryStore('the codes of a new pet are written as in a file: of a carton the code, * and its units', async (shop) => {
  const petId = await namedPet(shop, 'Guppy', `${ean} 10012345000017*20 ${ean}`);
  const { items } = await shop.call(listCodes, {});
  expect(items).toEqual([
    { code: ean, petId, units: 1 },
    { code: '10012345000017', petId, units: 20 },
  ]);
  await shop.expectRefusal('invalid_parameter', () => namedPet(shop, 'Tetra', 'a1*x'), /codes: has a1\*x: after the code and \* come the units/);
});

testOnEveryStore('a pet has at most 100 codes', async (shop) => {
  const codes = Array.from({ length: 100 }, (_, index) => `c${index}`).join(' ');
  const petId = await namedPet(shop, 'Guppy', codes);
  await expect(added(shop, petId, 'one-more')).rejects.toMatchObject({ code: 'validation_failed' });
});

testOnEveryStore('a search finds a part of a name, an id, a code and the own number of a pet, in every list of pets', async (shop) => {
  const [guppy, tetra] = [await namedPet(shop, 'Guppy', `${ean} Ring-7`), await namedPet(shop, 'Tetra', '77')];
  const snail = await namedPet(shop, `Snail ${tetra}77`);
  const { id: countId } = await shop.call(startCount, { body: {} });
  for (const [q, ids] of [
    [String(guppy), [guppy]],
    [String(tetra), [tetra, snail]],
    [` ${tetra} `, [tetra]],
    ['77', [tetra, snail]],
    [ean, [guppy]],
    [`]E0${ean}`, [guppy]],
    ['ring-7', [guppy]],
    ['Ring', []],
    [ownNumber(snail) ?? '', [snail]],
    [`0${guppy}`, []],
    [`-${guppy}`, []],
    ['9007199254740993', []],
    ['99999999999999999999', []],
  ] as const) {
    expect({ q, ids: (await shop.call(listPets, { q })).items.map(({ id }) => id) }).toEqual({ q, ids });
    expect((await shop.call(listPets, { q, count: true })).total).toBe(ids.length);
    for (const at of [undefined, '2030-01-01'])
      expect({ q, at, ids: (await shop.call(listInventory, { q, at })).items.map(({ petId }) => petId) }).toEqual({ q, at, ids });
    expect({ q, ids: (await shop.call(listCountPets, { countId, q })).items.map(({ petId }) => petId) }).toEqual({ q, ids });
  }
});

testOnEveryStore('what a text means: an id, a code or a name', async (shop) => {
  const guppy = await namedPet(shop, 'Guppy', `${ean} 012345678905 Ring-7`);
  const tetra = await namedPet(shop, 'Tetra', String(guppy));
  const crab = await namedPet(shop, 'Ring-8', 'guppy-x');
  const carton = await added(shop, guppy, '10012345000017', 20);
  const named = await namedPet(shop, 'x-1');
  await added(shop, crab, 'X-1');
  const means = async (text: string) => {
    const { petId, units } = await shop.call(identifyPet, { text });
    return units === 1 ? petId : `${petId}×${units}`;
  };
  for (const [text, petId] of [
    [`id:${tetra}`, tetra],
    [String(tetra), tetra],
    [ean, guppy],
    [`0${ean}`, guppy],
    [`]E0${ean}`, guppy],
    [']C1112601010104006381333931', guppy],
    ['0012345678905', guppy],
    ['ring-7', guppy],
    ['code:Ring-7', guppy],
    ['name:Ring-8', crab],
    ['ring-8', crab],
    [carton.code, `${guppy}×20`],
    [ownNumber(tetra) ?? '', tetra],
    [`code:${ownNumber(tetra)}`, tetra],
    [`code:${guppy}`, tetra],
    [`id:${guppy}`, guppy],
    ['name:x-1', named],
    ['code:x-1', crab],
    ['999999', 999_999],
  ] as const)
    expect([text, await means(text)]).toEqual([text, petId]);
  for (const [text, code, message] of [
    [String(guppy), 'ambiguous_pet', `${guppy} is the id of Guppy (pet ${guppy}) and a code of Tetra (pet ${tetra}); write id:${guppy} or code:${guppy}.`],
    ['x-1', 'ambiguous_pet', `"x-1" is a code of Ring-8 (pet ${crab}) and the name of pet ${named}; write code:x-1 or the id.`],
    [
      '12345678905',
      'pet_not_found',
      `There is no pet 12345678905. With a leading zero it is the code of Guppy (pet ${guppy}); spreadsheets drop leading zeros.`,
    ],
    ['5901234123457', 'pet_not_found', 'There is no pet with the id or the code 5901234123457.'],
    ['6.93E+12', 'pet_not_found', '6.93E+12 is no code: a spreadsheet has rounded this code; format the column as text.'],
    ['code:nope', 'code_not_found', 'There is no code nope.'],
    ['nope', 'pet_not_found', 'There is no pet named "nope".'],
    [ownNumber(999) ?? '', 'pet_not_found', 'There is no pet with the id or the code 2000000009995.'],
  ] as const)
    await expect(means(text)).rejects.toMatchObject({ code, message });
});
