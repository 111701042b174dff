import Database from 'better-sqlite3';
import { chmodSync, copyFileSync, linkSync, mkdirSync, readFileSync, renameSync, truncateSync } from 'node:fs';
import { expect } from 'vitest';
import { failedChecks, testInValidShop } from '../support/doctor.js';
import { damagePage } from '../support/raw-store.js';

testInValidShop('finds a truncated file and does not change it', async (cli) => {
  truncateSync(cli.store, 3 * 4096);
  const bytes = readFileSync(cli.store);
  const { exitCode, found } = await failedChecks(cli);
  expect([exitCode, Object.keys(found), found['integrity']]).toEqual([1, ['integrity'], `fail: ${cli.store} is damaged. Restore a backup.`]);
  const repair = await cli.petstore('doctor --repair --yes');
  expect([repair.exitCode, repair.stderr.split('\n')[1]]).toEqual([7, 'hint: petstore restore --help']);
  expect(readFileSync(cli.store)).toEqual(bytes);
});

testInValidShop('finds a flipped bit and does not change the file', async (cli) => {
  // In the number of cells of an index page.
  damagePage(cli.store, 'pets_by_name', (page) => void page.writeUInt8(page.readUInt8(4) ^ 1, 4));
  const bytes = readFileSync(cli.store);
  const { exitCode, found } = await failedChecks(cli);
  expect([exitCode, found['integrity']]).toEqual([1, expect.stringMatching(/^fail: The file is damaged: .*Restore a backup\.$/)]);
  expect(await cli.petstore('doctor --repair --yes')).toMatchObject({ exitCode: 7 });
  expect(readFileSync(cli.store)).toEqual(bytes);
});

testInValidShop('finds a file that others can read, and repairs its permissions', async (cli) => {
  chmodSync(cli.store, 0o644);
  const { exitCode, found } = await failedChecks(cli);
  expect([exitCode, found['permissions']]).toEqual([0, expect.stringMatching(/^warn: Other users can access .*shop\.db \(644\)/)]);
  expect(await failedChecks(cli, ' --repair --yes')).toEqual({ exitCode: 0, found: {} });
});

testInValidShop('finds a hard link and temporary files of a killed command', async (cli) => {
  linkSync(cli.store, cli.path('other.db'));
  expect((await failedChecks(cli)).found).toEqual({
    'hard links': `fail: ${cli.store} has 2 names (hard links). Using another name damages the shop, because SQLite does not find its log: remove the other names.`,
  });
  renameSync(cli.path('other.db'), cli.store);
  mkdirSync(cli.path('.petstore-work-abcdef'));
  const { stdout } = await cli.petstore('doctor');
  expect(stdout).toContain(`WARN  leftovers        ${cli.path('.petstore-work-abcdef')}: temporary files of an interrupted command`);
});

testInValidShop('says that an interrupted change must be rolled back first, and how', async ({ petstore, store }) => {
  const database = new Database(store);
  database.pragma('journal_mode = DELETE');
  // Writes changed pages, and so the journal, before the commit.
  database.pragma('cache_size = 1');
  database.exec(
    'BEGIN; CREATE TABLE many (content); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO many SELECT zeroblob(2000) FROM n',
  );
  for (const suffix of ['', '-journal']) copyFileSync(`${store}${suffix}`, `${store}${suffix}.killed`);
  database.exec('ROLLBACK');
  database.close();
  for (const suffix of ['', '-journal']) renameSync(`${store}${suffix}.killed`, `${store}${suffix}`);
  const { exitCode, stderr } = await petstore('doctor');
  expect([exitCode, stderr]).toEqual([
    7,
    `error: A command was interrupted while it changed ${store}, and the change must be rolled back first.\nhint: Run "petstore status", which rolls it back, and try again.\n`,
  ]);
  expect((await petstore('status')).exitCode).toBe(0);
  expect((await petstore('doctor')).exitCode).toBe(0);
});
