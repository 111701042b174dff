import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyCommand } from '../../src/cli/command-groups.js';
import { environment, petstore, prepare, runHosted } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServerWith } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();
const variables = { PETSTORE_READ_ONLY: '1' };

test('PETSTORE_READ_ONLY leaves the file of the shop as it is, byte for byte, whatever command runs', async () => {
  const store = join(folder, 'commands.db');
  await prepare(store, ['init', '--sample']);
  const before = readFileSync(store);
  const own = { ...variables, PETSTORE_CONFIG: join(folder, 'config.json') };
  const all = (await everyCommand()).map(({ command }) => command);
  const changing = new Set<string>();
  for (const { path, mutates, examples } of all) {
    if (['serve', 'mcp'].includes(path[0])) continue;
    const line = examples.find((one) => !one.includes('|') && !one.includes('--store') && !one.includes('--help')) ?? `petstore ${path.join(' ')}`;
    const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].slice(1).map(([word]) => word.replaceAll('"', ''));
    for (const file of words.filter((word) => word.endsWith('.csv'))) writeFileSync(join(folder, file), 'petId,quantity\n1,5\n');
    const { exitCode, stderr } = await runHosted(store, words, own, folder);
    if (!mutates || (path[0] === 'doctor' && !words.includes('--repair'))) continue;
    changing.add(path.join(' '));
    expect([line, exitCode, stderr]).toEqual([line, 4, expect.stringContaining('PETSTORE_READ_ONLY is set')]);
  }
  expect(changing.size).toBeGreaterThan(35);
  expect(readFileSync(store).equals(before)).toBe(true);
});

test('a server answers reads under PETSTORE_READ_ONLY, and refuses changes and imports', async () => {
  const store = join(folder, 'served.db');
  await prepare(store, ['init', '--sample']);
  const before = readFileSync(store);
  const { address, child, ended } = await startServerWith(environment(store, variables), petstore);
  expect((await ask(address, 'GET', '/pets/1/details')).status).toBe(200);
  expect((await ask(address, 'GET', '/store/reports/stock')).status).toBe(200);
  const refused = { status: 503, code: 'store_read_only' };
  expect(await ask(address, 'PUT', '/store/inventory/1', { body: { quantity: 5 } })).toMatchObject(refused);
  expect(await ask(address, 'POST', '/store/imports', { body: [{ petId: 1, quantity: 5 }] })).toMatchObject(refused);
  expect((await ask(address, 'GET', '/readyz?write=true')).status).toBe(503);
  child.kill('SIGTERM');
  expect((await ended).exitCode).toBe(0);
  expect(readFileSync(store).equals(before)).toBe(true);
});
