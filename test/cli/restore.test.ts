import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { StockImportOptions } from '../../src/domain/imports/import-inventory.js';
import { localShop } from '../../src/storage/shop.js';
import { withMigration } from '../support/second-migration.js';
import { schemaVersion } from '../../src/storage/migrations/migrations.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { runAll, testWithoutShop, done, dump, testInShop, lines, refused } from '../support/cli.js';
import { csv } from '../support/files.js';
import { changeFile, createRawStore, damagePage } from '../support/raw-store.js';
import { keptShops, leftovers, withoutRestoreEntry, changeAfterBackup, question } from '../support/restore.js';

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

testInShop('restores a backup whose pages have another size', async (cli) => {
  const { petstore, path, allRows } = cli;
  const before = allRows();
  await changeAfterBackup(cli);
  rmSync(path('b.db.sha256'));
  changeFile(path('b.db'), 'PRAGMA page_size = 8192; VACUUM');
  expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
  expect(withoutRestoreEntry(allRows())).toEqual(before);
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
  const state = (pets: number, newestEntry: number, newestAt: string) => ({ pets, newestEntry, newestAt, schemaVersion: schemaVersion() });
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
  damagePage(store, 'ledger_by_pet', (page) => page.fill(0, 8));
  expect((await petstore('doctor')).exitCode).toBe(1);
  expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
  expect(withoutRestoreEntry(allRows())).toEqual(before);
  expect((await petstore('doctor')).exitCode).toBe(0);
  expect(keptShops(cli)).toHaveLength(1);
  expect(read(keptShops(cli)[0] ?? '').length).toBeGreaterThan(0);
});

testInShop('migrates an older backup', async (cli) => {
  const { petstore, path, allRows } = cli;
  createRawStore(
    path('old.db'),
    `INSERT INTO categories (id, name, folded) VALUES (1, 'Birds', 'birds');
    INSERT INTO ledger (id, kind, category_id, at, actor, source) VALUES (1, 'category.created', 1, 1, 'ben', 'cli')`,
  );
  await withMigration(async () => {
    await runAll(cli, [`restore ${path('old.db')} --yes`]);
    expect((await petstore('category list --format csv')).stdout).toBe('id,name,pets,description\n1,Birds,0,\n');
    expect(allRows()['categories']).toMatchObject([{ colour: 'grey' }]);
    expect((await petstore('doctor')).exitCode).toBe(0);
  });
});

testInShop('refuses to overwrite a database of another program', async (cli) => {
  await runAll(cli, [`backup ${cli.path('b.db')}`]);
  changeFile(cli.path('alien.db'), 'CREATE TABLE songs (id)');
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

testInShop('an import that looked up its pets in the replaced shop changes nothing', async (cli) => {
  const { petstore, path, store, allRows } = cli;
  await changeAfterBackup(cli);
  const engine = await openSqlite(store, { waitSeconds: 5 });
  const shop = localShop(engine, { actor: 'ana', source: 'cli', clock: () => Date.parse('2026-11-20T09:00:00Z') }, store);
  const restored = { code: 'store_busy', message: 'The shop was restored from a backup in the meantime; nothing was changed.' };
  const codes = async function* (): AsyncGenerator<Buffer> {
    // More than one block, so that names are looked up before.
    yield Buffer.from(`name,code\n${'Rex,r1\n'.repeat(20_000)}`);
    expect((await petstore(['restore', path('b.db'), '--yes'])).exitCode).toBe(0);
  };
  await expect(shop.importCodes({ bytes: codes(), format: 'csv', map: new Map() }, { mode: 'atomic' })).rejects.toMatchObject(restored);
  const before = allRows();
  // As a client imports after its preview, here of the replaced shop.
  const options: StockImportOptions = { mode: 'atomic', match: 'name', previewedAt: 20 };
  await expect(shop.importStock(csv('name,quantity', 'Rex,13'), options)).rejects.toMatchObject(restored);
  expect(allRows()).toEqual(before);
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
    changeFile(store, 'PRAGMA foreign_keys = OFF', 'PRAGMA legacy_alter_table = ON', `DROP TABLE ${table}`);
    const { exitCode, stderr } = await petstore(`backup ${path('c.db')}`);
    expect([exitCode, stderr]).toEqual([7, expect.stringContaining(`error: ${store} does not have the schema of a petstore shop: table ${table}`)]);
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
