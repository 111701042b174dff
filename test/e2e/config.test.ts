import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { prepare, runHosted, runProgram } from '../support/program.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');

beforeAll(() => prepare(store, ['init', '--sample']));
test('processes that change settings at the same time lose no change', async () => {
  const path = join(folder, 'shared.json');
  const names = Array.from({ length: 5 }, (_, index) => `shop-${index}`);
  const runs = await Promise.all(names.map((name) => runProgram(store, ['profile', 'add', name, '--store', store], '', { PETSTORE_CONFIG: path })));
  expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]?.slice(0, 6)])).toEqual(names.map(() => [0, 'Use it']));
  const { profiles } = JSON.parse(readFileSync(path, 'utf8')) as { readonly profiles: object };
  expect(Object.keys(profiles).toSorted()).toEqual(names);
  expect(readdirSync(folder).filter((name) => name.startsWith('shared'))).toEqual(['shared.json']);
});

test('reports files of a killed process and changes nothing', async () => {
  const path = join(folder, 'left.json');
  writeFileSync(path, '{}');
  writeFileSync(`${path}.lock`, '');
  const { exitCode, stderr } = await runHosted(store, ['config', 'set', 'wait', '3'], { PETSTORE_CONFIG: path });
  expect([exitCode, stderr]).toEqual([
    2,
    `error: Another petstore is changing the settings, or left its lock behind: ${path}.lock.\nhint: If no other petstore is running, remove it: rm ${path}.lock\n`,
  ]);
  expect(readFileSync(path, 'utf8')).toBe('{}');
  expect((await runHosted(store, ['config', 'get', 'wait'], { PETSTORE_CONFIG: path })).stdout).toBe('5\n');
});

test('a profile uses a server with a token from a file or a command, and only reads when it is read-only', async () => {
  const { stdout } = await runHosted(store, ['token', 'create', 'reader', '--scope', 'admin', '--quiet']);
  const token = stdout.trim();
  const { address } = await startServer(store, '--auth', 'required');
  const [path, file] = [join(folder, 'server.json'), join(folder, 'token')];
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  const env = { PETSTORE_CONFIG: path, PETSTORE_STORE: undefined };
  const run = (...words: readonly string[]) => runHosted('', words, env);
  expect((await run('--store', address, 'pet', 'view', '1')).exitCode).toBe(9);
  expect((await run('profile', 'add', 'file', '--store', address, '--token-file', file, '--readonly')).exitCode).toBe(0);
  expect((await run('profile', 'add', 'command', '--store', address, '--token-command', `cat '${file}' | cat`)).exitCode).toBe(0);
  expect(readFileSync(path, 'utf8')).not.toContain(token);
  for (const name of ['file', 'command']) expect((await run('-P', name, 'pet', 'view', '1', '--fields', 'id')).stdout).toBe('1\n');
  expect((await run('-P', 'file', 'pet', 'hold', '1')).exitCode).toBe(7);
  expect((await run('-P', 'command', 'pet', 'hold', '1')).exitCode).toBe(0);
  expect((await run('-P', 'command', 'config', 'list')).stdout).toMatch(/^token\tset\tprofile command$/m);
  await run('profile', 'add', 'broken', '--store', address, '--token-command', 'echo no such secret >&2; exit 4');
  expect(await run('-P', 'broken', 'pet', 'list')).toMatchObject({
    exitCode: 9,
    stderr:
      'no such secret\nerror: The token command of the profile broken ended with 4.\nhint: Run it yourself to see why; it is in the file that "petstore config path" shows.\n',
  });
});

test('refuses to copy to the shop of a read-only profile, but copies from it', async () => {
  const env = { PETSTORE_CONFIG: join(folder, 'copy.json'), PETSTORE_STORE: undefined };
  const run = (...words: readonly string[]) => runHosted('', words, env);
  const [missing, other] = [join(folder, 'missing.db'), join(folder, 'other.db')];
  await run('profile', 'add', 'empty', '--store', missing, '--readonly');
  await run('profile', 'add', 'audit', '--store', store, '--readonly');
  expect(await run('-P', 'empty', 'copy', '--from', store, '--to', missing)).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('is read-only') });
  expect(existsSync(missing)).toBe(false);
  expect((await run('-P', 'audit', 'copy', '--from', store, '--to', other)).exitCode).toBe(0);
});
