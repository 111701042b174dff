import Database from 'better-sqlite3';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { testFolder } from '../support/files.js';
import { isFullSize } from '../support/seeded-random.js';
import { inDirectory } from '../support/stores.js';
import { bundle, runScript } from '../support/processes.js';

/** A process that opens the shop, prints the results of a read and a write, and ends. */
const visit = `
import { createCategory } from '../../src/domain/categories/create-category.js';
import { listCategories } from '../../src/domain/categories/list-categories.js';
import type { Shop } from '../../src/domain/shop.js';
import { localShop } from '../../src/storage/shop.js';
import { driverFor } from '../../src/storage/sqlite/driver.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';

const [, , path = '', name = '', create, user] = process.argv;

const outcome = (work: Promise<unknown>) => work.then(() => 'ok', (error) => error.code ?? String(error));

/** Goes on as another user, who may not be able to read Node and the packages: they are loaded before. */
async function become(id: number) {
  (await driverFor(undefined)).inMemory().close();
  process.setgroups?.([]);
  process.setgid?.(id);
  process.setuid?.(id);
}

async function main() {
  if (user !== undefined) await become(Number(user));
  let shop: Shop | undefined;
  let advice: string | undefined;
  const opened = await outcome(openSqlite(path, { create: create === 'create', waitSeconds: 60 }).then((engine) => {
    shop = localShop(engine, { actor: name, source: 'cli', clock: Date.now }, path);
  }, (error) => {
    ({ advice } = error);
    throw error;
  }));
  const read = shop && await outcome(shop.call(listCategories, {}));
  const written = shop && await outcome(shop.call(createCategory, { body: { name } }));
  await shop?.close();
  console.log(JSON.stringify({ opened, read, written, advice }));
}
void main();
`;

let script = '';
const folder = testFolder();
beforeAll(async () => (script = await bundle(folder, visit)));

const nobody = 65_534;
const allWell = { opened: 'ok', read: 'ok', written: 'ok' };

test('eight processes that create one file at the same time all succeed and lose nothing', async () => {
  await inDirectory(async (directory) => {
    for (let round = 0; round < (isFullSize ? 3 : 1); round += 1) {
      const path = join(directory, `fresh-${round}`, 'shop.db');
      const names = Array.from({ length: 8 }, (_, index) => `Visitor ${index}`);
      const ends = await Promise.all(names.map((name) => runScript(script, [path, name, 'create'])));
      expect(ends).toEqual(names.map(() => ({ exitCode: 0, errors: '', output: `${JSON.stringify(allWell)}\n` })));
      const database = new Database(path, { readonly: true });
      const rows = database.prepare('SELECT c.name, l.actor FROM categories c JOIN ledger l ON l.category_id = c.id').all() as {
        name: string;
        actor: string;
      }[];
      database.close();
      expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
      expect(rows.filter(({ name, actor }) => name !== actor)).toEqual([]);
    }
  });
});

/** A process of another user that opens the shop. Without root the test makes the shop and its folder read-only instead. */
async function strangersVisit(folderMode: number, fileMode: number, owner: number): Promise<unknown> {
  const stranger = process.getuid?.() === 0 ? nobody : undefined;
  return inDirectory(async (directory) => {
    await chmod(directory, 0o755);
    const home = join(directory, 'shop');
    await mkdir(home);
    const path = join(home, 'shop.db');
    await (await openSqlite(path, { create: true, waitSeconds: 1 })).close();
    await chmod(path, fileMode);
    if (stranger !== undefined) await chown(home, owner, owner);
    await chmod(home, folderMode);
    const { output, errors } = await runScript(script, [path, 'Stranger', 'open', ...(stranger === undefined ? [] : [String(stranger)])]);
    await chmod(home, 0o755);
    expect(errors).toBe('');
    return JSON.parse(output) as unknown;
  });
}

test('a shop without write permission answers reads and refuses writes with store_read_only', async () => {
  expect(await strangersVisit(0o755, 0o444, nobody)).toEqual({ opened: 'ok', read: 'ok', written: 'store_read_only' });
});

test('a shop in a folder that cannot be written to is store_read_only, and the advice says how to read it', async () => {
  expect(await strangersVisit(0o555, 0o444, 0)).toEqual({ opened: 'store_read_only', advice: expect.stringContaining('To read the shop, copy its file') });
});

test('a shop without read permission is store_unreadable', async () => {
  expect(await strangersVisit(0o755, 0o000, 0)).toEqual({ opened: 'store_unreadable', advice: 'Check the permissions of the file and of its folder.' });
});
