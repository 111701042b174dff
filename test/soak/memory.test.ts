import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { isFullSize } from '../support/seeded-random.js';
import { runHosted, stockedShop } from '../support/program.js';
import { ask } from '../support/server.js';
import { peakMemory, startServer } from '../support/server-process.js';
import { rawRequest } from '../support/raw-connection.js';
import { testFolder } from '../support/files.js';

const megabyte = 1024 * 1024;
const folder = testFolder();
const store = join(folder, 'shop.db');
const pets = 600;

beforeAll(() => stockedShop(store, pets, 5));
/** A connection that sends bytes and never reads. */
async function unreadingClient(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** The statuses of reads by another client. */
async function statusesOfReads(address: string, times: number, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    statuses.push((await ask(address, 'GET', `/pets/${1 + (turn % pets)}/details`, { headers })).status);
    await sleep(20);
  }
  return statuses;
}

// The largest file has 1.7 MB, the longest list 40 KB, the document 150 KB.
const paths = ['/docs/swagger-ui-bundle.js', '/pets?limit=500', '/store/inventory?limit=500', '/openapi.json', '/docs'];
const requestsEach = isFullSize ? 1000 : 300;
const clientsEach = isFullSize ? 40 : 1;
// An idle server needs 65 MB; each unread answer may be in memory once.
const bound = (isFullSize ? 400 : 250) * megabyte;

async function expectBoundedMemory(
  headers: Readonly<Record<string, string>>,
  readerHeaders: Readonly<Record<string, string>>,
  ...flags: string[]
): Promise<void> {
  const server = await startServer(store, ...flags);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const clients: Socket[] = [];
  for (const path of paths) {
    const bytes = rawRequest(`GET ${path}`, ['Host: localhost', ...lines]).repeat(requestsEach);
    for (let client = 0; client < clientsEach; client += 1) clients.push(await unreadingClient(server.port, bytes));
  }
  const statuses = await statusesOfReads(server.address, isFullSize ? 500 : 25, readerHeaders);
  const peak = peakMemory(server);
  console.log(`${clients.length} clients with ${requestsEach} unread answers each: at most ${Math.round(peak / megabyte)} MB resident`);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(peak).toBeLessThan(bound);
}

test('clients that send many requests without reading answers do not exhaust the memory of a server', () => expectBoundedMemory({}, {}));

test('clients without reads do not exhaust the memory with tokens, without required tokens or above the rate limit', async () => {
  const tokenOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const { stdout } = await runHosted(store, ['token', 'create', name, '--scope', 'admin']);
    return { authorization: `Bearer ${/pst_\S+/.exec(stdout)?.[0] ?? ''}` };
  };
  const [unreading, reading] = [await tokenOf('unreading'), await tokenOf('reading')];
  await expectBoundedMemory(unreading, reading, '--auth', 'required');
  await expectBoundedMemory({}, reading, '--auth', 'required', '--rate-limit', '5000');
});

// Of one address, at most 2500 requests wait.
const floodingClients = isFullSize ? 400 : 30;

test.each([
  ['/livez', 200],
  ['/openapi.json', 20],
])('clients that send many unread requests for %s do not keep others from being answered', async (path, requests) => {
  const server = await startServer(store);
  const clients = Array.from({ length: floodingClients }, () => unreadingClient(server.port, rawRequest(`GET ${path}`).repeat(requests)));
  const statuses: number[] = [];
  for (const honest of ['/livez', '/readyz', '/docs', '/livez']) statuses.push((await ask(server.address, 'GET', honest)).status);
  await Promise.all(clients);
  statuses.push((await ask(server.address, 'GET', '/livez')).status);
  const peak = peakMemory(server);
  console.log(`${floodingClients} clients with ${requests} unread answers of ${path} each: at most ${Math.round(peak / megabyte)} MB resident`);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(peak).toBeLessThan(bound);
});
