import { Module, createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import pg from 'pg';
import { ours, startServer } from './http-servers.js';
import { petstore, succeed } from './measure.js';
import { copyShop, makeShop } from './shop.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const serverFile = 'test/support/postgres-server.ts';

/** Settings of a production server of this size; every commit waits for the disk. */
export const serverSettings = ['shared_buffers=1GB', 'max_wal_size=8GB', 'checkpoint_timeout=15min'];

/** TypeScript parts of the program and of the test support, bundled in memory. */
export async function partsOf() {
  const contents = `
    export { openEngine } from './src/storage/engines.ts';
    export { localShop } from './src/storage/shop.ts';
    export { remoteShop } from './src/http/client/remote-shop.ts';
    export { placeOrder } from './src/domain/orders/place-order.ts';
    export { getBatch } from './src/domain/imports/get-batch.ts';
    export { listPets } from './src/domain/pets/list-pets.ts';
    export { operations } from './src/domain/operations.ts';
    export { lookUp } from './src/storage/tables/look-up.ts';
    export { canStart, startPostgres } from './${serverFile}';`;
  const options = {
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
  };
  const define = { 'import.meta.url': JSON.stringify(new URL(serverFile, `file://${root}`).href) };
  const { outputFiles } = await build({ ...options, define, stdin: { contents, resolveDir: root, loader: 'ts' } });
  const filename = join(root, 'bench.cjs');
  const module = Object.assign(new Module(filename), { filename, paths: createRequire(filename).resolve.paths('pg') });
  module._compile(outputFiles[0].text, filename);
  return module.exports;
}

/** Creates the shop of `makeShop` in a database, with another quantity of each pet if one is given. */
export async function fillDatabase(client, pets, quantity = 1) {
  const statements = [
    `INSERT INTO categories (id, name, folded) VALUES (1, 'Dogs', 'dogs')`,
    `INSERT INTO batches (id, kind, state, key, sha256, actor, source, at, mode, total, applied, unchanged, rejected, first_entry, last_entry)
      VALUES (1, 'pets', 'applied', 'bench', 'bench', 'bench', 'import', 1700000000000, 'atomic', ${pets}, ${pets}, 0, 0, 1, ${pets})`,
    `INSERT INTO pets (id, name, folded, category_id) SELECT i, 'Pet ' || i, 'pet ' || i, 1 FROM generate_series(1, ${pets}) i`,
    `INSERT INTO stock (pet_id, quantity) SELECT i, ${quantity} FROM generate_series(1, ${pets}) i`,
    `INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, batch_id, line) SELECT i, 'opening', i, ${quantity}, ${quantity}, 1, i + 1 FROM generate_series(1, ${pets}) i`,
    // Not of the tables without rows, which autovacuum leaves alone too: with statistics that say so each order would read all earlier ones.
    'VACUUM ANALYZE categories, batches, pets, stock, ledger',
  ];
  for (const statement of statements) await client.query(statement);
}

/** Runs statements on a connection of their own. */
export async function withClient(address, work) {
  const client = new pg.Client(address);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function local({ openEngine, localShop }, forManyClients) {
  return async (store) => {
    const engine = await openEngine({ store, where: store, waitSeconds: 60, forManyClients, nativeBinding: undefined });
    return localShop(engine, { actor: 'bench', source: 'cli', clock: Date.now }, store);
  };
}

function sqliteTarget(parts, folder) {
  const base = (pets) => join(folder, `base-${pets}.db`);
  return {
    name: 'SQLite file',
    make: (pets) => makeShop(base(pets), pets),
    fresh: async (pets) => {
      const store = join(folder, `file-${pets}.db`);
      copyShop(base(pets), store);
      return store;
    },
    open: local(parts, false),
    done: async () => undefined,
  };
}

/** The measuring processes are clients; the server runs in a process of its own, on copies of the first target's file. */
function serverTarget({ remoteShop }, folder) {
  const servers = [];
  return {
    name: 'server on SQLite',
    make: async () => undefined,
    fresh: async (pets) => {
      const store = join(folder, `served-${pets}.db`);
      copyShop(join(folder, `base-${pets}.db`), store);
      const server = await startServer(ours(store));
      servers.push(server);
      return `http://127.0.0.1:${server.port}`;
    },
    open: async (store) => remoteShop({ address: new URL(store), token: undefined, actor: 'bench', waitSeconds: 60, insecure: false }),
    done: async () => {
      for (const { stop } of servers.splice(0)) await stop();
    },
  };
}

function postgresTarget(parts, server) {
  const admin = (text) => withClient(server.urlOf('postgres'), (client) => client.query(text));
  return {
    name: 'PostgreSQL',
    make: async (pets) => {
      const name = `base_${pets}`;
      await admin(`CREATE DATABASE ${name}`);
      await succeed(process.execPath, [petstore, '--store', server.urlOf(name), 'init', '--quiet']);
      await withClient(server.urlOf(name), (client) => fillDatabase(client, pets));
    },
    fresh: async (pets) => {
      const name = `shop_${pets}`;
      await admin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin(`CREATE DATABASE ${name} TEMPLATE base_${pets} STRATEGY FILE_COPY`);
      await admin('CHECKPOINT');
      return server.urlOf(name);
    },
    open: local(parts, true),
    done: async () => undefined,
  };
}

/** The stores to measure: the file first, then PostgreSQL when a server can be started, then a server. `close` stops what runs beside them. */
export async function startTargets(folder) {
  const parts = await partsOf();
  const postgres = parts.canStart() ? await parts.startPostgres(true, serverSettings) : undefined;
  const targets = [sqliteTarget(parts, folder), ...(postgres ? [postgresTarget(parts, postgres)] : []), serverTarget(parts, folder)];
  return {
    parts,
    targets,
    close: async () => {
      for (const { done } of targets) await done();
      await postgres?.stop();
    },
  };
}
