import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { prepare, runHosted, runShell } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const deliveries = join(folder, 'deliveries.csv');
const pets = join(folder, 'pets.csv');

beforeAll(async () => {
  await prepare(store, ['init'], ['category', 'create', '--name', 'Fish'], ['pet', 'create', '--name', 'Koi', '--category', '1', '--quantity', '5']);
  writeFileSync(deliveries, 'petId,delta\n1,1\n1,2\n');
  writeFileSync(pets, 'name,category\nNemo,Fish\nDory,Fish\n');
});
const noRoom = 'but its result could not be written: Standard output cannot be written: the disk is full.';

/** Changes whose result cannot be written, the error, and a command that shows the change. */
const changes: readonly (readonly [line: string, message: string, hint: string, shows: readonly string[], stdout: string])[] = [
  ['inventory set 1 6', `The change was made, ${noRoom}`, 'petstore log', ['inventory', 'view', '1', '--fields', 'quantity'], 'quantity\n6\n'],
  ['pet hold 1 --json', `The change was made, ${noRoom}`, 'petstore log', ['pet', 'view', '1', '--fields', 'status'], 'pending\n'],
  [`inventory import ${deliveries}`, `The change was made, ${noRoom}`, 'petstore log', ['inventory', 'view', '1', '--fields', 'quantity'], '9\n'],
  [
    `inventory import ${deliveries} --key again --format ndjson`,
    `The change was made, ${noRoom}`,
    'petstore log',
    ['inventory', 'view', '1', '--fields', 'quantity'],
    '12\n',
  ],
  ['inventory undo 2 --yes', `The change was made, ${noRoom}`, 'petstore log', ['inventory', 'view', '1', '--fields', 'quantity'], '9\n'],
  ['token create till --scope admin', `The change was made, ${noRoom}`, 'petstore token list', ['token', 'list', '--fields', 'name'], 'till\n'],
  ['token revoke till --yes', `The change was made, ${noRoom}`, 'petstore token list', ['token', 'list', '--fields', 'name'], ''],
  [`pet import ${pets} --format ndjson`, `The change was made, ${noRoom}`, 'petstore log', ['pet', 'list', '--format', 'count'], '3\n'],
];

for (const [line, message, hint, shows, stdout] of changes) {
  test(`${line.replaceAll(folder, '.')}: reports the change when its result cannot be written`, async () => {
    const { exitCode, stderr } = await runShell(store, `petstore ${line} --quiet > /dev/full`);
    const [, told = '', next = ''] = line.includes('--json') || line.includes('ndjson') ? ['', '', ''] : (/^error: (.*)\nhint: (.*)\n$/.exec(stderr) ?? []);
    if (told === '') expect([exitCode, JSON.parse(stderr)]).toEqual([1, { error: { code: 'output_failed', message, status: 500, exitCode: 1, hint } }]);
    else expect([exitCode, told, next]).toEqual([1, message, hint]);
    const shown = await runHosted(store, shows);
    expect(shown.exitCode).toBe(0);
    if (stdout !== '' || shows[0] === 'token') expect(`${shown.stdout}`.endsWith(stdout.split('\n').slice(-2).join('\n'))).toBe(true);
  });
}

test('reports only the failed write when nothing was changed', async () => {
  for (const line of ['pet list', 'inventory set 1 9', 'pet hold 1 --dry-run', 'pet --help', '--json status']) {
    const { exitCode, stderr } = await runShell(store, `petstore ${line} > /dev/full`);
    expect([line, exitCode, stderr]).toEqual([line, 1, expect.stringContaining('Standard output cannot be written: the disk is full.')]);
    if (line !== 'inventory set 1 9') expect(stderr).not.toContain('The change was made');
  }
});

test('a reader that closes the pipe early is not an error, also for an import that prints rows', async () => {
  const { exitCode, stderr } = await runShell(
    store,
    `petstore inventory import ${deliveries} --key more --format ndjson | head -c 1 > /dev/null; exit \${PIPESTATUS[0]}`,
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  expect((await runHosted(store, ['inventory', 'view', '1', '--fields', 'quantity'])).stdout).toBe('12\n');
});
