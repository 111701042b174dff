import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { schemaVersion } from '../../src/storage/migrations/migrations.js';
import { testWithoutShop, testInShop, refused } from '../support/cli.js';
import { changeFile, changeSchema, createRawStore, rawRows } from '../support/raw-store.js';
import { withMigration } from '../support/second-migration.js';
import { keptShops, leftovers, changeAfterBackup } from '../support/restore.js';

testInShop('refuses an invalid backup and changes nothing', async (cli) => {
  const { petstore, path, file, expectUnchanged } = cli;
  await changeAfterBackup(cli);
  const bytes = readFileSync(path('b.db'));
  const attempt = async (name: string) => expectUnchanged(() => petstore(['restore', path(name), '--yes']));
  const other = Buffer.from(bytes);
  other[5000] = (other[5000] ?? 0) ^ 1;
  file('changed.db', other);
  copyFileSync(path('b.db.sha256'), path('changed.db.sha256'));
  expect((await attempt('changed.db')).stderr).toMatch(
    /^error: .*changed\.db has changed since it was written: its SHA-256 is [0-9a-f]{12}…, and .*changed\.db\.sha256 says/,
  );
  file('odd.db', bytes);
  file('odd.db.sha256', 'nothing\n');
  expect((await attempt('odd.db')).stderr).toMatch(/odd\.db\.sha256 contains no SHA-256/);
  file('cut.db', bytes.subarray(0, bytes.length - 4096));
  file('empty.db', '');
  file('letter.db', 'Dear shop, '.repeat(100));
  changeFile(path('alien.db'), 'CREATE TABLE songs (id)');
  file('newer.db', bytes);
  changeFile(path('newer.db'), 'PRAGMA user_version = 99');
  const refusals = [];
  for (const name of ['cut.db', 'empty.db', 'letter.db', 'alien.db', 'newer.db']) {
    const { exitCode, stderr } = await attempt(name);
    refusals.push([exitCode, stderr.split('\n')[0]?.replace(path(name), name)]);
  }
  expect(refusals).toEqual([
    [7, 'error: cut.db is damaged; nothing was changed.'],
    [7, 'error: empty.db is empty, not a backup of a shop.'],
    [7, 'error: letter.db is not a petstore shop.'],
    [7, 'error: alien.db is a database of another program, not a petstore shop.'],
    [7, `error: newer.db was made by a newer petstore (schema 99; this version supports ${schemaVersion()}).`],
  ]);
  expect([keptShops(cli), leftovers(cli)]).toEqual([[], []]);
});

testInShop('refuses a backup with a reference to a missing row and changes nothing', async (cli) => {
  const { petstore, path, expectUnchanged } = cli;
  await changeAfterBackup(cli);
  changeFile(path('b.db'), 'PRAGMA foreign_keys = OFF', 'UPDATE pets SET category_id = 99 WHERE id = 3', 'PRAGMA journal_mode = DELETE');
  rmSync(path('b.db.sha256'));
  expect(await expectUnchanged(() => petstore(['restore', path('b.db'), '--yes']))).toEqual(
    refused(7, `error: ${path('b.db')} is damaged: row 3 of pets refers to a row of categories that does not exist.`, 'hint: Use another backup.'),
  );
  expect([keptShops(cli), leftovers(cli)]).toEqual([[], []]);
});

testInShop('refuses a backup that is not a file or is the shop', async ({ petstore, path, store }) => {
  const hint = 'hint: Give a file written by petstore backup.';
  expect(await petstore(['restore', path('none.db'), '--yes'])).toEqual(refused(2, `error: ${path('none.db')} does not exist.`, hint));
  mkdirSync(path('folder'));
  expect(await petstore(['restore', path('folder'), '--yes'])).toEqual(refused(2, `error: ${path('folder')} is not a file.`, hint));
  expect(await petstore(['restore', store, '--yes'])).toEqual(refused(2, `error: ${store} is the shop itself.`, hint));
  expect((await petstore(['restore', store, '--yes', '--store', 'https://shop.example'])).stderr).toMatch(/shop\.example\/ is the address of a server/);
  expect((await petstore(['restore', store, '--yes', '--store', 'postgres://db.example/shop'])).stderr).toMatch(/hint: Use pg_restore/);
});

testInShop('accepts a backup without a SHA-256 file and says so', async (cli) => {
  await changeAfterBackup(cli);
  rmSync(cli.path('b.db.sha256'));
  expect((await cli.petstore(['restore', cli.path('b.db'), '--yes'])).stderr).toBe('The backup has no SHA-256 file, so it was not compared.\n');
});

testInShop('refuses a SHA-256 file that is a pipe, device or folder without reading it', async (cli) => {
  const { petstore, path, expectUnchanged } = cli;
  await changeAfterBackup(cli);
  const manifest = path('b.db.sha256');
  for (const make of [() => execFileSync('mkfifo', [manifest]), () => symlinkSync('/dev/zero', manifest), () => mkdirSync(manifest)]) {
    rmSync(manifest);
    make();
    expect(await expectUnchanged(() => petstore(['restore', path('b.db'), '--yes']))).toEqual(
      refused(7, `error: ${manifest} is not a file, so ${path('b.db')} cannot be checked.`, 'hint: Use another backup.'),
    );
  }
});

/** Changes of a schema; test/cli/hostile-files.test.ts has those of views, tables and indexes. */
const changedBackups: readonly (readonly [statement: string, named: string])[] = [
  [
    `CREATE TRIGGER evil AFTER INSERT ON ledger BEGIN
      INSERT INTO tokens (id, name, digest, scopes, created_at) VALUES (99, 'evil', '${'0'.repeat(64)}', 'admin', 0); END`,
    'trigger evil not created by petstore',
  ],
  ['DROP TRIGGER ledger_keeps_rows', 'trigger ledger_keeps_rows missing'],
  // Reserved SQLite names can be written to the schema table directly.
  [
    `INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_evil', 'pets', 0, 'CREATE TRIGGER sqlite_evil AFTER INSERT ON pets BEGIN DELETE FROM stock; END')`,
    'trigger sqlite_evil not created by petstore',
  ],
];

for (const [statement, named] of changedBackups) {
  testInShop(`refuses a backup with the ${named} before anything is replaced, and a copy and a backup of it`, async (cli) => {
    const { petstore, path, expectUnchanged } = cli;
    await changeAfterBackup(cli);
    changeSchema(path('b.db'), statement);
    rmSync(path('b.db.sha256'));
    const error = `error: ${path('b.db')} does not have the schema of a petstore shop: ${named}.`;
    await expectUnchanged(async () => {
      for (const more of ['--yes', '--dry-run'])
        expect(await petstore(['restore', path('b.db'), more])).toEqual(refused(7, error, 'hint: Use another backup.'));
      expect(await petstore(['backup', path('new.db'), '--store', path('b.db')])).toEqual(refused(7, error, `hint: petstore doctor --store ${path('b.db')}`));
      expect(await petstore(['copy', '--from', path('b.db'), '--to', path('new.db')])).toEqual(refused(7, error, 'hint: petstore doctor'));
    });
    expect([keptShops(cli), leftovers(cli), existsSync(path('new.db'))]).toEqual([[], [], false]);
  });
}

testInShop('accepts the statistics tables of ANALYZE', async (cli) => {
  const { petstore, path, sql } = cli;
  sql('ANALYZE');
  await changeAfterBackup(cli);
  expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
});

testInShop('refuses a shop with a foreign trigger, and doctor removes the trigger', async (cli) => {
  const { petstore, store, expectUnchanged } = cli;
  changeSchema(store, changedBackups[0]?.[0] ?? '');
  const error = `error: ${store} has objects that petstore did not create: trigger evil; nothing was changed.`;
  await expectUnchanged(async () => {
    for (const line of ['inventory adjust 4 +1', 'pet list']) expect(await petstore(line)).toEqual(refused(7, error, 'hint: petstore doctor --repair'));
  });
  expect((await petstore('doctor --repair --yes')).stdout).toContain('repaired: Remove the trigger evil, which petstore did not create.\n');
  expect((await petstore('inventory adjust 4 +1')).exitCode).toBe(0);
});

testWithoutShop('does not migrate an older shop with a foreign trigger', async ({ petstore, path }) => {
  createRawStore(path('old.db'), rawRows);
  changeSchema(path('old.db'), 'CREATE TRIGGER evil AFTER UPDATE ON pets BEGIN DELETE FROM stock; END');
  const before = readFileSync(path('old.db'));
  const ran = await withMigration(() => petstore(['pet', 'list', '--store', path('old.db')]));
  expect([ran.exitCode, ran.stderr.split('\n')[0]]).toEqual([
    7,
    `error: ${path('old.db')} has objects that petstore did not create: trigger evil; nothing was changed.`,
  ]);
  expect(readFileSync(path('old.db')).equals(before)).toBe(true);
});
