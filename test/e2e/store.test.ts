import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { petstore as program, prepare, runHosted, runProgram, runShell } from '../support/program.js';
import { skipWith, missingTool } from '../support/optional-tools.js';
import { testFolder } from '../support/files.js';
import { changeFile } from '../support/raw-store.js';

const folder = testFolder();
let store = '';
let count = 0;

beforeEach(() => {
  count += 1;
  store = join(folder, `${count}`, 'shop.db');
});

test('reports a full disk for a new shop', async () => {
  mkdirSync(join(store, '..'));
  const { exitCode, stderr } = await runShell(store, 'ulimit -f 1; petstore init --json');
  // For SQLite a file size limit is a failed write, unlike a full disk.
  expect([exitCode, stderr]).toEqual([7, expect.stringMatching(/"code":"store_(full|unreadable)","message":"[^"]*shop\.db/)]);
  expect(await runHosted(store, ['init'])).toMatchObject({ exitCode: 0 });
});

const as = (uid: number): string => `setpriv --reuid ${uid} --regid ${uid} --clear-groups`;
const stranger = as(65_534);
const noStranger = missingTool('setpriv(1), the right to use it, and a Node that every user can start,', 'bash', [
  '-c',
  `${stranger} "${process.execPath}" --version`,
]);

/** A copy of the program that every user can read: the clone may be below a folder that only root may enter. */
function readableProgram(): string {
  const root = join(program, '../..');
  const copy = join(folder, 'program');
  for (const name of ['bin', 'dist', 'package.json', 'node_modules/better-sqlite3', 'node_modules/better-sqlite3-13'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy, name), { recursive: true });
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  return join(copy, 'bin/petstore.js');
}

test('doctor --repair refuses another user what only the owner may change', async (context) => {
  skipWith(noStranger, context);
  await prepare(store, ['init']);
  const copy = readableProgram();
  // Without a WAL readers need no other files.
  changeFile(store, 'PRAGMA journal_mode = DELETE');
  const other = `petstore() { ${stranger} "${process.execPath}" "${copy}" "$@"; }`;
  expect(await runShell(store, `${other}; petstore doctor`)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`can access ${store} (644); `) as string,
  });
  const refused = await runShell(store, `${other}; petstore doctor --repair --yes`);
  expect(refused).toMatchObject({ exitCode: 7, stdout: '', stderr: expect.stringContaining(`error: ${store} cannot be written to.\n`) as string });
});

test('a user without an entry in the user database and without HOME, as in a container, has a shop in /', async (context) => {
  skipWith(noStranger, context);
  const unknown = `petstore() { env -u HOME -u PETSTORE_STORE -u PETSTORE_CONFIG ${as(59_991)} "${process.execPath}" "${readableProgram()}" "$@"; }`;
  const { exitCode, stderr } = await runShell(store, `${unknown}; petstore status`);
  expect([exitCode, stderr]).toEqual([7, 'error: There is no shop at /.local/share/petstore/shop.db.\nhint: petstore init\n']);
});

test('six concurrent init --sample fill the shop once', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => runProgram(store, ['init', '--sample', '--json'])));
  expect(all.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  expect(all.filter(({ stdout }) => (JSON.parse(stdout) as { readonly filled: boolean }).filled)).toHaveLength(1);
});

test('the built program has the version of its package', async () => {
  const { version } = JSON.parse((await import('node:fs')).readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  const said = await runProgram(store, ['--version']);
  expect(said).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[\d.]+ \((commit [0-9a-f]{8}, )?Node [\d.]+\)\n$/), stderr: '' });
  const told = JSON.parse((await runHosted(store, ['version', '--json'])).stdout) as Record<string, string>;
  expect(told).toMatchObject({ version, node: process.versions.node, platform: `${process.platform}-${process.arch}`, sqlite: expect.stringMatching(/^3\./) });
  expect(said.stdout).toBe(`${version} (${told['commit'] === undefined ? '' : `commit ${told['commit']}, `}Node ${told['node']})\n`);
});

test('a change leaves no other files next to the shop', async () => {
  await prepare(store, ['init'], ['pet', 'list'], ['category', 'create', '--name', 'Dogs'], ['pet', 'create', '--name', 'Rex', '--category', '1']);
  expect([existsSync(`${store}-wal`), existsSync(`${store}-shm`)]).toEqual([false, false]);
});
