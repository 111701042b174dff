import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { testInShop } from '../support/cli.js';

/** Flags and arguments with an empty value. */
const lines: readonly (readonly string[])[] = [
  ['--store', '', 'status'],
  ['--store', ' ', 'status'],
  ['-P', '', 'status'],
  ['--format', '', 'pet', 'list'],
  ['--fields', '', 'pet', 'list'],
  ['--color', '', 'pet', 'list'],
  ['--wait', '', 'pet', 'list'],
  ['copy', '--from', '', '--to', 'x.db'],
  ['backup', ''],
  ['restore', '', '--yes'],
  ['inventory', 'import', ''],
  ['inventory', 'import', '-', '--rejects', ''],
  ['inventory', 'import', '-', '--delimiter', ''],
  ['pet', 'list', '--status', ''],
  ['order', 'list', '--pet', ''],
  ['order', 'list', '--from', ''],
  ['log', '--kind', ''],
  ['serve', '--socket', ''],
  ['serve', '--base-path', ''],
  ['serve', '--cors-origin', ''],
  ['token', 'create', 'till', '--scope', ''],
  ['token', 'create', 'till', '--scope', 'admin', '--expires', ''],
  ['profile', 'add', 'till', '--store', 'x.db', '--token-file', ''],
  ['profile', 'use', ''],
  ['config', 'set', 'store', ''],
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
