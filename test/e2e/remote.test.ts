import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { prepare, runHosted } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');

beforeAll(() => prepare(store, ['init'], ['category', 'create', '--name', 'Dogs'], ['pet', 'create', '--name', 'Rex', '--category', '1', '--quantity', '5']));

test('an unreadable import file is reported the same on a file and through a server', async () => {
  const { address } = await startServer(store);
  const [missing, directory] = [join(folder, 'missing.csv'), join(folder, 'directory.csv')];
  mkdirSync(directory);
  for (const path of [missing, directory]) {
    for (const words of [
      ['inventory', 'import', path],
      ['inventory', 'import', path, '--dry-run'],
      ['pet', 'import', path],
    ]) {
      const here = await runHosted(store, words);
      expect([words, here.exitCode === 0, here.stdout, here.stderr]).toEqual([words, false, '', expect.stringContaining(path)]);
      expect(here.stderr).not.toMatch(/cannot be reached|Internal error|was lost|connection reset/);
      expect([words, await runHosted(address, words)]).toEqual([words, here]);
    }
  }
});

test('a large import without the scope is refused with the same error every time', async () => {
  const place = join(folder, 'tokens.db');
  await prepare(place, ['init']);
  const created = await runHosted(place, ['token', 'create', 'window', '--scope', 'store:read']);
  const [token = ''] = /pst_\d+_[\w-]{43}/.exec(created.stdout + created.stderr) ?? [];
  const { address } = await startServer(place);
  const path = join(folder, 'large.csv');
  writeFileSync(path, `petId,delta\n${'1,1\n'.repeat(1 << 20)}`);
  for (let turn = 0; turn < 4; turn += 1) {
    const { exitCode, stderr } = await runHosted(address, ['inventory', 'import', path], { PETSTORE_TOKEN: token });
    expect([turn, exitCode, stderr]).toEqual([turn, 9, expect.stringMatching(/^error: .*\bstore:write\b/)]);
  }
});

test('tokens and sessions are managed only on the machine of the shop', async () => {
  const { address } = await startServer(store);
  for (const [noun, words] of [
    ['session', 'list'],
    ['session', 'end --all --yes'],
    ['session', 'end 3f9a0c1b7d24 --dry-run'],
    ['token', 'list'],
    ['token', 'revoke till --yes'],
  ] as const) {
    const stderr = `error: ${noun === 'token' ? 'Tokens' : 'Sessions'} cannot be managed through ${address}.\nhint: Run petstore ${noun} on that machine, with --store <path>.\n`;
    expect([words, await runHosted(address, [noun, ...words.split(' ')])]).toMatchObject([words, { exitCode: 2, stdout: '', stderr }]);
  }
});
