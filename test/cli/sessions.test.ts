import { expect } from 'vitest';
import type { NewSession } from '../../src/domain/sessions/session-keeper.js';
import { localShop } from '../../src/storage/shop.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import { done, lines, refused, runAll, testInShop, type CliFixture } from '../support/cli.js';
import { offeredWords } from '../support/complete.js';

/** Starts a session of the token till and one of the owner, as a server does. */
async function twoSessions(cli: CliFixture): Promise<{ readonly started: readonly NewSession[]; readonly ids: readonly string[] }> {
  await runAll(cli, ['token create till --scope store:write']);
  let now = Date.parse('2026-11-20T09:00:00Z');
  const engine = await openSqlite(cli.store, { waitSeconds: 1 });
  const { tokens, sessions } = localShop(engine, { actor: 'ana', source: 'http', clock: () => now }, cli.store);
  const [token = expect.fail('There is no token.')] = await tokens.list();
  const first = await sessions.start({ token });
  now += 60_000;
  const started = [first, await sessions.start({ owner: 'ana' })];
  const ids = (await sessions.list()).map(({ id }) => id);
  await engine.close();
  return { started, ids };
}

testInShop('session list shows who is signed in, and neither a secret nor its digest', async (cli) => {
  const { petstore } = cli;
  expect(await petstore('session list', { terminal: 100 })).toEqual({ exitCode: 0, stdout: '', stderr: 'Nothing found.\n' });
  const { started, ids } = await twoSessions(cli);
  const [till = '', owner = ''] = ids;
  expect((await petstore('sessions ls', { terminal: 100 })).stdout).toBe(
    lines(
      'ID            Name  Signed in with  Since        Expires',
      `${till}  till  a token         today 09:00  today 21:00`,
      `${owner}  ana   serve --open    today 09:01  today 21:01`,
    ),
  );
  const { stdout } = await petstore('session list --json');
  expect(JSON.parse(stdout)).toEqual([
    { id: till, name: 'till', holder: 'token', createdAt: '2026-11-20T09:00:00.000Z', expiresAt: '2026-11-20T21:00:00.000Z' },
    { id: owner, name: 'ana', holder: 'owner', createdAt: '2026-11-20T09:01:00.000Z', expiresAt: '2026-11-20T21:01:00.000Z' },
  ]);
  for (const { text } of started) expect(stdout).not.toContain(text);
  expect((await petstore('session list --fields name,holder')).stdout).toBe('till\ttoken\nana\towner\n');
  expect((await petstore('session list --format ids')).stdout).toBe(`${till}\n${owner}\n`);
});

testInShop('session end ends one session or all, after a confirmation', async (cli) => {
  const { petstore, expectUnchanged } = cli;
  const { ids } = await twoSessions(cli);
  const [till = '', owner = ''] = ids;
  const listed = async (): Promise<string> => (await petstore('session list --format ids')).stdout;
  await expectUnchanged(async () => {
    expect((await petstore(`session end ${till}`)).exitCode).toBe(2);
    expect(await petstore(`session end ${till} --dry-run`)).toEqual(done(`Would end session ${till} (till). Dry run: nothing was changed.\n`));
    expect((await petstore('session end --all --dry-run')).stdout).toBe(
      lines(`Would end session ${till} (till).`, `Would end session ${owner} (ana).`, 'Dry run: nothing was changed.'),
    );
    expect(await petstore('session end')).toEqual(refused(2, 'error: Give a session or --all.', 'hint: petstore session list'));
    expect(await petstore(`session end ${till} --all --yes`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('Give a session or --all, not both.'),
    });
    expect(await petstore('session end x --yes')).toEqual(refused(3, 'error: There is no session x.', 'hint: petstore session list'));
  });
  expect(await petstore(`session end ${till} --yes`)).toEqual(done(`✓ Ended session ${till} (till).\n`));
  expect(await listed()).toBe(`${owner}\n`);
  expect(JSON.parse((await petstore('session end --all --yes --json')).stdout)).toMatchObject([{ id: owner, holder: 'owner' }]);
  expect(await listed()).toBe('');
  expect(await petstore('session end --all --yes')).toEqual({ exitCode: 0, stdout: '', stderr: 'There are no sessions.\n' });
});

testInShop('the ids of sessions are completed', async (cli) => {
  const { ids } = await twoSessions(cli);
  expect(await offeredWords(cli, 'session', 'end', '')).toEqual(ids.toSorted());
  for (const id of ids) expect(await offeredWords(cli, 'session', 'end', id.slice(0, 4))).toEqual([id]);
  expect(await offeredWords(cli, 'session', 'end', 'x')).toEqual([]);
});
