import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { pluralize, fold, joinItems } from '../../src/domain/values/text.js';
import { testOnEveryStore } from '../support/stores.js';
import { csv } from '../support/files.js';

const dog = '🐕';
const family = '👩‍👧';
const persian = 'می‌خواهم';

testOnEveryStore('stores a name trimmed and in Unicode form NFC', async ({ call, category }) => {
  const categoryId = await category();
  const { id, name } = await call(createPet, { body: { name: '  Ñandú\t'.normalize('NFD'), categoryId } });
  expect(name).toBe('Ñandú'.normalize('NFC'));
  expect((await call(listPets, { id: [id] })).items[0]?.name).toBe('Ñandú'.normalize('NFC'));
});

testOnEveryStore('a name has 1 to 100 code points, regardless of bytes and code units', async ({ call, category, expectRefusal }) => {
  const categoryId = await category();
  const create = (name: string) => () => call(createPet, { body: { name, categoryId } });
  for (const letter of ['a', 'é', dog]) {
    expect((await create(letter.repeat(100))()).name).toBe(letter.repeat(100));
    await expectRefusal('validation_failed', create(letter.repeat(101)), /name: must be at most 100 characters, not 101/);
  }
  expect((await create('é'.normalize('NFD').repeat(100))()).name).toBe('é'.repeat(100));
  expect((await create(` ${'a'.repeat(100)} `)()).name).toBe('a'.repeat(100));
  for (const blank of ['', ' ', '\t\n', '\u00a0', '\ufeff']) await expectRefusal('validation_failed', create(blank), /name: must not be blank/);
});

const controls = ['\0', '\u0007', '\u001b[31m', 'a\nb', 'a\rb', 'a\tb', '\u007f', '\u0085x', 'x\u009f'];
const bidi = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

testOnEveryStore('control characters and bidi controls are refused in every text', async ({ call, pet, expectRefusal }) => {
  const petId = await pet();
  const says = /must not contain control characters or bidi controls/;
  for (const text of [...controls, ...bidi].map((unsafe) => `a${unsafe}b`)) {
    await expectRefusal('validation_failed', () => call(updatePet, { petId, body: { name: text } }), says);
    await expectRefusal('validation_failed', () => call(createCategory, { body: { name: text } }), says);
    await expectRefusal('validation_failed', () => call(createCategory, { body: { name: 'Dogs', description: text } }), says);
    await expectRefusal('validation_failed', () => call(adjustInventory, { petId, body: { delta: 1, note: text } }), says);
  }
});

const invisible = ['\u200b', '\u2060', '\u00ad', '\u3164', '\u115f', '\u2800', '\ufe0f', '\u200e', '\u061c', '\u{e0061}', '\ufff9', '\u200b \u2060\u200d'];

testOnEveryStore('refuses a text of invisible characters in every field', async ({ call, shop, pet, category, expectRefusal }) => {
  const categoryId = await category();
  const petId = await pet({ categoryId });
  const says = /must contain at least one visible character/;
  for (const text of invisible) {
    await expectRefusal('validation_failed', () => call(createPet, { body: { name: text, categoryId } }), says);
    await expectRefusal('validation_failed', () => call(updatePet, { petId, body: { name: text } }), says);
    await expectRefusal('validation_failed', () => call(createCategory, { body: { name: text } }), says);
    await expectRefusal('validation_failed', () => call(createCategory, { body: { name: 'Cats', description: text } }), says);
    await expectRefusal('validation_failed', () => call(adjustInventory, { petId, body: { delta: 1, note: text } }), says);
    const report = await shop.importPets(csv('name,category,quantity', `${text},${categoryId},1`, `Rex,${text},1`), { mode: 'atomic', createCategories: true });
    expect(report.errors.map(({ line, message }) => [line, says.test(message)])).toEqual([
      [2, true],
      [3, true],
    ]);
  }
});

testOnEveryStore('accepts joiners, combining marks and all scripts', async ({ call, category }) => {
  const categoryId = await category();
  for (const name of [family, persian, 'a\u200bb', '\u200eabc', '狗', 'كلب', 'Ṩ\u0323x'.normalize('NFC')]) {
    expect((await call(createPet, { body: { name, categoryId } })).name).toBe(name);
  }
});

testOnEveryStore('refuses an unpaired surrogate', async ({ call, category, expectRefusal }) => {
  const categoryId = await category();
  for (const name of ['\ud83d', 'a\udc15', `${dog}\ud83d`]) {
    await expectRefusal('validation_failed', () => call(createPet, { body: { name, categoryId } }), /name: must be well-formed/);
  }
});

testOnEveryStore('a description has up to 500 code points and may be empty', async ({ call, expectRefusal }) => {
  const create = (name: string, description: string) => () => call(createCategory, { body: { name, description } });
  expect((await create('Dogs', dog.repeat(500))()).description).toBe(dog.repeat(500));
  expect((await create('Cats', '')()).description).toBe('');
  await expectRefusal('validation_failed', create('Fish', dog.repeat(501)), /description: must be at most 500 characters, not 501/);
});

testOnEveryStore('a note has up to 500 code points', async ({ call, pet, expectRefusal, ledger }) => {
  const petId = await pet();
  const adjust = (note: string) => () => call(adjustInventory, { petId, body: { delta: 1, note } });
  await adjust(dog.repeat(500))();
  expect((await ledger({ petId })).at(-1)?.note).toBe(dog.repeat(500));
  await expectRefusal('validation_failed', adjust(dog.repeat(501)), /note: must be at most 500 characters, not 501/);
});

testOnEveryStore('search matches anywhere in a name, regardless of case, accents and Unicode form', async ({ call, pet }) => {
  const names = ['Ñandú', 'NANDU 2', 'Straße', 'STRASSE', 'Οδυσσεύς', 'İzmir', 'Ångström', 'Cafe\u0301'];
  for (const name of names) await pet({ name });
  const found = async (q: string): Promise<readonly string[]> => (await call(listPets, { q })).items.map(({ name }) => name);
  for (const q of ['ñan', 'NAN', 'Ñan'.normalize('NFD'), 'nandu']) expect(await found(q)).toEqual(['Ñandú', 'NANDU 2']);
  for (const q of ['strasse', 'Straße', 'STRAẞE', 'rass']) expect(await found(q)).toEqual(['Straße', 'STRASSE']);
  for (const q of ['οδυσσευς', 'ΟΔΥΣΣΕΎΣ', 'οδυσ', 'σσευσ']) expect(await found(q)).toEqual(['Οδυσσεύς']);
  for (const q of ['izmir', 'IZMIR', 'İzm']) expect(await found(q)).toEqual(['İzmir']);
  expect(await found('angstrom')).toEqual(['Ångström']);
  expect(await found('café')).toEqual(['Café']);
  expect(await found('xyz')).toEqual([]);
  expect(await found('')).toHaveLength(names.length);
});

testOnEveryStore('search treats SQL wildcards literally', async ({ call, pet }) => {
  for (const name of ['100%', '100', 'a_b', 'axb', String.raw`a\b`]) await pet({ name });
  const found = async (q: string): Promise<readonly string[]> => (await call(listPets, { q })).items.map(({ name }) => name);
  expect(await found('0%')).toEqual(['100%']);
  expect(await found('a_')).toEqual(['a_b']);
  expect(await found(String.raw`a\b`)).toEqual([String.raw`a\b`]);
  expect(await found("' OR 1=1 --")).toEqual([]);
});

testOnEveryStore('a renamed pet is found only by its new name', async ({ call, pet }) => {
  const petId = await pet({ name: 'Rex' });
  await call(updatePet, { petId, body: { name: 'Ñandú' } });
  expect((await call(listPets, { q: 'rex' })).items).toEqual([]);
  expect((await call(listPets, { q: 'NANDU' })).items).toMatchObject([{ id: petId }]);
});

testOnEveryStore('categories can be searched like pets', async ({ call, category }) => {
  await category('Dogs');
  await category('Ñandúes');
  const found = async (filter: { q?: string; name?: string }) => (await call(listCategories, filter)).items.map(({ name }) => name);
  expect(await found({ q: 'DU' })).toEqual(['Ñandúes']);
  expect(await found({ name: 'nandues' })).toEqual(['Ñandúes']);
  expect(await found({ name: 'nandu' })).toEqual([]);
});

testOnEveryStore('refuses a search text above the limit', async ({ callUnchecked, expectRefusal }) => {
  expect(await callUnchecked(listPets, { q: 'x'.repeat(500) })).toMatchObject({ items: [] });
  await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { q: 'x'.repeat(60_000) }), /q: must be at most 500/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listCategories, { name: 'x'.repeat(60_000) }), /name: must be at most 500/);
  await expectRefusal('invalid_parameter', () => callUnchecked(listPets, { q: 7 }), /q: must be a text/);
});

test('folding ignores case for every letter with one upper and one lower form', () => {
  const apart: string[] = [];
  for (let code = 0; code < 0x30000; code += 1) {
    const letter = String.fromCodePoint(code);
    // In polytonic Greek the lower case has a subscript iota and the upper case a separate letter.
    if (!letter.isWellFormed() || letter.normalize('NFD').includes('\u0345')) continue;
    const forms = new Set([letter, letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')]);
    if (forms.size > 1 && new Set([...forms].map(fold)).size > 1) apart.push(letter);
  }
  expect(apart).toEqual([]);
});

test('joins items with commas and "and"', () => {
  expect([[], [1], [1, 2], [1, 2, 3]].map(joinItems)).toEqual(['', '1', '1 and 2', '1, 2 and 3']);
  expect(joinItems(Array.from({ length: 10 }, (_, index) => index + 1))).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9 and 10');
  expect(joinItems(Array.from({ length: 12 }, (_, index) => index + 1))).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more');
  expect([pluralize(0, 'unit'), pluralize(1, 'unit'), pluralize(2, 'category', 'categories')]).toEqual(['0 units', '1 unit', '2 categories']);
});
