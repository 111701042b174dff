import { expect } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { category } from '../../src/domain/categories/category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { withJsonRecords } from '../../src/domain/operation.js';
import { writerOf } from '../../src/http/server/json-writer.js';
import { testOnEveryEngine } from '../support/stores.js';

const inJson = withJsonRecords(listCategories);
const write = writerOf(category);

testOnEveryEngine('a page of categories without the numbers of their pets is the page of their records', async ({ call, pet }) => {
  for (const body of [{ name: 'Dogs' }, { name: 'Cats', description: 'All "breeds"\n\u2028' }, { name: 'もち' }, { name: 'Éclairs', description: 'é' }]) {
    await call(createCategory, { body });
  }
  for (const categoryId of [1, 1, 2]) await pet({ categoryId });
  expect((await call(listCategories, {})).items.map(({ pets }) => pets)).toEqual([2, 1, 0, 0]);
  for (const filter of [{}, { name: 'cats' }, { q: 'a' }]) {
    for (const sort of ['id', '-id', 'name', '-name']) {
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const input = { ...filter, sort, limit: 2, count: first, ...(cursor !== undefined && { cursor }) };
        const { items, ...others } = await call(listCategories, input);
        expect(await call(inJson, input)).toEqual({ ...others, items: items.map(write) });
        cursor = others.next;
      }
    }
  }
});
