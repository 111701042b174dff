import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { copyProject, environment, prepare, start, type ProcessResult } from '../support/program.js';
import { startServerOf } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const copy = join(folder, 'copy');
const program = join(copy, 'bin/petstore.js');
const store = join(folder, 'shop.db');

beforeAll(async () => {
  copyProject(copy);
  cpSync(fileURLToPath(new URL('../../dist', import.meta.url)), join(copy, 'dist'), { recursive: true });
  await prepare(store, ['init', '--sample'], ['inventory', 'set', '3', '1000']);
});
const current = (): string => readFileSync(join(copy, 'dist/start.cjs'), 'utf8');

function build(): Promise<ProcessResult> {
  return start(process.execPath, [join(copy, '.config/build.js')], environment(store)).ended;
}

function run(...words: readonly string[]): Promise<ProcessResult> {
  const { child, ended } = start(process.execPath, [program, ...words], environment(store));
  child.stdin.end();
  return ended;
}

test('a build does not disturb the commands and the server that run meanwhile, also after builds that were stopped', async () => {
  const before = current();
  const [, name = ''] = /(build-\w+)/.exec(before) ?? [];
  for (const later of ['1', '2', '3']) mkdirSync(join(copy, 'dist', `${name}${later}`));
  const { address, stop } = await startServerOf(program, store);
  let isBuilding = true;
  const built = build().finally(() => (isBuilding = false));
  let sold = 0;
  while (isBuilding) {
    expect(await run('sell', '3')).toMatchObject({ exitCode: 0, stderr: '' });
    sold++;
    await sleep(500);
  }
  expect(await built).toMatchObject({ exitCode: 0, stderr: '' });
  expect(current()).not.toBe(before);
  expect((await run('inventory', 'view', '3', '--json')).stdout).toContain(`"quantity": ${1000 - sold}`);
  // The server loads these after the build: a worker thread, files of the documentation and of the board, the code of imports.
  const imported = await fetch(`${address}/store/imports`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'petId,delta\n3,-1\n' });
  expect([imported.status, await imported.json()]).toEqual([200, expect.objectContaining({ applied: 1 })]);
  for (const path of ['/docs/swagger-ui.css', '/board/', '/openapi.json']) {
    const answer = await fetch(`${address}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.arrayBuffer();
  }
  const { exitCode, stderr } = await stop();
  expect([exitCode, stderr]).toEqual([0, expect.not.stringMatching(/"level":"error"|Cannot find module|ENOENT/)]);
});

test('the set-up starts npm only when packages differ from the lock file, and does not remove the others', async () => {
  const [root, packages] = [fileURLToPath(new URL('../..', import.meta.url)), join(copy, 'node_modules')];
  rmSync(packages);
  mkdirSync(packages);
  for (const name of readdirSync(join(root, 'node_modules'))) symlinkSync(join(root, 'node_modules', name), join(packages, name));
  const installed = join(packages, '.package-lock.json');
  rmSync(installed);
  cpSync(join(root, 'node_modules/.package-lock.json'), installed);
  // Newer than the installed packages, as after every change of branch.
  cpSync(join(root, 'package-lock.json'), join(copy, 'package-lock.json'));
  const tools = join(folder, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'npm'), '#!/bin/sh\necho "npm $*" >&2\nexit 7\n', { mode: 0o755 });
  const path = `${tools}:${process.env['PATH'] ?? ''}`;
  const setUp = (): Promise<ProcessResult> => start(process.execPath, [join(copy, '.config/setup.js')], environment(store, { PATH: path })).ended;
  expect(await setUp()).toMatchObject({ exitCode: 0, stderr: '' });
  const { packages: locked, ...lock } = JSON.parse(readFileSync(installed, 'utf8')) as { readonly packages: Readonly<Record<string, unknown>> };
  const { 'node_modules/fastify': _, ...others } = locked;
  writeFileSync(installed, JSON.stringify({ ...lock, packages: others }));
  expect(await setUp()).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('\nnpm install --no-save ') as string });
});

test('a build that fails leaves the previous one in place, and nothing behind', async () => {
  const before = [current(), readdirSync(join(copy, 'dist'))];
  writeFileSync(join(copy, 'src/app/worker.ts'), 'this is no program');
  const { exitCode, stderr } = await build();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('src/app/worker.ts')]);
  expect([current(), readdirSync(join(copy, 'dist'))]).toEqual(before);
  expect(await run('pet', 'list', '--format', 'count')).toMatchObject({ exitCode: 0, stdout: '36\n' });
});
