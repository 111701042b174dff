import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from 'vitest';
import { defaultStorePath } from '../../src/settings/store-address.js';
import { schemaVersion } from '../../src/storage/migrations/migrations.js';
import { runAll, testWithoutShop, done, testInShop, lines, refused } from '../support/cli.js';

testInShop('--quiet suppresses notes but not errors', async (cli) => {
  const { petstore } = cli;
  expect(await petstore('pet hold 1 --dry-run --quiet')).toEqual(done('Would put pet 1 (Rex) on hold. Dry run: nothing was changed.\n'));
  expect(await petstore('pet list --search nobody -q', { terminal: 80 })).toEqual(done(''));
  expect(await petstore('-q pet hold 1 --dry-run')).toEqual(done('Would put pet 1 (Rex) on hold. Dry run: nothing was changed.\n'));
  expect(await petstore('pet import - --quiet', { stdin: 'name,category,colour\nMax,Dogs,red\n' })).toEqual(
    done('✓ 1 applied, 0 unchanged, 0 rejected   batch 1\n'),
  );
  expect(await petstore('pet view 99 --quiet')).toEqual(refused(3, 'error: Pet 99 was not found.', 'hint: petstore pet list'));
  expect((await petstore('order place --pet 5 -q')).stderr).toBe('error: Pet 5 is on hold.\nhint: petstore pet release 5\n');
});

testInShop('--debug adds timings and stacks to standard error only', async ({ petstore }) => {
  const plain = await petstore('pet list');
  const debugged = await petstore('pet list --debug');
  expect([debugged.exitCode, debugged.stdout]).toEqual([0, plain.stdout]);
  expect(debugged.stderr).toMatch(/^pet list: \d+ ms\n$/);
  const failed = await petstore('pet view 99 --debug');
  expect([failed.exitCode, failed.stdout]).toEqual([3, '']);
  expect(failed.stderr).toMatch(
    /^pet view: \d+ ms\n[^]*StoreError: Pet 99 was not found\.\n {4}at [^]*\nerror: Pet 99 was not found\.\nhint: petstore pet list\n$/,
  );
});

testInShop('prints no stack without --debug', async ({ petstore, sql }) => {
  sql('DROP TABLE orders');
  for (const line of ['order list', 'order list --json', 'pet view 99', 'pet view x']) expect((await petstore(line)).stderr).not.toMatch(/\n? {4}at /);
});

testInShop('--store overrides PETSTORE_STORE and can be relative', async (cli) => {
  const { petstore, path, store } = cli;
  await runAll(cli, [`init --store ${path('other.db')}`, `category create --name Newts --store ${path('other.db')}`]);
  expect(await petstore(`category list --store ${path('other.db')} --fields name`)).toEqual(done('Newts\n'));
  expect(await petstore(`--store=${relative(process.cwd(), path('other.db'))} category list --fields name`)).toEqual(done('Newts\n'));
  expect(await petstore('category list --fields name', { environment: { PETSTORE_STORE: path('other.db') } })).toEqual(done('Newts\n'));
  expect(JSON.parse((await petstore('status --json')).stdout)).toMatchObject({ store, categories: 3 });
});

testWithoutShop('the default shop is in the data folder of the user', async ({ petstore }) => {
  expect(defaultStorePath()).toMatch(/petstore.*shop\.db$/);
  if (existsSync(defaultStorePath())) return;
  const { exitCode, stderr } = await petstore('pet list', { environment: { PETSTORE_STORE: undefined } });
  expect([exitCode, stderr]).toEqual([7, lines(`error: There is no shop at ${defaultStorePath()}.`, 'hint: petstore init')]);
  expect(existsSync(defaultStorePath())).toBe(false);
});

testInShop('refuses a shop of a newer version without changing it', async ({ petstore, sql, store, expectUnchanged }) => {
  sql(`PRAGMA user_version = ${schemaVersion() + 1}`);
  await expectUnchanged(async () => {
    expect(await petstore('pet hold 1')).toEqual(
      refused(
        7,
        `error: ${store} was made by a newer petstore (schema ${schemaVersion() + 1}; this version supports ${schemaVersion()}).`,
        'hint: Install the newer version.',
      ),
    );
    expect((await petstore('init')).exitCode).toBe(7);
  });
});

testInShop('refuses a file that is not a shop without changing it', async ({ petstore, file, path, read, sql, store }) => {
  const text = file('notes.txt', 'Buy cat food.\n'.repeat(100));
  const { exitCode, stdout, stderr } = await petstore(`pet list --store ${text}`);
  expect([exitCode, stdout, stderr]).toEqual([7, '', `error: ${text} is not a petstore shop.\n`]);
  expect((await petstore(`init --store ${text}`)).exitCode).toBe(7);
  expect(read('notes.txt')).toBe('Buy cat food.\n'.repeat(100));
  sql('PRAGMA application_id = 1');
  expect(await petstore('pet list')).toEqual(refused(7, `error: ${store} is a database of another program, not a petstore shop.`));
  expect(await petstore(`pet list --store ${path('.')}`)).toEqual(
    refused(7, `error: ${path('.')} is not a file.`.replace(/\/\. is/, ' is'), 'hint: Choose another path with --store <path>.'),
  );
});
