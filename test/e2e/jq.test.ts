import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { jqThread } from '../../src/app/jq-thread.js';
import { builtFolder, environment, petstore, runHosted, runProgram, runShell, start, stockedShop } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const pets = 7000;

beforeAll(() => stockedShop(store, pets, 3));

const run = (line: string, expression: string) => runProgram(store, [...line.split(' '), '--jq', expression]);

test('the built program filters with jq, record by record too', async () => {
  const last = `.[-1].name`;
  expect(await run('pet list -L 2000', last)).toMatchObject({ exitCode: 0, stdout: 'Guppy 2000\n', stderr: '' });
  const { exitCode, stdout } = await run('pet list -L 2000 --format ndjson', 'select(.id % 1000 == 0).id');
  expect([exitCode, stdout]).toEqual([0, '1000\n2000\n']);
});

/** Expressions that would use memory without limit, and why they end. */
const excessive: readonly (readonly [expression: string, reason: string])[] = [
  ['"x" * 1e9', 'needs more than 256 MB of memory'],
  ['def f: [f]; f', 'needs more than 256 MB of memory'],
];

for (const [expression, reason] of excessive) {
  test(`the expression ${expression} ends: it ${reason}`, async () => {
    const { exitCode, stdout, stderr } = await run('pet view 1', expression);
    const message = `--jq failed: the expression ${reason}.`;
    expect([exitCode, stdout, stderr]).toEqual([2, '', `${JSON.stringify({ error: { code: 'usage', message, status: 400, exitCode: 2 } })}\n`]);
  });
}

test('an expression that runs too long is stopped', async () => {
  for (const endless of ['def f: f; f', 'repeat("x" * 1000000)']) {
    const { filter, close } = jqThread(builtFolder(), endless, 300);
    expect([endless, await filter('{}')]).toEqual([endless, { limit: 'time' }]);
    await close();
  }
});

test('a reader that closes the pipe ends the command without an error', async () => {
  const { stdout, stderr } = await runShell(store, `petstore pet list --jq '.[].name' | head -1; echo "\${PIPESTATUS[0]}" >&2`);
  expect([stderr, stdout]).toEqual(['0\n', 'Guppy 1\n']);
});

test('log --follow filters each entry as it is written', async () => {
  const { child, stop } = start(process.execPath, [petstore, 'log', '--follow', '-L', '1', '--jq', '.kind'], environment(store));
  let shown = '';
  child.stdout.on('data', (text: string) => (shown += text));
  const waits = { timeout: 60_000 };
  await expect.poll(() => shown, waits).toContain('opening\n');
  await runHosted(store, ['inventory', 'adjust', '1', '+1']);
  await expect.poll(() => shown, waits).toContain('adjust\n');
  await stop();
});
