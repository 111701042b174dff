import { rmSync, truncateSync } from 'node:fs';
import { expect } from 'vitest';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { runAll, dump, testInShop, type CliFixture } from '../support/cli.js';
import { changeFile, damagePage } from '../support/raw-store.js';

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
  changeFile(
    path('b.db'),
    // Two tokens swap their names, and one gets every scope.
    "UPDATE tokens SET revoked_at = created_at; UPDATE tokens SET name = iif(name = 'till', 'web', 'till'), scopes = 'admin', revoked_at = NULL",
    // A second row with the hash of the first token, which a lookup could find instead.
    "INSERT INTO tokens SELECT 99, 'evil', digest, 'admin', created_at, NULL, NULL, NULL FROM tokens WHERE id = 1",
  );
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
  damagePage(store, 'tokens', (page) => page.fill(0xff));
  const ran = await petstore(['restore', path('b.db'), '--yes']);
  expect([ran.exitCode, ran.stdout.includes('revoked: till\n')]).toEqual([0, true]);
  expect((await petstore('token list --format count')).stdout).toBe('0\n');
});
