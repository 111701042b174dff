// Orders per second on PostgreSQL behind an added round trip: one and two servers, with 1 to 32 clients each.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { printTable, shown } from './measure.js';
import { partsOf, serverSettings, withClient } from './targets.js';

const pets = 20_000;
const roundTrips = [0, 1, 2.5];
const loads = [
  { servers: 1, clients: 1 },
  { servers: 1, clients: 8 },
  { servers: 1, clients: 32 },
  { servers: 2, clients: 1 },
  { servers: 2, clients: 8 },
  { servers: 2, clients: 32 },
];
const workloads = ['orders for different pets', 'orders for one pet', 'half orders, half reads'];

/** Calls `forward` with each chunk after a delay, in order. */
function delayed(delayMs, forward) {
  const waiting = [];
  const flush = () => {
    while (waiting.length > 0 && waiting[0].due <= performance.now()) forward(waiting.shift().bytes);
    if (waiting.length > 0) setTimeout(flush, Math.floor(waiting[0].due - performance.now()));
  };
  return (bytes) => {
    waiting.push({ bytes, due: performance.now() + delayMs });
    if (waiting.length === 1) setTimeout(flush, Math.floor(delayMs));
  };
}

/** A proxy that holds back everything that is sent to the server. */
async function slowProxy(port, roundTripMs) {
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port, host: '127.0.0.1', noDelay: true });
    const forward = (bytes) => void upstream.write(bytes);
    client.on('data', roundTripMs === 0 ? forward : delayed(roundTripMs, forward));
    upstream.on('data', (bytes) => void client.write(bytes));
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}

/** Work of one client, over and over. */
function callOf(shop, { placeOrder, listPets }, workload, petId) {
  const order = (body) => shop.call(placeOrder, { body });
  if (workload === 'orders for one pet') return () => order({ petId: 1 });
  if (workload === 'orders for different pets') return () => order({ petId: petId() });
  let turn = 0;
  return () => ((turn += 1) % 2 === 0 ? order({ petId: petId() }) : shop.call(listPets, { limit: 20 }));
}

/** In a process of its own: a server, with clients that call one after the other. Reports how many calls were answered. */
async function serve({ store, clients, seconds, workload, index }) {
  const parts = await partsOf();
  const engine = await parts.openEngine({ store, where: store, waitSeconds: 60, forManyClients: true, nativeBinding: undefined });
  const shop = parts.localShop(engine, { actor: 'bench', source: 'http', clock: Date.now }, store);
  let next = index;
  const petId = () => ((next += 2) % pets) + 1;
  const endAt = performance.now() + seconds * 1000;
  const began = performance.now();
  let calls = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const call = callOf(shop, parts, workload, petId);
      while (performance.now() < endAt) {
        await call();
        calls += 1;
      }
    }),
  );
  process.send({ perSecond: (calls / (performance.now() - began)) * 1000 });
  await shop.close();
  process.disconnect();
}

/** Calls per second of all servers together. */
async function pace(store, { servers, clients }, workload, seconds) {
  const answers = Array.from({ length: servers }, async (_, index) => {
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ store, clients, seconds, workload, index })]);
    let perSecond;
    child.on('message', (figures) => ({ perSecond } = figures));
    const [exitCode] = await once(child, 'exit');
    if (exitCode !== 0 || perSecond === undefined) throw new Error(`A server ended with ${exitCode}.`);
    return perSecond;
  });
  return (await Promise.all(answers)).reduce((sum, one) => sum + one, 0);
}

async function fill(parts, server) {
  const store = server.urlOf('postgres');
  const engine = await parts.openEngine({ store, where: store, waitSeconds: 60, create: true, forManyClients: false, nativeBinding: undefined });
  await engine.close();
  await withClient(store, async (client) => {
    await client.query(`INSERT INTO categories (id, name, folded) VALUES (1, 'Dogs', 'dogs')`);
    await client.query(`INSERT INTO pets (id, name, folded, category_id) SELECT i, 'Pet ' || i, 'pet ' || i, 1 FROM generate_series(1, ${pets}) i`);
    await client.query(`INSERT INTO stock (pet_id, quantity) SELECT i, 2000000000 FROM generate_series(1, ${pets}) i`);
    await client.query(`INSERT INTO ledger (id, kind, pet_id, delta, quantity_after, at, actor, source)
      SELECT i, 'opening', i, 2000000000, 2000000000, 1700000000000, 'bench', 'import' FROM generate_series(1, ${pets}) i`);
    await client.query('VACUUM ANALYZE');
  });
}

/** Orders and a mix of orders and reads, at several round trips. */
export async function benchWriters({ quick }) {
  const parts = await partsOf();
  if (!parts.canStart()) return void process.stdout.write('PostgreSQL cannot be started.\n');
  const server = await parts.startPostgres(true, serverSettings);
  process.stdout.write(`PostgreSQL runs with ${serverSettings.join(', ')}; fsync and synchronous_commit are on.\n`);
  try {
    await fill(parts, server);
    for (const workload of workloads) {
      const rows = [];
      for (const load of quick ? loads.filter(({ clients }) => clients !== 8) : loads) {
        const row = [`${load.servers} × ${load.clients}`];
        for (const roundTripMs of roundTrips) {
          const proxy = await slowProxy(server.port, roundTripMs);
          const store = new URL(server.urlOf('postgres'));
          store.port = String(proxy.port);
          row.push(shown(await pace(store.href, load, workload, quick ? 2 : 5)));
          proxy.close();
        }
        rows.push(row);
      }
      printTable(`${workload}: calls per second`, ['servers × clients', ...roundTrips.map((ms) => `${ms} ms`)], rows);
    }
  } finally {
    await server.stop();
  }
}

if (process.send !== undefined) await serve(JSON.parse(process.argv[2]));
