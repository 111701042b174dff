import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { runAll, testWithoutShop, testInShop } from '../support/cli.js';

/** Flags and arguments with an empty value. */
const lines: readonly (readonly string[])[] = [
  ['--store', '', 'status'],
  ['--store=', 'status'],
  ['--store', ' ', 'status'],
  ['init', '--store', ''],
  ['-P', '', 'status'],
  ['--profile=', 'status'],
  ['--format', '', 'pet', 'list'],
  ['--fields', '', 'pet', 'list'],
  ['--color', '', 'pet', 'list'],
  ['--wait', '', 'pet', 'list'],
  ['copy', '--from', '', '--to', 'x.db'],
  ['copy', '--from', 'shop.db', '--to', ''],
  ['backup', ''],
  ['restore', '', '--yes'],
  ['inventory', 'import', ''],
  ['inventory', 'diff', ''],
  ['inventory', 'import', '-', '--rejects', ''],
  ['inventory', 'import', '-', '--input-format', ''],
  ['inventory', 'import', '-', '--delimiter', ''],
  ['pet', 'import', ''],
  ['pet', 'list', '--status', ''],
  ['pet', 'list', '--sort', ''],
  ['order', 'list', '--pet', ''],
  ['order', 'list', '--from', ''],
  ['log', '--kind', ''],
  ['log', '--since', ''],
  ['serve', '--host', ''],
  ['serve', '--port', ''],
  ['serve', '--socket', ''],
  ['serve', '--base-path', ''],
  ['serve', '--auth', ''],
  ['serve', '--allowed-host', ''],
  ['serve', '--cors-origin', ''],
  ['token', 'create', 'till', '--scope', ''],
  ['token', 'create', 'till', '--scope', 'admin', '--expires', ''],
  ['profile', 'add', 'till', '--store', ''],
  ['profile', 'add', 'till', '--store', 'x.db', '--token-file', ''],
  ['profile', 'add', 'till', '--store', 'x.db', '--token-command', ''],
  ['profile', 'use', ''],
  ['config', 'set', 'store', ''],
  ['config', 'set', 'profile', ''],
  ['config', 'set', 'wait', ''],
  ['config', 'set', 'format', ' '],
];

for (const words of lines) {
  testInShop(`${words.map((word) => word || '""').join(' ')} is refused instead of using the default`, async ({ petstore, expectUnchanged, path }) => {
    const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore(words, { stdin: 'petId,quantity\n1,5\n' }));
    expect([exitCode, stdout, stderr.split('\n')[0]]).toEqual([2, '', expect.stringMatching(/^error: /)]);
    expect(existsSync(path('config.json'))).toBe(false);
  });
}

for (const name of ['PETSTORE_STORE', 'PETSTORE_PROFILE', 'PETSTORE_CONFIG', 'PETSTORE_FORMAT', 'PETSTORE_ACTOR', 'PETSTORE_TOKEN']) {
  testInShop(`refuses an empty ${name} instead of using the default`, async ({ petstore, expectUnchanged }) => {
    for (const line of ['pet list', 'status', 'init', 'pet hold 1', 'config list']) {
      const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore(line, { environment: { [name]: '' } }));
      expect([line, exitCode, stdout, stderr]).toEqual([line, 2, '', `error: ${name} is empty.\nhint: unset ${name}\n`]);
    }
  });
}

for (const settings of ['{"store": ""}', '{"store": " "}', '{"profile": ""}', '{"format": ""}', '{"profiles": {"a": {"store": ""}}}']) {
  testInShop(`refuses settings of ${settings}`, async ({ petstore, expectUnchanged, file }) => {
    file('config.json', settings);
    const { exitCode, stdout, stderr } = await expectUnchanged(() => petstore('pet list'));
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('config.json cannot be used')]);
  });
}

testWithoutShop('--no-profile uses no profile', async ({ petstore, path }) => {
  await runAll({ petstore } as Parameters<typeof runAll>[0], [
    `init --store ${path('till.db')}`,
    `profile add till --store ${path('till.db')}`,
    'profile use till',
  ]);
  const around = { environment: { PETSTORE_STORE: undefined } };
  expect((await petstore('config get profile', around)).stdout).toBe('till\n');
  expect((await petstore('--no-profile config get profile', around)).stdout).toBe('\n');
  expect((await petstore('config get profile --no-profile', { environment: { PETSTORE_PROFILE: 'till' } })).stdout).toBe('\n');
});
