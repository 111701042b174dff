import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { schemaVersion } from '../../src/storage/migrations/migrations.js';
import { expect } from 'vitest';
import { failedChecks, runUnchecked } from '../support/doctor.js';
import { runAll, testWithoutShop, done, dump, testInShop, lines, refused } from '../support/cli.js';

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
const shopFiles = new Set(['shop.db', 'shop.db-wal', 'shop.db-shm']);
/** The files in the folder of the shop, without the shop itself. */
const otherFiles = (store: string): readonly string[] => readdirSync(dirname(store)).filter((name) => !shopFiles.has(name));

testInShop(
  'backup writes the whole shop to one file and its checksum to a file for sha256sum',
  async ({ petstore, path, store, allRows, read, expectUnchanged }) => {
    const ran = await expectUnchanged(() => petstore(['backup', path('b.db')]));
    expect(ran).toEqual(
      done(
        lines(
          `✓ Backed up ${store} to ${path('b.db')} (${String(statSync(path('b.db')).size).replaceAll(/\B(?=(\d{3})+$)/g, ',')} bytes): 5 pets, newest ledger entry 17 of 2026-11-20 07:00 UTC, schema ${schemaVersion()}.`,
          `sha256: ${sha256(path('b.db'))}`,
          `restore: petstore restore ${path('b.db')}`,
        ),
      ),
    );
    expect(read('b.db.sha256')).toBe(`${sha256(path('b.db'))}  b.db\n`);
    expect([statSync(path('b.db')).mode & 0o777, statSync(path('b.db.sha256')).mode & 0o777]).toEqual([0o600, 0o600]);
    expect(dump(path('b.db'))).toEqual(allRows());
    expect(otherFiles(store)).toEqual(['b.db', 'b.db.sha256']);
    // The backup is one file and can be used as a shop.
    expect((await petstore(['pet', 'list', '--store', path('b.db')])).stdout).toBe((await petstore('pet list')).stdout);
  },
);

testInShop('backup --json prints an object', async ({ petstore, path }) => {
  const { stdout } = await petstore(['backup', path('b.db'), '--json']);
  expect(JSON.parse(stdout)).toEqual({
    file: path('b.db'),
    bytes: statSync(path('b.db')).size,
    sha256: sha256(path('b.db')),
    pets: 5,
    newestEntry: 17,
    newestAt: '2026-11-20T07:00:00.000Z',
    schemaVersion: schemaVersion(),
    unsound: [],
  });
});

testInShop('an existing file is replaced only with --force', async ({ petstore, path, file, read, store }) => {
  file('b.db', 'a letter');
  expect(await petstore(['backup', path('b.db')])).toEqual(
    refused(4, `error: ${path('b.db')} already exists.`, 'hint: Choose another name, or replace it with --force.'),
  );
  expect(read('b.db')).toBe('a letter');
  file('c.db.sha256', 'another letter');
  expect((await petstore(['backup', path('c.db')])).exitCode).toBe(4);
  expect([read('c.db.sha256'), existsSync(path('c.db'))]).toEqual(['another letter', false]);
  expect((await petstore(['backup', path('b.db'), '--force'])).exitCode).toBe(0);
  expect(read('b.db.sha256')).toBe(`${sha256(path('b.db'))}  b.db\n`);
  expect(otherFiles(store)).toEqual(['b.db', 'b.db.sha256', 'c.db.sha256']);
});

testInShop('refuses to write a backup over the shop', async ({ petstore, path, store, expectUnchanged }) => {
  symlinkSync(store, path('link.db'));
  linkSync(store, path('hard.db'));
  symlinkSync(dirname(store), path('folder'));
  const names = ['shop.db', 'shop.db-wal', 'shop.db-shm', 'shop.db-journal', 'link.db', 'hard.db', 'folder/shop.db', 'folder/shop.db-wal'];
  for (const name of names)
    for (const force of [[], ['--force']])
      expect(await expectUnchanged(() => petstore(['backup', path(name), ...force]))).toEqual(
        refused(2, `error: ${path(name)} is a file of the shop itself.`, 'hint: Choose another name.'),
      );
});

testInShop('refuses a backup target that is not a file name in an existing folder', async ({ petstore, path, store }) => {
  mkdirSync(path('folder'));
  expect(await petstore(['backup', path('folder')])).toEqual(refused(2, `error: ${path('folder')} is a folder.`, 'hint: Give the name of a file.'));
  expect(await petstore(['backup', path('no/b.db')])).toEqual(
    refused(2, `error: ${path('no/b.db')} is in a folder that does not exist.`, 'hint: Create the folder first, or choose another path.'),
  );
  expect((await petstore('backup')).exitCode).toBe(2);
  expect((await petstore('backup -')).stderr).toMatch(/^error: A backup cannot be written to standard output\./);
  expect(otherFiles(store)).toEqual(['folder']);
});

testInShop('refuses to back up a database or a server', async ({ petstore, path }) => {
  const to = ['backup', path('b.db'), '--store'];
  expect(await petstore([...to, 'https://shop.example'])).toEqual(
    refused(
      2,
      'error: This works on files and databases, and https://shop.example/ is the address of a server.',
      'hint: Run it on the machine of the server, with its file or database.',
    ),
  );
  expect(await petstore([...to, 'postgres://ana:s3cret@db.example/shop'])).toEqual(
    refused(
      2,
      'error: petstore backup works on files, and postgres://ana@db.example/shop is a PostgreSQL database.',
      'hint: Use pg_dump, or petstore copy to a file.',
    ),
  );
});

testWithoutShop('refuses to back up a missing shop', async ({ petstore, path, store }) => {
  expect(await petstore(['backup', path('b.db')])).toEqual(refused(7, `error: There is no shop at ${store}.`, 'hint: petstore init'));
  writeFileSync(store, '');
  expect(await petstore(['backup', path('b.db')])).toEqual(refused(7, `error: ${store} is empty; no shop was set up in it.`, 'hint: petstore init'));
  writeFileSync(store, 'not a shop, but longer than the header of one, which takes a hundred bytes of every file that SQLite makes');
  expect(await petstore(['backup', path('b.db')])).toEqual(refused(7, `error: ${store} is not a petstore shop.`));
  expect(otherFiles(store)).toEqual([]);
});

testInShop('refuses to back up a damaged shop and leaves no file', async ({ petstore, path, store }) => {
  truncateSync(store, 3 * 4096);
  const { exitCode, stderr } = await petstore(['backup', path('b.db')]);
  expect([exitCode, stderr]).toEqual([7, lines(`error: ${store} is damaged; nothing was changed.`, 'hint: Restore the latest backup.')]);
  expect(otherFiles(store)).toEqual([]);
});

testInShop('backs up a shop with wrong figures and warns', async ({ petstore, path, sql }) => {
  sql('UPDATE stock SET quantity = 39 WHERE pet_id = 4');
  const { exitCode, stderr } = await petstore(['backup', path('b.db')]);
  expect([exitCode, stderr]).toEqual([0, 'The backup contains the errors of the shop (stock): petstore doctor\n']);
});

testInShop('backup, restore and its dry run refuse values that a table does not allow; doctor finds and repairs them', async (cli) => {
  const { petstore, path, store } = cli;
  chmodSync(store, 0o600);
  await petstore(['backup', path('good.db')]);
  const breakStore = (change: string) => runUnchecked(cli, 'PRAGMA ignore_check_constraints = ON', change);
  const refusal = (file: string, table: string) => `error: ${file} is damaged: a row of ${table} has a value that this table does not allow.`;
  for (const [table, change] of [
    ['orders', "UPDATE orders SET state = 'lost' WHERE id = 2"],
    ['stock', 'UPDATE stock SET quantity = -5 WHERE pet_id = 4'],
  ] as const) {
    await petstore(['restore', path('good.db'), '--yes']);
    breakStore(change);
    copyFileSync(store, path('bad.db'));
    expect(await petstore(['backup', path('good.db'), '--force'])).toEqual(refused(7, refusal(store, table), 'hint: petstore doctor'));
    for (const more of [[], ['--dry-run']])
      expect(await petstore(['restore', path('bad.db'), '--yes', ...more])).toEqual(refused(7, refusal(path('bad.db'), table), 'hint: Use another backup.'));
    expect((await failedChecks(cli)).found).toMatchObject({
      values: `fail: a row of ${table} has a value that this table does not allow. Backups and restores refuse this.`,
    });
  }
  expect((await petstore('doctor --repair --yes')).exitCode).toBe(0);
  expect((await petstore(['backup', path('good.db'), '--force'])).exitCode).toBe(0);
});

testWithoutShop('escapes the file name of a backup like sha256sum', async (cli) => {
  await runAll(cli, ['init']);
  const name = String.raw`a\b.db`;
  expect((await cli.petstore(['backup', cli.path(name)])).exitCode).toBe(0);
  expect(cli.read(`${name}.sha256`)).toBe(`\\${sha256(cli.path(name))}  a\\\\b.db\n`);
});

testInShop('removes temporary files of a command that was killed the day before', async (cli) => {
  const folder = (name: string, hours: number): void => {
    mkdirSync(cli.path(name));
    cli.file(`${name}/backup`, '');
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(cli.path(name), at, at);
  };
  folder('.petstore-work-killed', 25);
  folder('.petstore-work-atwork', 23);
  folder('.petstore-notours', 25);
  expect((await cli.petstore(['backup', cli.path('b.db')])).exitCode).toBe(0);
  expect(otherFiles(cli.store).filter((name) => name.startsWith('.'))).toEqual(['.petstore-notours', '.petstore-work-atwork']);
});
