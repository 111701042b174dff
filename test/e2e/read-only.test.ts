import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environment, petstore, prepare } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServerWith } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

test('a server answers reads under PETSTORE_READ_ONLY, and refuses changes and imports', async () => {
  const store = join(folder, 'served.db');
  await prepare(store, ['init', '--sample']);
  const before = readFileSync(store);
  const { address, stop } = await startServerWith(environment(store, { PETSTORE_READ_ONLY: '1' }), petstore);
  expect((await ask(address, 'GET', '/pets/1/details')).status).toBe(200);
  expect((await ask(address, 'GET', '/store/reports/stock')).status).toBe(200);
  const refused = { status: 503, code: 'store_read_only' };
  expect(await ask(address, 'PUT', '/store/inventory/1', { body: { quantity: 5 } })).toMatchObject(refused);
  expect(await ask(address, 'POST', '/store/imports', { body: [{ petId: 1, quantity: 5 }] })).toMatchObject(refused);
  expect((await ask(address, 'GET', '/readyz?write=true')).status).toBe(503);
  expect((await stop()).exitCode).toBe(0);
  expect(readFileSync(store).equals(before)).toBe(true);
});
