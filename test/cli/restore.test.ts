import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import type { StockImportOptions } from '../../src/domain/imports/import-inventory.js';
import { localShop } from '../../src/storage/shop.js';
import { migrations, schemaVersion } from '../../src/storage/migrations/migrations.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { runAll, testWithoutShop, done, dump, testInShop, lines, refused, type CliFixture } from '../support/cli.js';
import { csv } from '../support/files.js';
import { createSchema1Store } from '../support/old-schema.js';

const keptShops = ({ store }: CliFixture): readonly string[] => readdirSync(dirname(store)).filter((name) => /^shop\.db\.before-restore-[\dTZ-]+$/.test(name));
const leftovers = ({ store }: CliFixture): readonly string[] => readdirSync(dirname(store)).filter((name) => name.startsWith('.petstore-'));

/** The tables of a shop without the ledger entry of a restore. */
function withoutRestoreEntry(tables: Readonly<Record<string, readonly unknown[]>>): Readonly<Record<string, readonly unknown[]>> {
  return { ...tables, ledger: (tables['ledger'] ?? []).filter((row) => (row as { readonly kind: string }).kind !== 'shop.restored') };
}

/** A shop that was changed after a backup. */
async function changeAfterBackup(cli: CliFixture): Promise<void> {
  await runAll(cli, [`backup ${cli.path('b.db')}`, 'pet create --name Nemo --category Fish', 'inventory set 4 12', 'order complete 1']);
}

const question = ({ store, path }: CliFixture, present: string): string =>
  `Replace the shop at ${store} (${present}) with the backup ${path('b.db')} (5 pets, newest ledger entry 17 of 2026-11-20 07:00 UTC)?`;

testInShop('restore restores the backup, keeps the replaced shop and writes a ledger row', async (cli) => {
  const { petstore, allRows, path, store } = cli;
  const before = allRows();
  await changeAfterBackup(cli);
  const lost = allRows();
  expect(await petstore(['restore', path('b.db'), '--yes'])).toEqual(
    done(
      lines(
        `✓ Restored ${store} from ${path('b.db')}: 5 pets, newest ledger entry 17 of 2026-11-20 07:00 UTC.`,
        `before: ${store}.before-restore-20261120T090000Z`,
      ),
    ),
  );
  expect(withoutRestoreEntry(allRows())).toEqual(before);
  expect((await petstore('log -L 1 --json id,at,actor,kind,note')).stdout.replaceAll(/\s+/g, ' ')).toBe(
    '[ {"id":21,"at":"2026-11-20T09:00:00.000Z","actor":"ana","kind":"shop.restored","note":"backup up to entry 17 of 2026-11-20T07:00:00.000Z; replaced a shop at entry 20"} ] ',
  );
  const [safety = ''] = keptShops(cli);
  expect(dump(path(safety))).toEqual(lost);
  expect([statSync(path(safety)).mode & 0o777, leftovers(cli)]).toEqual([0o600, []]);
  expect((await petstore('doctor')).exitCode).toBe(0);
  // Restoring the kept shop brings back the replaced changes.
  expect((await petstore(['restore', path(safety), '--yes'])).exitCode).toBe(0);
  expect(withoutRestoreEntry(allRows())).toEqual(lost);
  expect((await petstore('log -L 1 --json id,note')).stdout).toContain('{"id":22,"note":"backup up to entry 20');
});

testInShop('restore asks before it replaces anything', async (cli) => {
  const { petstore, path, expectUnchanged } = cli;
  await changeAfterBackup(cli);
  const asked = question(cli, '6 pets, newest ledger entry 20 of 2026-11-20 09:00 UTC');
  expect(await expectUnchanged(() => petstore(['restore', path('b.db')], { stdin: '' }))).toEqual(
    refused(2, `error: ${asked} Confirmation required.`, 'hint: Confirm with --yes, or preview with --dry-run.'),
  );
  const dry = await expectUnchanged(() => petstore(['restore', path('b.db'), '--dry-run']));
  expect([dry.exitCode, dry.stdout.startsWith(`Would restore ${cli.store} from `), dry.stderr]).toEqual([0, true, 'Dry run: nothing was changed.\n']);
  expect([keptShops(cli), leftovers(cli)]).toEqual([[], []]);
});

testInShop('restore --json prints an object', async (cli) => {
  const { petstore, path, store } = cli;
  await changeAfterBackup(cli);
  const { stdout } = await petstore(['restore', path('b.db'), '--yes', '--json']);
  const state = (pets: number, newestEntry: number, newestAt: string) => ({ pets, newestEntry, newestAt, schemaVersion });
  expect(JSON.parse(stdout)).toEqual({
    store,
    file: path('b.db'),
    backup: state(5, 17, '2026-11-20T07:00:00.000Z'),
    present: state(6, 20, '2026-11-20T09:00:00.000Z'),
    checked: true,
    restored: true,
    safety: `${store}.before-restore-20261120T090000Z`,
    entry: 21,
    revoked: [],
  });
});

testInShop('a revoked token stays revoked, and a token made after the backup keeps working', async (cli) => {
  const { petstore, path } = cli;
  await runAll(cli, ['token create till --scope store:read', 'token create web --scope store:read', `backup ${path('b.db')}`]);
  await runAll(cli, ['token revoke till --yes', 'token create till --scope store:write', 'token create app --scope store:read']);
  const before = (await petstore('token list --json')).stdout;
  const rows = dump(cli.store)['tokens'];
  await runAll(cli, [`restore ${path('b.db')} --yes`]);
  expect((await petstore('token list --json')).stdout).toBe(before);
  expect(dump(cli.store)['tokens']).toEqual(rows);
});

testInShop('a token made after the backup keeps its id, which is part of its text', async (cli) => {
  const { petstore, path } = cli;
  await runAll(cli, ['token create till --scope store:read', `backup ${path('b.db')}`]);
  await runAll(cli, ['token create web --scope store:read', 'token create app --scope store:read', 'token revoke app --yes']);
  const ids = (): unknown => (dump(cli.store)['tokens'] ?? []).map((row) => [(row as { readonly id: number }).id, (row as { readonly name: string }).name]);
  const before = ids();
  await petstore(`restore ${path('b.db')} --yes`);
  expect(ids()).toEqual(before);
});

testInShop('a restore ends every session, also those of the backup', async (cli) => {
  const { petstore, path, store } = cli;
  await runAll(cli, ['token create till --scope store:read']);
  const engine = await openSqlite(store, { waitSeconds: 1 });
  const { tokens, sessions } = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.parse('2026-11-20T09:00:00Z') }, store);
  const [till] = await tokens.list();
  const texts = [(await sessions.start({ owner: 'ana' })).text];
  if (till) texts.push((await sessions.start({ token: till })).text);
  await petstore(`backup ${path('b.db')}`);
  texts.push((await sessions.start({ owner: 'ana' })).text);
  const open = async (): Promise<readonly boolean[]> => Promise.all(texts.map(async (text) => (await sessions.find(text)) !== undefined));
  expect(await open()).toEqual([true, true, true]);
  await petstore(`restore ${path('b.db')} --yes`);
  expect(await open()).toEqual([false, false, false]);
  await engine.close();
});

testInShop('a changed backup cannot give a token another name or more scopes', async (cli) => {
  const { petstore, path, store } = cli;
  await runAll(cli, ['token create till --scope store:read', 'token create web --scope store:write', `backup ${path('b.db')}`]);
  const rows = dump(store)['tokens'];
  const backup = new Database(path('b.db'));
  // Two tokens swap their names, and one gets every scope.
  backup.exec("UPDATE tokens SET revoked_at = created_at; UPDATE tokens SET name = iif(name = 'till', 'web', 'till'), scopes = 'admin', revoked_at = NULL");
  // A second row with the hash of the first token, which a lookup could find instead.
  backup.exec("INSERT INTO tokens SELECT 99, 'evil', digest, 'admin', created_at, NULL, NULL, NULL FROM tokens WHERE id = 1");
  backup.close();
  rmSync(path('b.db.sha256'));
  await runAll(cli, [`restore ${path('b.db')} --yes`]);
  expect(dump(store)['tokens']).toEqual(rows);
  expect((await petstore('doctor')).exitCode).toBe(0);
});

const missingShops: readonly (readonly [situation: string, change: (cli: CliFixture) => Promise<void>])[] = [
  ['the shop is damaged', async ({ store }) => truncateSync(store, 50)],
  ['the shop is missing', async ({ store }) => ['', '-wal', '-shm'].forEach((suffix) => rmSync(`${store}${suffix}`, { force: true }))],
  ['the shop is empty', async ({ store }) => truncateSync(store, 0)],
  ['the shop is another one', async (cli) => (rmSync(cli.store), runAll(cli, ['init', 'token create web --scope admin']))],
];

for (const [situation, change] of missingShops) {
  testInShop(`when ${situation}, tokens that may have been revoked after the backup are revoked`, async (cli) => {
    const { petstore, path, store } = cli;
    await runAll(cli, ['token create till --scope store:read', 'token create web --scope store:read', `backup ${path('b.db')}`]);
    await runAll(cli, ['token revoke till --yes']);
    await change(cli);
    const isAnother = situation.endsWith('another one');
    const ran = await petstore(['restore', path('b.db'), '--yes']);
    expect([ran.exitCode, ran.stdout.split('\n').filter((line) => line.startsWith('revoked: '))]).toEqual([0, ['revoked: till and web']]);
    expect(ran.stderr).toBe('These tokens may have been revoked since the backup. To replace them: petstore token create\n');
    const live = (dump(store)['tokens'] ?? []).filter((row) => (row as { readonly revoked_at: number | null }).revoked_at === null);
    expect(live).toMatchObject(isAnother ? [{ name: 'web', scopes: 'admin' }] : []);
    expect((await petstore('log -L 1 --fields note --format csv')).stdout).toMatch(/; 2 tokens revoked\n$/);
    expect((await petstore('token create till --scope store:read')).exitCode).toBe(0);
  });
}

testInShop('when a token is damaged, all tokens are revoked and the rest is restored', async (cli) => {
  const { petstore, path, store } = cli;
  await runAll(cli, ['token create till --scope store:read', `backup ${path('b.db')}`]);
  const database = new Database(store);
  const page = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tokens'").pluck().get());
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(store);
  bytes.fill(0xff, (page - 1) * 4096, page * 4096);
  writeFileSync(store, bytes);
  const ran = await petstore(['restore', path('b.db'), '--yes']);
  expect([ran.exitCode, ran.stdout.includes('revoked: till\n')]).toEqual([0, true]);
  expect((await petstore('token list --format count')).stdout).toBe('0\n');
});

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
  const alien = new Database(path('alien.db'));
  alien.exec('CREATE TABLE songs (id)');
  alien.close();
  file('newer.db', bytes);
  const newer = new Database(path('newer.db'));
  newer.pragma('user_version = 99');
  newer.close();
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
    [7, `error: newer.db was made by a newer petstore (schema 99; this version supports ${schemaVersion}).`],
  ]);
  expect([keptShops(cli), leftovers(cli)]).toEqual([[], []]);
});

testInShop('refuses a backup with a reference to a missing row and changes nothing', async (cli) => {
  const { petstore, path, expectUnchanged } = cli;
  await changeAfterBackup(cli);
  const backup = new Database(path('b.db'));
  backup.pragma('foreign_keys = OFF');
  backup.exec('UPDATE pets SET category_id = 99 WHERE id = 3');
  backup.pragma('journal_mode = DELETE');
  backup.close();
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
  expect((await petstore(['restore', store, '--yes', '--store', 'https://shop.example'])).stderr).toMatch(/petstore restore works on files/);
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

const changedBackups: readonly (readonly [statement: string, named: string])[] = [
  [
    `CREATE TRIGGER evil AFTER INSERT ON ledger BEGIN
      INSERT INTO tokens (id, name, digest, scopes, created_at) VALUES (99, 'evil', '${'0'.repeat(64)}', 'admin', 0); END`,
    'trigger evil not created by petstore',
  ],
  ['CREATE VIEW evil AS SELECT * FROM tokens', 'view evil not created by petstore'],
  ['CREATE TABLE evil (x)', 'table evil not created by petstore'],
  ['CREATE INDEX evil ON ledger (note)', 'index evil not created by petstore'],
  ['DROP TRIGGER ledger_keeps_rows', 'trigger ledger_keeps_rows missing'],
  // Reserved SQLite names can be written to the schema table directly.
  [
    `INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_evil', 'pets', 0, 'CREATE TRIGGER sqlite_evil AFTER INSERT ON pets BEGIN DELETE FROM stock; END')`,
    'trigger sqlite_evil not created by petstore',
  ],
];

/** Changes the schema of a file, as another program could. */
function changeSchema(path: string, statement: string): void {
  const database = new Database(path);
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  database.exec(statement);
  database.close();
}

for (const [statement, named] of changedBackups) {
  testInShop(`refuses a backup with the ${named} before anything is replaced, and a copy of it`, async (cli) => {
    const { petstore, path, expectUnchanged } = cli;
    await changeAfterBackup(cli);
    changeSchema(path('b.db'), statement);
    rmSync(path('b.db.sha256'));
    const error = `error: ${path('b.db')} does not have the schema of a petstore shop: ${named}.`;
    await expectUnchanged(async () => {
      const hint = 'hint: Use a backup of a shop without errors.';
      for (const more of ['--yes', '--dry-run']) expect(await petstore(['restore', path('b.db'), more])).toEqual(refused(7, error, hint));
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

testInShop('refuses writes to a shop with a foreign trigger, allows reads, and doctor removes the trigger', async (cli) => {
  const { petstore, store, expectUnchanged } = cli;
  changeSchema(store, changedBackups[0]?.[0] ?? '');
  const error = `error: ${store} has objects that petstore did not create: trigger evil; nothing was changed.`;
  await expectUnchanged(async () => {
    expect(await petstore('inventory adjust 4 +1')).toEqual(refused(7, error, 'hint: petstore doctor --repair'));
    expect((await petstore('pet list')).exitCode).toBe(0);
  });
  expect((await petstore('doctor --repair --yes')).stdout).toContain('repaired: Remove the trigger evil, which petstore did not create.\n');
  expect((await petstore('inventory adjust 4 +1')).exitCode).toBe(0);
});

testWithoutShop('does not migrate an older shop with a foreign trigger', async ({ petstore, path }) => {
  createSchema1Store(path('old.db'));
  changeSchema(path('old.db'), 'CREATE TRIGGER evil AFTER UPDATE ON pets BEGIN DELETE FROM stock; END');
  const before = readFileSync(path('old.db'));
  const ran = await petstore(['pet', 'list', '--store', path('old.db')]);
  expect([ran.exitCode, ran.stderr.split('\n')[0]]).toEqual([
    7,
    `error: ${path('old.db')} has objects that petstore did not create: trigger evil; nothing was changed.`,
  ]);
  expect(readFileSync(path('old.db')).equals(before)).toBe(true);
});

testInShop('restores a missing or empty shop without asking', async (cli) => {
  const { petstore, allRows, path, store } = cli;
  const before = allRows();
  await runAll(cli, [`backup ${path('b.db')}`]);
  const wanted = `✓ Restored ${store} from ${path('b.db')}: 5 pets, newest ledger entry 17 of 2026-11-20 07:00 UTC.\n`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${store}${suffix}`, { force: true });
  // The WAL of the replaced shop must not be used for the new one.
  writeFileSync(`${store}-wal`, 'an old log');
  expect(await petstore(['restore', path('b.db')], { stdin: '' })).toEqual(done(wanted));
  expect(withoutRestoreEntry(allRows())).toEqual(before);
  expect(statSync(store).mode & 0o777).toBe(0o600);
  rmSync(store);
  writeFileSync(store, '');
  expect(await petstore(['restore', path('b.db')], { stdin: '' })).toEqual(done(wanted));
  expect(withoutRestoreEntry(allRows())).toEqual(before);
  const far = path('below/far/shop.db');
  expect((await petstore(['restore', path('b.db'), '--store', far])).exitCode).toBe(0);
  expect(withoutRestoreEntry(dump(far))).toEqual(before);
  expect([keptShops(cli), leftovers(cli)]).toEqual([[], []]);
});

testInShop('replaces an unreadable shop and keeps all its bytes', async (cli) => {
  const { petstore, allRows, path, store } = cli;
  const before = allRows();
  await runAll(cli, [`backup ${path('b.db')}`]);
  const damages: readonly (() => void)[] = [
    () => truncateSync(store, 3 * 4096),
    () => truncateSync(store, 50),
    () => writeFileSync(store, Buffer.alloc(20_000, 7)),
  ];
  for (const [index, damage] of damages.entries()) {
    damage();
    const bytes = readFileSync(store);
    expect((await petstore(['restore', path('b.db')], { stdin: '' })).stderr.split(' All tokens')[0]).toBe(
      `error: ${store} is damaged and cannot be read. It is kept under another name; close every program that has it open first.`,
    );
    expect(readFileSync(store)).toEqual(bytes);
    expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
    expect(withoutRestoreEntry(allRows())).toEqual(before);
    expect(keptShops(cli)).toHaveLength(index + 1);
    expect(keptShops(cli).some((name) => readFileSync(path(name)).equals(bytes))).toBe(true);
  }
  expect(leftovers(cli)).toEqual([]);
});

testInShop('replaces a damaged shop and keeps all its pages', async (cli) => {
  const { petstore, allRows, path, store, read } = cli;
  const before = allRows();
  await runAll(cli, [`backup ${path('b.db')}`]);
  const database = new Database(store);
  const page = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'ledger_by_pet'").pluck().get());
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const bytes = readFileSync(store);
  bytes.fill(0, (page - 1) * 4096 + 8, page * 4096);
  writeFileSync(store, bytes);
  expect((await petstore('doctor')).exitCode).toBe(1);
  expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
  expect(withoutRestoreEntry(allRows())).toEqual(before);
  expect((await petstore('doctor')).exitCode).toBe(0);
  expect(keptShops(cli)).toHaveLength(1);
  expect(read(keptShops(cli)[0] ?? '').length).toBeGreaterThan(0);
});

testInShop('migrates an older backup, and accepts another page size', async (cli) => {
  const { petstore, path, allRows } = cli;
  const old = new Database(path('old.db'));
  old.pragma('page_size = 8192');
  for (const step of migrations[0]?.sqlite ?? []) old.exec(step);
  old.pragma('user_version = 1');
  old.pragma(`application_id = ${0x50455453}`);
  old.exec("INSERT INTO categories (id, name, folded) VALUES (1, 'Birds', 'birds')");
  old.exec("INSERT INTO ledger (id, kind, category_id, at, actor, source) VALUES (1, 'category.created', 1, 1, 'ben', 'cli')");
  old.close();
  await runAll(cli, [`restore ${path('old.db')} --yes`]);
  expect((await petstore('category list --format csv')).stdout).toBe('id,name,pets,description\n1,Birds,0,\n');
  expect(allRows()['tokens']).toEqual([]);
  expect((await petstore('doctor')).exitCode).toBe(0);
});

testInShop('refuses to overwrite a database of another program', async (cli) => {
  await runAll(cli, [`backup ${cli.path('b.db')}`]);
  const alien = new Database(cli.path('alien.db'));
  alien.exec('CREATE TABLE songs (id)');
  alien.close();
  const { exitCode, stderr } = await cli.petstore(['restore', cli.path('b.db'), '--yes', '--store', cli.path('alien.db')]);
  expect([exitCode, stderr]).toEqual([7, lines(`error: ${cli.path('alien.db')} is a database of another program, not a petstore shop.`)]);
  expect(Object.keys(dump(cli.path('alien.db')))).toEqual(['songs']);
});

testInShop('waits for a locked shop and then reports it', async (cli) => {
  const { petstore, path, store, expectUnchanged } = cli;
  await changeAfterBackup(cli);
  const other = new Database(store);
  other.exec('BEGIN IMMEDIATE');
  const ran = await expectUnchanged(() => petstore(['restore', path('b.db'), '--yes', '--wait', '0.1']));
  other.close();
  expect([ran.exitCode, ran.stderr.split('\n')[0]]).toEqual([7, `error: ${store} is locked by another process; waited 0.1 s.`]);
  expect([keptShops(cli), leftovers(cli)]).toEqual([[], []]);
});

testWithoutShop('creates nothing without a backup', async ({ petstore, path, store }) => {
  expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(2);
  expect(existsSync(store)).toBe(false);
});

testInShop('an import that runs during a restore changes nothing', async (cli) => {
  const { petstore, path, store, allRows } = cli;
  await changeAfterBackup(cli);
  const engine = await openSqlite(store, { waitSeconds: 5 });
  const shop = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.parse('2026-11-20T09:00:00Z') }, store);
  let restored: unknown;
  const options: StockImportOptions = {
    mode: 'atomic',
    onPreview: async () => {
      expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
      restored = allRows();
    },
  };
  await expect(shop.importStock(csv('petId,quantity', '4,13'), options)).rejects.toMatchObject({
    code: 'store_busy',
    message: 'The shop was restored from a backup in the meantime; nothing was changed.',
  });
  expect(allRows()).toEqual(restored);
  await shop.close();
});

testInShop('restores the target of a link and keeps the replaced shop in the same folder', async (cli) => {
  const { petstore, path, store, allRows } = cli;
  const before = allRows();
  await changeAfterBackup(cli);
  mkdirSync(path('links'));
  symlinkSync(store, path('links/link.db'));
  expect((await petstore(['restore', path('b.db'), '--yes', '--store', path('links/link.db')])).exitCode).toBe(0);
  expect(withoutRestoreEntry(allRows())).toEqual(before);
  expect([keptShops(cli).length, readdirSync(path('links'))]).toEqual([1, ['link.db']]);
});

testInShop('reports a shop with a missing table, and restores it', async (cli) => {
  const { petstore, path, store } = cli;
  const before = cli.allRows();
  await runAll(cli, [`backup ${path('b.db')}`]);
  for (const table of ['orders', 'ledger', 'pets']) {
    const database = new Database(store);
    database.pragma('foreign_keys = OFF');
    database.pragma('legacy_alter_table = ON');
    database.exec(`ALTER TABLE ${table} RENAME TO lost`);
    database.close();
    const damaged = refused(7, `error: ${store} is damaged (no such table: ${table}); nothing was changed.`, 'hint: Restore the latest backup.');
    expect(await petstore(`backup ${path('c.db')}`)).toEqual(damaged);
    expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
    expect(cli.allRows()).toMatchObject({ pets: before['pets'], orders: before['orders'], stock: before['stock'] });
  }
});

testWithoutShop('refuses an unreadable path or a dangling link with exit code 7', async (cli) => {
  const { petstore, path } = cli;
  await runAll(cli, [`init --store ${path('other.db')}`, `backup ${path('b.db')} --store ${path('other.db')}`]);
  symlinkSync(path('one'), path('two'));
  symlinkSync(path('two'), path('one'));
  symlinkSync(path('nothing'), path('dangling'));
  for (const command of ['pet list', 'init', 'status', 'doctor', 'backup x.db', `restore ${path('b.db')} --yes`, 'inventory adjust 1 +1']) {
    const { exitCode, stderr } = await petstore(`${command} --store ${path('one')}`);
    expect([command, exitCode, stderr.split('\n')[0]]).toEqual([command, 7, `error: ${path('one')} is a link to itself.`]);
  }
  expect(await petstore(`copy --from ${path('other.db')} --to ${path('one')}`)).toMatchObject({ exitCode: 7 });
  expect(await petstore(`restore ${path('b.db')} --yes --store ${path('dangling')}`)).toEqual(
    refused(7, `error: ${path('dangling')} is a link to a file that does not exist.`, 'hint: Remove the link, or choose another path with --store <path>.'),
  );
  expect(existsSync(path('nothing'))).toBe(false);
});
