import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { prepare, runHosted, runShell } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const store = join(folder, 'shop.db');
const deliveries = join(folder, 'deliveries.csv');

beforeAll(async () => {
  await prepare(store, ['init'], ['category', 'create', '--name', 'Fish'], ['pet', 'create', '--name', 'Koi', '--category', '1', '--quantity', '5']);
  writeFileSync(deliveries, 'petId,delta\n1,1\n1,2\n');
});

/** Changes whose result cannot be written, what to do next, and a command that shows the change. */
const changes: readonly (readonly [line: string, hint: string, shows: string, stdout: string])[] = [
  ['inventory set 1 6', 'petstore log', 'inventory view 1 --fields quantity', '6\n'],
  ['pet hold 1 --json', 'petstore log', 'pet view 1 --fields status', 'pending\n'],
  [`inventory import ${deliveries} --format ndjson`, 'petstore log', 'inventory view 1 --fields quantity', '9\n'],
  ['token create till --scope admin', 'petstore token list', 'token list --fields name', 'till\n'],
  ['count start', 'petstore count list', 'count list --fields state', 'open\n'],
  ['count add 1 1 7', 'petstore count list', 'count view --fields counted', '7\n'],
  ['count undo', 'petstore count list', 'count view --fields counted', '\n'],
];

for (const [line, hint, shows, stdout] of changes) {
  test(`${line.replaceAll(folder, '.')}: reports the change when its result cannot be written`, async () => {
    const { exitCode, stderr } = await runShell(store, `petstore ${line} --quiet > /dev/full`);
    const message = 'The change was made, but its result could not be written: Standard output cannot be written: the disk is full.';
    if (!/json/.test(line)) expect([exitCode, stderr]).toEqual([1, `error: ${message}\nhint: ${hint}\n`]);
    else expect([exitCode, JSON.parse(stderr)]).toEqual([1, { error: { code: 'output_failed', message, status: 500, exitCode: 1, hint } }]);
    expect(await runHosted(store, shows.split(' '))).toMatchObject({ exitCode: 0, stdout });
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
