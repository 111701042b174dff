import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import { localShop } from '../../src/storage/shop.js';
import { openShop } from '../support/postgres.js';
import { canStart, startPostgres } from '../support/postgres-server.js';
import { startStandby } from '../support/standby.js';

const clock = (): number => Date.parse('2026-11-20T09:00:00Z');

test.skipIf(!canStart())('a standby can be read, and is the shop once it was promoted', async () => {
  const primary = await startPostgres();
  const standby = await startStandby(primary);
  const shopAt = async (address: string, create = false) => localShop(await openShop(address, { create }), { actor: 'ana', source: 'cli', clock }, '');
  const first = await shopAt(primary.urlOf('postgres'), true);
  await first.call(createCategory, { body: { name: 'Dogs' } });
  await standby.caughtUp();
  const second = await shopAt(standby.urlOf('postgres'));
  expect((await second.call(listCategories, {})).items).toMatchObject([{ name: 'Dogs' }]);
  await primary.halt();
  await standby.promote();
  expect(await second.call(createCategory, { body: { name: 'Cats' } })).toMatchObject({ id: 2 });
  await Promise.all([first, second].map((shop) => shop.close()));
  await Promise.all([standby.stop(), primary.stop()]);
});
