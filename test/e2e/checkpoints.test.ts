import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { environment, petstore, prepare, start } from '../support/program.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

/** Preloaded code that moves the shop away once, just before the checkpoint thread opens it. */
function movingScript(store: string, away: string): string {
  return `
const { renameSync } = require('node:fs');
const { isMainThread, workerData } = require('node:worker_threads');
if (!isMainThread && workerData.purpose === 'checkpoints') {
  try {
    renameSync(${JSON.stringify(`${store}.go`)}, ${JSON.stringify(`${store}.gone`)});
    renameSync(${JSON.stringify(store)}, ${JSON.stringify(away)});
  } catch {}
}`;
}

test('a server whose shop is missing for a moment logs the failed checkpoint and continues', async () => {
  const [store, away, code] = [join(folder, 'shop.db'), join(folder, 'away.db'), join(folder, 'mover.cjs')];
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs']);
  writeFileSync(code, movingScript(store, away));
  writeFileSync(`${store}.go`, '');
  const { child, ended, stop } = start(process.execPath, ['--require', code, petstore, 'serve', '--port', '0'], environment(store));
  onTestFinished(() => void child.kill('SIGKILL'));
  const address = await new Promise<string>((resolve) => child.stdout.once('data', (text: string) => resolve(text.trim())));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: string) => {
      log += text;
      if (log.includes('"checkpoints failed"')) resolve();
    });
    void ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)));
  });
  expect([(await ask(address, 'GET', '/livez')).status, (await ask(address, 'GET', '/readyz')).code]).toEqual([200, 'store_unreachable']);
  renameSync(away, store);
  expect((await ask(address, 'GET', '/readyz')).status).toBe(200);
  const before = statSync(store).mtimeMs;
  expect((await ask(address, 'POST', '/categories', { body: { name: 'Cats' } })).status).toBe(201);
  // In a server only that thread moves commits from the WAL into the file.
  for (let turn = 0; turn < 200 && statSync(store).mtimeMs === before; turn += 1) await sleep(50);
  expect(statSync(store).mtimeMs).toBeGreaterThan(before);
  const { exitCode, stderr } = await stop();
  const failures = stderr.split('\n').filter((line) => line.includes('"checkpoints failed"'));
  expect([exitCode, failures.map((line) => JSON.parse(line) as unknown)]).toEqual([0, [expect.objectContaining({ error: 'unable to open database file' })]]);
});

test('a server that only reads leaves no WAL file when it stops', async () => {
  const store = join(folder, 'read.db');
  await prepare(store, ['init'], ['category', 'create', '--name', 'Dogs'], ['pet', 'create', '--name', 'Rex', '--category', 'Dogs']);
  const { address, stop } = await startServer(store);
  // An import runs on another thread.
  const sent = { body: 'petId,quantity\n1,7\n', headers: { 'content-type': 'text/csv' } };
  expect((await ask(address, 'POST', '/store/imports', sent)).status).toBe(200);
  expect((await ask(address, 'GET', '/pets/1/details')).json()).toMatchObject({ inventory: { quantity: 7 } });
  expect(statSync(`${store}-wal`).size).toBeGreaterThan(0);
  expect((await stop()).exitCode).toBe(0);
  expect(existsSync(`${store}-wal`)).toBe(false);
});
