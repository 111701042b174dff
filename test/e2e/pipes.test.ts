import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { environment, petstore, runHosted, runProgram, runShell, start, stockedShop } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const pets = 8000;

beforeAll(() => stockedShop(store, pets, 3));

/** Lists whose reader closes the pipe after the first line or at once. */
const cut: readonly (readonly [line: string, first: RegExp])[] = [
  ['petstore pet list | head -1', /^1\tGuppy 1\tFish\tavailable\t3\n$/],
  ['petstore pet list --json | head -1', /^\[\n$/],
  ['petstore pet list --format table -L 2000 | head -1', /^ +ID {2}Name /],
  ['petstore log --format ndjson | head -1', /^\{"id":1,/],
  ['petstore pet list | true', /^$/],
  ['petstore --help | true', /^$/],
];

for (const [line, first] of cut) {
  test(`${line} succeeds without output on standard error`, async () => {
    const { stdout, stderr } = await runShell(store, `${line}; echo "\${PIPESTATUS[0]}" >&2`);
    expect([stderr, stdout]).toEqual(['0\n', expect.stringMatching(first)]);
  });
}

test('log --follow begins with as many of the newest entries as --limit says, also more than a page has', async () => {
  const { child, stop } = start(process.execPath, [petstore, 'log', '--follow', '-L', '1200', '--format', 'ids'], environment(store));
  let shown = '';
  child.stdout.on('data', (text: string) => (shown += text));
  const newest = (await runHosted(store, ['log', '-L', '1200', '--format', 'ids'])).stdout;
  await expect.poll(() => shown, { timeout: 20_000 }).toBe(newest);
  await stop();
  expect(newest.split('\n')).toHaveLength(1201);
});

test('a common command loads no package or built-in module that it does not need', async () => {
  const hook = join(folder, 'loaded.cjs');
  // When the process ends: its files and packages, and the modules of Node that take long to load.
  writeFileSync(
    hook,
    `const slow = /^NativeModule (child_process|crypto|http|https|net|readline|stream|tls|worker_threads|zlib)$/;
    process.on('exit', () => require('fs').writeSync(2, [
      ...Object.keys(require.cache).filter((path) => path !== __filename).map((path) => require('path').basename(path)),
      ...process.moduleLoadList.filter((name) => slow.test(name)),
    ].join('|')));`,
  );
  const loaded = async (line: string, more: Readonly<Record<string, string>> = {}): Promise<readonly string[]> => {
    const { stderr } = await runProgram(store, line.split(' '), '', { NODE_OPTIONS: `--require "${hook}"`, ...more });
    return stderr.split('|').filter((name) => name !== '' && !name.endsWith('.node'));
  };
  // The second one is in the folder of the build that the first one names.
  const program = ['petstore.js', 'start.cjs', 'start.cjs'];
  for (const line of ['pet list -L 5', 'order list', 'inventory set 1 3', 'status', 'log -L 5', '--help']) {
    expect([line, await loaded(line)]).toEqual([line, program]);
  }
  const terminal = { PETSTORE_FORCE_TTY: '80' };
  // Chalk loads tty, as does every program that asks for the width of a terminal.
  const withTty = ['NativeModule stream', 'NativeModule net'];
  expect(await loaded('pet list -L 5', terminal)).toEqual([...program, 'chalk.cjs', 'cli-table3.cjs', ...withTty]);
  expect(await loaded('pet list -L 5', { ...terminal, NO_COLOR: '1' })).toEqual([...program, 'cli-table3.cjs']);
});

test('a sale from a pipe says of each line that it is part of it when the line arrives', async () => {
  const child = spawn(process.execPath, [petstore, 'sell', '-', '--dry-run'], { env: environment(store) as NodeJS.ProcessEnv });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  child.stdin.write('1\n');
  await expect.poll(() => said).toBe('1 × Guppy 1; 1 unit to sell\n');
  child.stdin.end('2\n');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toContain('1 × Guppy 2; 2 units to sell\n');
});

test('a closed standard error does not change the result', async () => {
  const failing = await runShell(store, `petstore pet view 999999 2>&1 >/dev/null | true; echo "\${PIPESTATUS[0]}"`);
  expect(failing).toMatchObject({ stdout: '3\n', stderr: '' });
  const noting = await runShell(store, `petstore pet hold 1 --dry-run 2>&1 >/dev/null | true; echo "\${PIPESTATUS[0]}"`);
  expect(noting).toMatchObject({ stdout: '0\n', stderr: '' });
});

test('a slow reader receives a long list completely', async () => {
  const slow = await runShell(store, 'petstore pet list | { sleep 0.5; cat; }');
  const lines = slow.stdout.split('\n');
  expect([lines.length, lines[0], lines.at(-2), slow.stderr]).toEqual([
    pets + 1,
    '1\tGuppy 1\tFish\tavailable\t3',
    `${pets}\tGuppy ${pets}\tFish\tavailable\t3`,
    '',
  ]);
  expect(slow.stdout.length).toBeGreaterThan(3 * 64 * 1024);
  const json = await runShell(store, 'petstore pet list --json | { sleep 0.5; cat; }');
  expect(JSON.parse(json.stdout)).toHaveLength(pets);
});

test('a long list is written completely to a non-blocking pipe', async () => {
  // A Node stream sets the pipe to non-blocking for all processes that share it.
  const other = `"${process.execPath}" -e "process.stdout.write(''); setTimeout(() => {}, 2000)"`;
  const { stdout, stderr } = await runShell(store, `{ ${other} & sleep 0.5; petstore pet list; } | { sleep 1.5; cat; }`);
  const lines = stdout.split('\n');
  expect([lines.length, lines.at(-2), stderr]).toEqual([pets + 1, `${pets}\tGuppy ${pets}\tFish\tavailable\t3`, '']);
});

test('a long answer is written completely', async () => {
  const ids = Array.from({ length: 800 }, (_, index) => `${index + 1}\n`).join('');
  const { exitCode, stdout } = await runProgram(store, ['pet', 'view', '-', '--json'], ids);
  expect([exitCode, stdout.length > 256 * 1024, JSON.parse(stdout)]).toEqual([0, true, expect.any(Array)]);
});

test('a closed standard input counts as empty', async () => {
  const list = await runShell(store, 'petstore pet list -L 1 <&-');
  expect([list.exitCode, list.stdout, list.stderr]).toEqual([0, '1\tGuppy 1\tFish\tavailable\t3\n', '']);
  const change = await runShell(store, 'petstore pet edit 1 --name "Guppy 1" <&-');
  expect([change.exitCode, change.stderr]).toEqual([0, '']);
  const ids = await runShell(store, 'petstore pet hold - <&-');
  expect([ids.exitCode, ids.stdout, ids.stderr]).toEqual([0, '', '']);
  const imported = await runShell(store, 'petstore inventory import - <&-');
  expect([imported.exitCode, imported.stderr]).toEqual([6, 'error: Standard input is empty.\n']);
});

test('a full disk for standard error does not change the result', async () => {
  for (const [line, code] of [
    ['pet view 999999', 3],
    ['pet edit 1 --category Fish', 0],
  ] as const) {
    const known = await runHosted(store, line.split(' '));
    expect(await runShell(store, `petstore ${line} 2> /dev/full`)).toMatchObject({ exitCode: code, stdout: known.stdout, stderr: '' });
  }
});

test('the output does not depend on the locale', async () => {
  const elsewhere = { LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' };
  for (const args of [['log', '-L', '3'], ['pet', 'list', '-L', '3', '--sort', 'name'], ['status']]) {
    expect(await runProgram(store, args, '', elsewhere)).toMatchObject(await runHosted(store, args));
  }
});
