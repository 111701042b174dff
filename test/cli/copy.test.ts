import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { runAll, testWithoutShop, done, dump, testInShop, refused, type CliFixture, type CommandResult } from '../support/cli.js';
import { createRawStore, rawRows } from '../support/raw-store.js';
import { withMigration } from '../support/second-migration.js';

const useNewShopNote = 'To use the copy, name it with --store or PETSTORE_STORE.\n';

/** The lines of the tables, with masked checksums. */
function tables({ stdout }: CommandResult): readonly string[] {
  return stdout.split('\n').map((line) => line.replace(/ {2}[0-9a-f]{12}$/, '  …'));
}

const countedTables = [
  'categories        3  …',
  'pets              5  …',
  'orders            4  …',
  'stock             5  …',
  'codes             0  …',
  'settings          0  …',
  'batches           0  …',
  'batch_errors      0  …',
  'ledger           17  …',
  'counts            0  …',
  'count_pets        0  …',
  'count_lines       0  …',
  'tokens            0  …',
  'replays           0  …',
  'hooks             0  …',
  'hook_deliveries   0  …',
];

const copyTo = ({ store, path }: CliFixture, name: string, more = ''): string => `copy --from ${store} --to ${path(name)}${more}`;

testInShop('copy creates a shop and prints what it copied', async (cli) => {
  const { petstore, store, path, expectUnchanged } = cli;
  const ran = await expectUnchanged(() => petstore(copyTo(cli, 'below/new.db')));
  expect([ran.exitCode, ran.stderr]).toEqual([0, useNewShopNote]);
  expect(tables(ran)).toEqual([...countedTables, `✓ Copied 34 rows from ${store} to ${path('below/new.db')} and compared them.`, '']);
  expect(dump(path('below/new.db'))).toEqual(cli.allRows());
  expect((await petstore(['pet', 'list', '--store', path('below/new.db')])).stdout).toBe((await petstore('pet list')).stdout);
});

testInShop('copy --json prints complete checksums, which a copy of the copy shares', async (cli) => {
  const { petstore, store, path } = cli;
  const first = await petstore(copyTo(cli, 'new.db', ' --json'));
  const report = JSON.parse(first.stdout) as { readonly tables: readonly unknown[] };
  expect(report).toEqual({ from: store, to: path('new.db'), tables: expect.any(Array) as unknown, verified: true });
  expect(report.tables[0]).toEqual({ name: 'categories', rows: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown });
  expect(report.tables[4]).toEqual({ name: 'codes', rows: 0, sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' });
  const second = await petstore(['copy', '--from', path('new.db'), '--to', path('third.db'), '--format', 'ndjson', '--quiet']);
  expect(second).toEqual(done(`${JSON.stringify({ ...report, from: path('new.db'), to: path('third.db') })}\n`));
});

testInShop('copy --dry-run counts rows and creates nothing', async (cli) => {
  const { petstore, path, store, expectUnchanged } = cli;
  const ran = await expectUnchanged(() => petstore(copyTo(cli, 'new.db', ' --dry-run')));
  expect([ran.exitCode, ran.stderr]).toEqual([0, 'Dry run: nothing was changed.\n']);
  expect(tables(ran)).toEqual([...countedTables, `Would copy 34 rows from ${store} to ${path('new.db')}.`, '']);
  expect(existsSync(path('new.db'))).toBe(false);
  expect(JSON.parse((await petstore(copyTo(cli, 'new.db', ' -n --json'))).stdout)).toMatchObject({ verified: false });
  await runAll(cli, [`init --store ${path('new.db')}`]);
  expect(await petstore(copyTo(cli, 'new.db', ' -n'))).toEqual(ran);
});

testInShop('refuses to copy onto another shop or onto itself', async (cli) => {
  const { petstore, path, store, expectUnchanged } = cli;
  await runAll(cli, [`init --sample --store ${path('other.db')}`]);
  const other = dump(path('other.db'));
  const filled = refused(
    4,
    `error: ${path('other.db')} has a shop already, with 36 pets; a shop can only be copied to an empty store.`,
    'hint: Choose another target with --to.',
  );
  for (const more of ['', ' --dry-run']) expect(await expectUnchanged(() => petstore(copyTo(cli, 'other.db', more)))).toEqual(filled);
  expect(dump(path('other.db'))).toEqual(other);
  symlinkSync(store, path('link.db'));
  const itself = (name: string): CommandResult => refused(2, `error: ${store} and ${path(name)} are the same store.`, 'hint: Choose another target with --to.');
  for (const name of ['shop.db', 'link.db']) expect(await expectUnchanged(() => petstore(copyTo(cli, name)))).toEqual(itself(name));
  const one = ['postgres://ana:s3cret@db.example/shop', 'postgresql://bob:s3cret@DB.example:5432/shop'] as const;
  expect(await petstore(['copy', '--from', one[0], '--to', one[1]])).toEqual(
    refused(2, 'error: postgres://ana@db.example/shop and postgresql://bob@DB.example:5432/shop are the same store.', 'hint: Choose another target with --to.'),
  );
});

testInShop('a refused copy does not change its target', async (cli) => {
  const { petstore, path } = cli;
  await runAll(cli, [`backup ${path('b.db')}`]);
  createRawStore(path('old.db'), rawRows);
  for (const name of ['b.db', 'old.db']) {
    const before = readFileSync(path(name));
    for (const more of ['', ' --dry-run']) {
      const { exitCode, stderr } = await withMigration(() => petstore(copyTo(cli, name, more)));
      expect([exitCode, stderr.startsWith(`error: ${path(name)} has a shop already, with `)]).toEqual([4, true]);
      expect([name, more, readFileSync(path(name)).equals(before)]).toEqual([name, more, true]);
    }
  }
});

testInShop('refuses the URL of a server as source or target', async (cli) => {
  const { petstore, store } = cli;
  const server = refused(
    2,
    'error: This works on files and databases, and https://shop.example/ is the address of a server.',
    'hint: Run it on the machine of the server, with its file or database.',
  );
  expect(await petstore(['copy', '--from', store, '--to', 'https://shop.example'])).toEqual(server);
  expect(await petstore(['copy', '--from', 'https://shop.example', '--to', store])).toEqual(server);
});

testWithoutShop('copy creates nothing without a source shop', async (cli) => {
  const { petstore, store, path } = cli;
  expect(await petstore(copyTo(cli, 'new.db'))).toEqual(refused(7, `error: There is no shop at ${store}.`, 'hint: Choose another shop with --from.'));
  expect([existsSync(store), existsSync(path('new.db'))]).toEqual([false, false]);
  expect(await petstore(['copy', '--to', store])).toEqual(refused(2, 'error: Copy which shop?', 'hint: Add --from shop.db.'));
  expect(await petstore(['copy', '--from', store])).toEqual(refused(2, 'error: Copy to where? The shop given is the one to copy.', 'hint: Add --to copy.db.'));
  expect((await petstore(['copy', '--from', 'mysql://x/y', '--to', store])).stderr).toMatch(/mysql:\/\/ is not an address/);
});
