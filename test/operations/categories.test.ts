import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { deleteCategory } from '../../src/domain/categories/delete-category.js';
import { findCategory, findCategoryToFilter } from '../../src/domain/categories/find-category.js';
import { getCategory } from '../../src/domain/categories/get-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { replaceCategory } from '../../src/domain/categories/replace-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { getPet } from '../../src/domain/pets/get-pet.js';
import type { StoreError } from '../../src/domain/errors.js';
import { localShop } from '../../src/storage/shop.js';
import { testOnEveryEngine, testOnEveryStore } from '../support/stores.js';

testOnEveryStore('creating a category writes a ledger row', async ({ call, ledger }) => {
  const body = { name: 'Dogs', description: 'Good ones' };
  expect(await call(createCategory, { body })).toEqual({ id: 1, ...body, pets: 0, version: 1 });
  expect(await call(createCategory, { body: { name: 'Cats' } })).toEqual({ id: 2, name: 'Cats', pets: 0, version: 2 });
  expect(await ledger()).toMatchObject([
    { kind: 'category.created', categoryId: 1 },
    { kind: 'category.created', categoryId: 2 },
  ]);
});

testOnEveryStore('refuses to create a category of a name that another one has', async ({ call, category, expectRefusal }) => {
  await category('Dogs');
  const birds = await category('Ñandúes');
  await expectRefusal('category_exists', () => category('Dogs'), /^Category 1 is already named "Dogs"\.$/);
  for (const name of ['nandues', 'ÑANDÚES', ' Ñandúes '.normalize('NFD').toLowerCase()]) {
    await expectRefusal('category_exists', () => category(name), /^Category 2 is already named "Ñandúes"; case and accents do not matter\.$/);
  }
  await expectRefusal('category_exists', () => call(createCategory, { body: { name: 'dogs' } }, { dryRun: true }), /Category 1/);
  await call(deleteCategory, { categoryId: birds });
  expect(await category('nandues')).toBe(3);
});

testOnEveryStore('refuses to rename a category to the name of another one', async ({ call, category, expectRefusal }) => {
  const [dogs, cats] = [await category('Dogs'), await category('Cats')];
  const says = /Category 1 is already named "Dogs"/;
  await expectRefusal('category_exists', () => call(updateCategory, { categoryId: cats, body: { name: 'dogs' } }), says);
  await expectRefusal('category_exists', () => call(replaceCategory, { categoryId: cats, body: { name: 'Dogs' } }), says);
  // The version is checked before the name.
  const seen = (ifMatch: number) => () => call(updateCategory, { categoryId: cats, body: { name: 'dogs' } }, { ifMatch });
  await expectRefusal('precondition_failed', seen(1));
  await expectRefusal('category_exists', seen(2), says);
  await call(updateCategory, { categoryId: dogs, body: { name: 'Hounds' } });
  expect(await call(updateCategory, { categoryId: cats, body: { name: 'dogs' } })).toMatchObject({ name: 'dogs' });
});

testOnEveryStore('a category can take its own name in another case', async ({ call, category, expectUnchanged }) => {
  const categoryId = await category('Dogs');
  await expectUnchanged(() => call(replaceCategory, { categoryId, body: { name: 'Dogs' } }));
  expect(await call(replaceCategory, { categoryId, body: { name: 'DOGS', description: 'All breeds' } })).toMatchObject({ name: 'DOGS' });
  expect(await call(updateCategory, { categoryId, body: { name: 'dögs' } })).toMatchObject({ name: 'dögs', description: 'All breeds' });
});

testOnEveryStore('a key returns the category it created, also when its name is used by then', async ({ call, category, expectUnchanged, expectRefusal }) => {
  const made = await call(createCategory, { body: { name: 'Dogs' } }, { key: 'k' });
  expect(await expectUnchanged(() => call(createCategory, { body: { name: 'Dogs' } }, { key: 'k' }))).toEqual(made);
  await expectRefusal('category_exists', () => call(createCategory, { body: { name: 'Dogs' } }, { key: 'other' }));
  // A refusal does not use up its key.
  await call(deleteCategory, { categoryId: made.id });
  expect(await call(createCategory, { body: { name: 'Dogs' } }, { key: 'other' })).toMatchObject({ id: 2 });
  await expectRefusal('category_exists', () => category('Dogs'), /Category 2/);
});

testOnEveryEngine('of two processes that create one category at the same time exactly one succeeds', async ({ shop, openAgain, clock, call }) => {
  const other = await openAgain();
  const tries = [shop, localShop(other, { actor: 'ben', source: 'cli', clock: clock.now }, '')].flatMap((client) =>
    ['Dogs', 'dogs', 'DOGS', 'dögs'].map((name) => client.call(createCategory, { body: { name } })),
  );
  const codes = (await Promise.allSettled(tries)).map((end) => (end.status === 'fulfilled' ? 'created' : (end.reason as StoreError).code));
  expect(codes.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'category_exists'), 'created']);
  expect((await call(listCategories, {})).items).toHaveLength(1);
  await other.close();
});

testOnEveryStore('names that differ in invisible characters only are the same', async ({ call, category, expectRefusal }) => {
  await category('Fish');
  const refused = await expectRefusal('category_exists', () => category('Fi\u200bsh'));
  expect(refused.details).toMatchObject({ categoryId: 1 });
  expect((await call(listCategories, { q: 'i\u00ads' })).items).toMatchObject([{ name: 'Fish' }]);
  expect([await category('Fish \u{1f3f4}\u{e0067}\u{e0062}\u{e007f}'), await category('Fish \u{1f3f4}')]).toEqual([2, 3]);
});

testOnEveryStore('a category counts its live pets', async ({ call, category, pet }) => {
  const categoryId = await category('Fish');
  const [petId] = [await pet({ categoryId }), await pet({ categoryId })];
  expect(await call(getCategory, { categoryId })).toMatchObject({ pets: 2 });
  await call(deletePet, { petId });
  expect(await call(getCategory, { categoryId })).toMatchObject({ pets: 1 });
});

testOnEveryStore('replacing a category without a description removes it', async ({ call, ledgerSummary, expectUnchanged }) => {
  const { id: categoryId } = await call(createCategory, { body: { name: 'Dogs', description: 'Good ones' } });
  expect(await call(replaceCategory, { categoryId, body: { name: 'Dogs' } })).toEqual({ id: categoryId, name: 'Dogs', pets: 0, version: 2 });
  await expectUnchanged(() => call(replaceCategory, { categoryId, body: { id: categoryId, name: 'Dogs' } }));
  expect(await ledgerSummary({})).toEqual(['category.created', 'category.updated']);
});

testOnEveryStore('changing a category keeps omitted fields and removes null fields', async ({ call, expectUnchanged }) => {
  const { id: categoryId } = await call(createCategory, { body: { name: 'Dogs', description: 'Good ones' } });
  expect(await call(updateCategory, { categoryId, body: { name: 'Hounds' } })).toMatchObject({ name: 'Hounds', description: 'Good ones' });
  await expectUnchanged(() => call(updateCategory, { categoryId, body: {} }));
  expect(await call(updateCategory, { categoryId, body: { description: null } })).toEqual({ id: categoryId, name: 'Hounds', pets: 0, version: 3 });
});

testOnEveryStore('answers category_not_found for an unknown or deleted category', async ({ call, category, expectRefusal }) => {
  const gone = await category();
  await call(deleteCategory, { categoryId: gone });
  for (const categoryId of [gone, 7]) {
    const says = new RegExp(`Category ${categoryId} was not found`);
    await expectRefusal('category_not_found', () => call(getCategory, { categoryId }), says);
    await expectRefusal('category_not_found', () => call(deleteCategory, { categoryId }), says);
    await expectRefusal('category_not_found', () => call(updateCategory, { categoryId, body: { name: 'Cats' } }), says);
    await expectRefusal('category_not_found', () => call(replaceCategory, { categoryId, body: { name: 'Cats' } }), says);
  }
  expect((await call(listCategories, { count: true })).total).toBe(0);
});

testOnEveryStore('refuses to delete a category with live pets', async ({ call, category, pet, expectRefusal }) => {
  const categoryId = await category('Dogs');
  await pet({ categoryId });
  await expectRefusal('category_in_use', () => call(deleteCategory, { categoryId }), /^Dogs still has 1 pet\.$/, /1 pet\b/);
  await pet({ categoryId });
  await expectRefusal('category_in_use', () => call(deleteCategory, { categoryId }), /2 pets/);
});

testOnEveryStore('deletes a category whose pets are all deleted', async ({ call, category, pet, ledgerSummary }) => {
  const categoryId = await category();
  await call(deletePet, { petId: await pet({ categoryId }) });
  await call(deleteCategory, { categoryId });
  expect((await ledgerSummary()).at(-1)).toBe('category.archived');
});

testOnEveryStore('deleting a category with moveTo moves its pets and writes a row for each', async ({ call, category, pet, ledger }) => {
  const [from, to] = [await category('Dogs'), await category('Hounds')];
  const [rex, max, other] = [await pet({ categoryId: from }), await pet({ categoryId: from }), await pet({ categoryId: to })];
  const before = (await ledger()).length;
  await call(deleteCategory, { categoryId: from, moveTo: to });
  for (const petId of [rex, max, other]) expect(await call(getPet, { petId })).toMatchObject({ categoryId: to });
  expect(await call(getCategory, { categoryId: to })).toMatchObject({ pets: 3 });
  expect((await ledger()).slice(before)).toMatchObject([
    { kind: 'pet.updated', petId: rex },
    { kind: 'pet.updated', petId: max },
    { kind: 'category.archived', categoryId: from },
  ]);
});

testOnEveryStore('refuses a moveTo that is missing from the shop or the category itself', async ({ call, category, pet, expectRefusal }) => {
  const categoryId = await category('Dogs');
  await pet({ categoryId });
  await expectRefusal('unknown_category', () => call(deleteCategory, { categoryId, moveTo: 9 }), /There is no category 9/);
  await expectRefusal('validation_failed', () => call(deleteCategory, { categoryId, moveTo: categoryId }), /moveTo: .*1/);
});

testOnEveryStore('finds a category by id, or by name regardless of case, accents and Unicode form', async ({ call, category }) => {
  await category('Dogs');
  const birds = await category('Ñandúes');
  for (const text of ['2', 'Ñandúes', 'nandues', ' ÑANDÚES ', 'Ñandúes'.normalize('NFD'), 'name:nandues']) {
    expect(await findCategory(call, text, 'category_not_found')).toBe(birds);
  }
});

testOnEveryStore('reads digits as an id, and anything after name: as a name', async ({ call, category, expectRefusal }) => {
  await category('Dogs');
  const seven = await category('7');
  expect(await findCategory(call, '7', 'unknown_category')).toBe(7);
  expect(await findCategoryToFilter(call, '1')).toBe(1);
  expect(await findCategoryToFilter(call, 'name:7')).toBe(seven);
  await expectRefusal('unknown_category', () => findCategoryToFilter(call, '7'), /no category 7/);
  expect(await findCategory(call, 'name:7', 'unknown_category')).toBe(seven);
  for (const text of ['007', '0', '9007199254740993', '9223372036854775808']) {
    await expectRefusal('unknown_category', () => findCategory(call, text, 'unknown_category'), new RegExp(`\\b${text}\\b`));
    await expectRefusal('category_not_found', () => findCategory(call, text, 'category_not_found'), new RegExp(`\\b${text}\\b`));
  }
});

testOnEveryStore('refuses an unknown category name with the error code of its context', async ({ call, category, expectRefusal }) => {
  await call(deleteCategory, { categoryId: await category('Nope') });
  await expectRefusal('category_not_found', () => findCategory(call, 'Nope', 'category_not_found'), /no category named "Nope"/);
  await expectRefusal('unknown_category', () => findCategory(call, 'Nope', 'unknown_category'), /no category named "Nope"/);
});

testOnEveryStore('refuses a name of two categories and lists their ids', async ({ call, oldCategory, expectRefusal }) => {
  const [first, second] = [await oldCategory('Dogs'), await oldCategory('Dogs')];
  await expectRefusal('ambiguous_category', () => findCategory(call, 'dogs', 'unknown_category'), new RegExp(`${first} and ${second}`));
  const exact = await oldCategory('DOGS');
  expect(await findCategory(call, 'DOGS', 'unknown_category')).toBe(exact);
  await expectRefusal('ambiguous_category', () => findCategory(call, 'dOgs', 'unknown_category'), /1, 2 and 3/);
});
