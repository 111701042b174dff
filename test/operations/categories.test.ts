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
import { everywhere } from '../support/everywhere.js';

everywhere('a category is created with its row in the ledger', async ({ call, ledger }) => {
  const body = { name: 'Dogs', description: 'Good ones' };
  expect(await call(createCategory, { body })).toEqual({ id: 1, ...body, pets: 0, version: 1 });
  expect(await call(createCategory, { body: { name: 'Cats' } })).toEqual({ id: 2, name: 'Cats', pets: 0, version: 2 });
  expect(await ledger()).toMatchObject([
    { kind: 'category.created', categoryId: 1 },
    { kind: 'category.created', categoryId: 2 },
  ]);
});

everywhere('category names need not be unique', async ({ category }) => {
  expect([await category('Dogs'), await category('Dogs')]).toEqual([1, 2]);
});

everywhere('a category counts its live pets', async ({ call, category, pet }) => {
  const categoryId = await category('Fish');
  const [petId] = [await pet({ categoryId }), await pet({ categoryId })];
  expect(await call(getCategory, { categoryId })).toMatchObject({ pets: 2 });
  await call(deletePet, { petId });
  expect(await call(getCategory, { categoryId })).toMatchObject({ pets: 1 });
});

everywhere('replacing a category drops a description that is not given again', async ({ call, story, unchanged }) => {
  const { id: categoryId } = await call(createCategory, { body: { name: 'Dogs', description: 'Good ones' } });
  expect(await call(replaceCategory, { categoryId, body: { name: 'Dogs' } })).toEqual({ id: categoryId, name: 'Dogs', pets: 0, version: 2 });
  await unchanged(() => call(replaceCategory, { categoryId, body: { id: categoryId, name: 'Dogs' } }));
  expect(await story({})).toEqual(['category.created', 'category.updated']);
});

everywhere('changing a category keeps what is not named and removes what is null', async ({ call, unchanged }) => {
  const { id: categoryId } = await call(createCategory, { body: { name: 'Dogs', description: 'Good ones' } });
  expect(await call(updateCategory, { categoryId, body: { name: 'Hounds' } })).toMatchObject({ name: 'Hounds', description: 'Good ones' });
  await unchanged(() => call(updateCategory, { categoryId, body: {} }));
  expect(await call(updateCategory, { categoryId, body: { description: null } })).toEqual({ id: categoryId, name: 'Hounds', pets: 0, version: 3 });
});

everywhere('a category body is checked', async ({ ask, call, category, refuses }) => {
  const categoryId = await category();
  await refuses('validation_failed', () => ask(createCategory, { body: {} }), /name: is required/);
  await refuses('validation_failed', () => ask(createCategory, { body: { id: 9, name: 'Cats' } }), /id: is not known/);
  await refuses('validation_failed', () => ask(createCategory, { body: { name: 'Cats', description: null } }), /description: /);
  await refuses('validation_failed', () => ask(updateCategory, { categoryId, body: { name: null } }), /name: /);
  await refuses('validation_failed', () => call(replaceCategory, { categoryId, body: { id: 9, name: 'Cats' } }), /id: must be 1, .* not 9/);
  await refuses('validation_failed', () => call(updateCategory, { categoryId, body: { id: 9 } }), /id: must be 1, .* not 9/);
});

everywhere('a category that was never there or is deleted is not found', async ({ call, category, refuses }) => {
  const gone = await category();
  await call(deleteCategory, { categoryId: gone });
  for (const categoryId of [gone, 7]) {
    const says = new RegExp(`Category ${categoryId} was not found`);
    await refuses('category_not_found', () => call(getCategory, { categoryId }), says);
    await refuses('category_not_found', () => call(deleteCategory, { categoryId }), says);
    await refuses('category_not_found', () => call(updateCategory, { categoryId, body: { name: 'Cats' } }), says);
    await refuses('category_not_found', () => call(replaceCategory, { categoryId, body: { name: 'Cats' } }), says);
  }
  expect((await call(listCategories, { count: true })).total).toBe(0);
});

everywhere('the id of a deleted category is never given again', async ({ call, category }) => {
  const categoryId = await category();
  await call(deleteCategory, { categoryId });
  expect(await category()).toBe(categoryId + 1);
});

everywhere('an empty category is archived', async ({ call, category, story }) => {
  const categoryId = await category('Dogs');
  expect(await call(deleteCategory, { categoryId })).toMatchObject({ id: categoryId, name: 'Dogs' });
  expect(await story()).toEqual(['category.created', 'category.archived']);
});

everywhere('a category with live pets cannot be deleted', async ({ call, category, pet, refuses }) => {
  const categoryId = await category('Dogs');
  await pet({ categoryId });
  await refuses('category_in_use', () => call(deleteCategory, { categoryId }), /Category 1 \(Dogs\)/, /1 pet\b/);
  await pet({ categoryId });
  await refuses('category_in_use', () => call(deleteCategory, { categoryId }), /2 pets/);
});

everywhere('a category whose pets are all deleted can go', async ({ call, category, pet, story }) => {
  const categoryId = await category();
  await call(deletePet, { petId: await pet({ categoryId }) });
  await call(deleteCategory, { categoryId });
  expect((await story()).at(-1)).toBe('category.archived');
});

everywhere('deleting a category can move its pets first, a row for each', async ({ call, category, pet, ledger }) => {
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

everywhere('pets move only to another category of the shop', async ({ call, category, pet, refuses }) => {
  const categoryId = await category('Dogs');
  await pet({ categoryId });
  await refuses('unknown_category', () => call(deleteCategory, { categoryId, moveTo: 9 }), /There is no category 9/);
  await refuses('validation_failed', () => call(deleteCategory, { categoryId, moveTo: categoryId }), /moveTo: .*1/);
});

everywhere('several categories are deleted together or not at all', async ({ callEach, category, pet, refuses, call }) => {
  const [empty, used] = [await category('Empty'), await category('Used')];
  await pet({ categoryId: used });
  const inputs = [{ categoryId: empty }, { categoryId: used }];
  await refuses('category_in_use', () => callEach(deleteCategory, inputs), /Category 2 \(Used\)/);
  expect((await call(listCategories, { count: true })).total).toBe(2);
});

everywhere('a category is found by id, or by name in any case, accent and spelling', async ({ call, category }) => {
  await category('Dogs');
  const birds = await category('Ñandúes');
  for (const text of ['2', 'Ñandúes', 'nandues', ' ÑANDÚES ', 'Ñandúes'.normalize('NFD'), 'name:nandues']) {
    expect(await findCategory(call, text, 'category_not_found')).toBe(birds);
  }
});

everywhere('digits always mean an id; name: forces a name', async ({ call, category, refuses }) => {
  await category('Dogs');
  const seven = await category('7');
  expect(await findCategory(call, '7', 'unknown_category')).toBe(7);
  expect(await findCategoryToFilter(call, '1')).toBe(1);
  expect(await findCategoryToFilter(call, 'name:7')).toBe(seven);
  await refuses('unknown_category', () => findCategoryToFilter(call, '7'), /no category 7/);
  expect(await findCategory(call, 'name:7', 'unknown_category')).toBe(seven);
  for (const text of ['007', '0', '9007199254740993', '9223372036854775808']) {
    await refuses('unknown_category', () => findCategory(call, text, 'unknown_category'), new RegExp(`\\b${text}\\b`));
    await refuses('category_not_found', () => findCategory(call, text, 'category_not_found'), new RegExp(`\\b${text}\\b`));
  }
});

everywhere('a name that no category has is refused the way its place asks for', async ({ call, category, refuses }) => {
  await call(deleteCategory, { categoryId: await category('Nope') });
  await refuses('category_not_found', () => findCategory(call, 'Nope', 'category_not_found'), /no category named "Nope"/);
  await refuses('unknown_category', () => findCategory(call, 'Nope', 'unknown_category'), /no category named "Nope"/);
});

everywhere('a name that means two categories is ambiguous, listing the ids', async ({ call, category, refuses }) => {
  const [first, second] = [await category('Dogs'), await category('Dogs')];
  await refuses('ambiguous_category', () => findCategory(call, 'dogs', 'unknown_category'), new RegExp(`${first} and ${second}`));
  const exact = await category('DOGS');
  expect(await findCategory(call, 'DOGS', 'unknown_category')).toBe(exact);
  await refuses('ambiguous_category', () => findCategory(call, 'dOgs', 'unknown_category'), /1, 2 and 3/);
});
