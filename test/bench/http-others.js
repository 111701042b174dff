import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { startServer } from './http-servers.js';
import { run } from './measure.js';
import { copyShop } from './shop.js';

const json = { method: 'PATCH', path: '/inventory/{id}', body: '{"quantity":{count}}' };
const get = (path) => ({ method: 'GET', path });

/** Other servers: their package, what they leave out, their program with its arguments, and their requests that correspond to ours. */
const others = [
  {
    name: 'json-server 0.17',
    needs: 'json-server@0.17.4',
    leavesOut: 'Keeps all records in memory and writes the whole file at each change, without waiting for the disk; no checks, tokens or ledger.',
    program: 'json-server',
    args: ({ port }) => ['--quiet', '--host', '127.0.0.1', '--port', port, 'shop.json'],
    asks: { details: get('/pets/{id}'), page: get('/pets?_limit=50'), set: json },
  },
  {
    name: 'json-server 1.0 beta',
    needs: 'json-server@1.0.0-beta.15',
    leavesOut: 'The same.',
    program: 'json-server',
    args: ({ port }) => ['--host', '127.0.0.1', '--port', port, 'shop.json'],
    asks: { details: get('/pets/{id}'), page: get('/pets?_page=1&_per_page=50'), set: json },
  },
  {
    name: 'soul',
    needs: 'soul-cli@0.8.2',
    leavesOut: 'Reads one table, so its details have no category, stock, orders and version; a change does not wait for the disk and has no rules or ledger.',
    program: 'soul',
    args: ({ port }) => ['-d', 'shop.db', '-p', port],
    // A row of one table, without category, stock, version and ledger.
    asks: {
      details: get('/api/tables/pets/rows/{id}'),
      page: get('/api/tables/pets/rows?_limit=50'),
      set: { method: 'PUT', path: '/api/tables/stock/rows/{id}', body: '{"fields":{"quantity":{count}}}' },
    },
  },
];

/** Installs a package in a new folder; returns the error if it fails. */
async function installed(folder, needs) {
  mkdirSync(folder);
  // Soul depends on a version of better-sqlite3 that does not support this Node; ours is compatible.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides: { 'better-sqlite3': '12.11.1' }, scarfSettings: { enabled: false } }));
  const { exitCode, output } = await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', needs], { env: process.env });
  return exitCode === 0 ? undefined : (output.split('\n').findLast((line) => /npm error \S/.test(line)) ?? `npm ended with ${exitCode}`);
}

/** The same pets in the file of json-server. */
function writeJson(path, pets) {
  const ids = Array.from({ length: pets }, (_, index) => index + 1);
  const at = '2023-11-14T22:13:20.000Z';
  writeFileSync(
    path,
    JSON.stringify({
      pets: ids.map((id) => ({
        id,
        name: `Pet ${id}`,
        categoryId: 1,
        status: 'available',
        category: { id: 1, name: 'Dogs' },
        inventory: { quantity: 1, reserved: 0, available: 1 },
        openOrders: 0,
        version: id,
        createdAt: at,
        updatedAt: at,
      })),
      inventory: ids.map((id) => ({ id, petId: id, quantity: 1, status: 'available' })),
    }),
  );
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a server answers. */
async function answers(port, path) {
  for (let tries = 0; tries < 300; tries += 1) {
    const status = await fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`It did not answer ${path} within 30 s.`);
}

async function started({ name, program, args, asks, needs, leavesOut }, folder, base, pets) {
  const place = join(folder, program + needs.replaceAll(/\W/g, '-'));
  process.stdout.write(`Installing ${needs} …\n`);
  const reason = await installed(place, needs);
  if (reason !== undefined) throw new Error(reason);
  copyShop(base, join(place, 'shop.db'));
  writeJson(join(place, 'shop.json'), pets);
  const port = await freePort();
  const script = join(place, 'node_modules', '.bin', program);
  const server = await startServer({ name, args: [script, ...args({ port: String(port) })], port, folder: place });
  try {
    await answers(port, asks.details.path.replace('{id}', '1'));
    process.stdout.write(`${name}: ${leavesOut}\n`);
    return { ...server, asks };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Runs work with the other servers that can be installed and started; prints the reason for each that cannot. */
export async function withOthers(folder, base, pets, work) {
  const servers = [];
  try {
    for (const other of others) {
      try {
        servers.push(await started(other, folder, base, pets));
      } catch (error) {
        process.stdout.write(`${other.name} is skipped: ${error.message}\n`);
      }
    }
    return await work(servers);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}
