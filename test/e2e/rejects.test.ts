import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { importLinesType } from '../../src/http/contract/media-types.js';
import { environment, petstore, prepare, runShell, start, type RunningProcess } from '../support/program.js';
import { testFolder } from '../support/files.js';

const folder = testFolder();

const rejectCount = 10;
const rejected = [
  'petId,delta,guarded,_line,_code,_message',
  ...Array.from({ length: rejectCount }, (_, index) => `99,1,,${index + 2},unknown_pet,There is no pet 99.`),
];

/** Imports at a server that answers with some refused rows, and then calls `next`. */
async function importAt(rejects: string, next: (response: ServerResponse) => void): Promise<RunningProcess> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': importLinesType });
      const row = { format: 'csv', header: ['petId', 'delta'], original: ['99', '1'] };
      for (let line = 2; line < rejectCount + 2; line += 1)
        response.write(`${JSON.stringify({ onRejected: [{ line, petId: 99, code: 'unknown_pet', message: 'There is no pet 99.' }, row] })}\n`);
      next(response);
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const running = start(process.execPath, [petstore, 'inventory', 'import', '-', '--rejects', rejects], environment(`http://127.0.0.1:${port}`));
  running.child.stdin.end('petId,delta\n99,1\n');
  return running;
}

test('the file of refused rows is complete when the connection is lost', async () => {
  const rejects = join(folder, 'lost.csv');
  const { ended } = await importAt(rejects, (response) => void setTimeout(() => response.destroy(), 100));
  expect((await ended).stderr).toContain('it is unknown whether the file was applied');
  expect(readFileSync(rejects, 'utf8').trimEnd().split('\n')).toEqual(rejected);
});

test('the file of refused rows has every row received before Ctrl-C', async () => {
  const rejects = join(folder, 'stopped.csv');
  const { child, ended } = await importAt(rejects, () => undefined);
  await expect.poll(() => statSync(rejects, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(0);
  // All rows came together with the first.
  await sleep(1000);
  child.kill('SIGINT');
  expect((await ended).signal).toBe('SIGINT');
  expect(readFileSync(rejects, 'utf8').trimEnd().split('\n')).toEqual(rejected);
});

test('the file of refused rows is complete when the reader of the output leaves', async () => {
  const store = join(folder, 'shop.db');
  await prepare(store, ['init', '--sample']);
  const rejects = join(folder, 'pipe.csv');
  const rows = 'for pet in $(seq 1 20); do echo $pet,1; done; for row in $(seq 1 500); do echo 99,1; done';
  await runShell(store, `(echo petId,delta; ${rows}) | petstore inventory import - --keep-going --format csv --rejects ${rejects} | true`);
  expect(readFileSync(rejects, 'utf8').trimEnd().split('\n')).toHaveLength(501);
});

test('refused rows can go into a pipe, as in --rejects >(sort)', async () => {
  const store = join(folder, 'piped.db');
  await prepare(store, ['init', '--sample']);
  const { stdout } = await runShell(store, `printf 'petId,delta\n99,1\n' | petstore inventory import - --rejects /dev/fd/3 3>&1 > /dev/null | cat`);
  expect(stdout.split('\n')).toEqual(['petId,delta,guarded,_line,_code,_message', rejected[1], '']);
});
