import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './http-servers.js';
import { run } from './measure.js';
import { copyShop } from './shop.js';

const json = { method: 'PATCH', path: '/inventory/{id}', body: '{"quantity":{count}}' };
const get = (path) => ({ method: 'GET', path });
const petOf = ({ id, name, categoryId }) => ({ id, name, categoryId });
const petOfText = ({ id, ...fields }) => petOf({ id: Number(id), ...fields });
const rowOf = ({ id, name, category_id: categoryId }) => ({ id, name, categoryId });
const quantityOf = ({ quantity }) => quantity;

/**
 * Other servers: their package, what they leave out, their program with its arguments, their requests that correspond to ours,
 * and what their answers have in common with ours: the fields of a pet, the pets of a page, and the quantity at a path.
 */
const others = [
  {
    name: 'json-server 0.17',
    needs: 'json-server@0.17.4',
    leavesOut: 'Keeps all records in memory and writes the whole file at each change, without waiting for the disk; no checks, tokens or ledger.',
    program: 'json-server',
    args: ({ port }) => ['--quiet', '--host', '127.0.0.1', '--port', port, 'shop.json'],
    asks: { details: get('/pets/{id}'), page: get('/pets?_limit=50'), set: json },
    reads: { pet: petOf, pets: (body) => body.map(petOf), quantity: ['/inventory/{id}', quantityOf] },
  },
  {
    name: 'json-server 1.0 beta',
    needs: 'json-server@1.0.0-beta.15',
    leavesOut: 'The same; its ids are texts.',
    program: 'json-server',
    args: ({ port }) => ['--host', '127.0.0.1', '--port', port, 'shop.json'],
    asks: { details: get('/pets/{id}'), page: get('/pets?_page=1&_per_page=50'), set: json },
    reads: { pet: petOfText, pets: ({ data }) => data.map(petOfText), quantity: ['/inventory/{id}', quantityOf] },
  },
  {
    name: 'soul',
    needs: 'soul-cli@0.8.2',
    leavesOut: 'Reads one table, so its details have no category, stock, orders and version; a change does not wait for the disk and has no rules or ledger.',
    program: 'soul',
    args: ({ port }) => ['-d', 'shop.db', '-p', port],
    asks: {
      details: get('/api/tables/pets/rows/{id}'),
      page: get('/api/tables/pets/rows?_limit=50'),
      set: { method: 'PUT', path: '/api/tables/stock/rows/{id}', body: '{"fields":{"quantity":{count}}}' },
    },
    reads: {
      pet: ({ data }) => rowOf(data[0]),
      pets: ({ data }) => data.map(rowOf),
      quantity: ['/api/tables/stock/rows/{id}', ({ data }) => quantityOf(data[0])],
    },
  },
];

const installMs = 120_000;
const ownSqlite = dirname(fileURLToPath(import.meta.resolve('better-sqlite3/package.json')));

/**
 * Installs a package in a new folder; returns the error if it fails. Nothing is compiled, which takes many minutes: soul gets
 * our compiled better-sqlite3, whose version supports this Node, and a bcrypt in JavaScript, which no measured request uses.
 */
async function installed(folder, needs) {
  mkdirSync(folder);
  const overrides = { 'better-sqlite3': '12.11.1', bcrypt: 'npm:bcryptjs@2.4.3' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, overrides, scarfSettings: { enabled: false } }));
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', needs];
  const { exitCode, output } = await run('npm', words, { env: process.env, timeoutMs: installMs });
  if (exitCode === null) return `npm did not end within ${installMs / 1000} s`;
  if (exitCode !== 0) return output.split('\n').findLast((line) => /npm error \S/.test(line)) ?? `npm ended with ${exitCode}`;
  const sqlite = join(folder, 'node_modules', 'better-sqlite3');
  rmSync(sqlite, { recursive: true, force: true });
  symlinkSync(ownSqlite, sqlite);
  return undefined;
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

async function answerOf(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.json();
}

/** Fails unless a server has the same pets as ours, and keeps a quantity that it is sent; so only correct answers are measured. */
export async function verifyOther(own, { name, port, asks, reads }, pets) {
  const fail = (what, seen, expected) => {
    throw new Error(`${name}: ${what} is ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}.`);
  };
  const alike = (what, seen, expected) => JSON.stringify(seen) === JSON.stringify(expected) || fail(what, seen, expected);
  for (const id of [1, 77, pets]) {
    const path = asks.details.path.replace('{id}', String(id));
    alike(`pet ${id}`, reads.pet(await answerOf(port, path)), petOf(await answerOf(own.port, `/pets/${id}/details`)));
  }
  const expected = (await answerOf(own.port, '/pets?limit=50')).map(petOf);
  alike('the first page', reads.pets(await answerOf(port, asks.page.path)), expected);
  const { method, path, body } = asks.set;
  const sent = { method, headers: { 'content-type': 'application/json' }, body: body.replace('{count}', '41') };
  await (await fetch(`http://127.0.0.1:${port}${path.replace('{id}', '77')}`, sent)).arrayBuffer();
  const [quantityPath, quantity] = reads.quantity;
  alike('the quantity that was set', quantity(await answerOf(port, quantityPath.replace('{id}', '77'))), 41);
}

async function started({ name, program, args, asks, reads, needs, leavesOut }, folder, base, pets) {
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
    return { ...server, asks, reads };
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
