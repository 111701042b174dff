// Orders per second on PostgreSQL behind an added round trip: one and two servers, with 1 to 32 clients each, and the simplest
// honest script in the same run.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { printTable, shown } from './measure.js';
import { fillDatabase, partsOf, serverSettings, withClient } from './targets.js';

const pets = 20_000;
const roundTrips = [0, 1, 2.5];
const warmUpClients = 16;
const loads = [
  { servers: 1, clients: 1 },
  { servers: 1, clients: 8 },
  { servers: 1, clients: 32 },
  { servers: 2, clients: 1 },
  { servers: 2, clients: 8 },
  { servers: 2, clients: 32 },
];
const workloads = ['orders for different pets', 'orders under keys', 'orders for one pet', 'half orders, half reads'];
/** The workloads that the script runs too. */
const scripted = new Set(['orders for different pets', 'orders for one pet']);

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
  const order = (body, options) => shop.call(placeOrder, { body }, options);
  if (workload === 'orders for one pet') return () => order({ petId: 1 });
  if (workload === 'orders for different pets') return () => order({ petId: petId() });
  if (workload === 'orders under keys') return () => order({ petId: petId() }, { key: randomUUID() });
  let turn = 0;
  return () => ((turn += 1) % 2 === 0 ? order({ petId: petId() }) : shop.call(listPets, { limit: 20 }));
}

/**
 * What a page of Node with pg does: locks the row of the pet, checks, inserts the order and its ledger entry, and commits. It has
 * no keys, no order of the ledger, no limits and no answer to a lost connection.
 */
function openScript(store) {
  const pool = new pg.Pool({ connectionString: store, max: 16 });
  const orderOf = async (petId) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query('SELECT quantity, reserved FROM stock WHERE pet_id = $1 FOR UPDATE', [petId]);
      if (Number(rows[0].quantity) - Number(rows[0].reserved) < 1) throw new Error('Out of stock.');
      const order = await client.query("INSERT INTO script_orders (pet_id, quantity, state) VALUES ($1, 1, 'open') RETURNING id", [petId]);
      await client.query("INSERT INTO script_ledger (kind, pet_id, order_id, at, actor, source) VALUES ('order.placed', $1, $2, $3, 'bench', 'http')", [
        petId,
        order.rows[0].id,
        Date.now(),
      ]);
      await client.query('UPDATE stock SET reserved = reserved + 1 WHERE pet_id = $1', [petId]);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };
  return { orderOf, close: () => pool.end() };
}

/** The calls of petstore or of the script, and what closes it. */
async function open({ store, workload, script }, petId) {
  if (script) {
    const { orderOf, close } = openScript(store);
    return { newCall: () => () => orderOf(workload === 'orders for one pet' ? 1 : petId()), close };
  }
  const parts = await partsOf();
  const engine = await parts.openEngine({ store, where: store, waitSeconds: 60, forManyClients: true, nativeBinding: undefined });
  const shop = parts.localShop(engine, { actor: 'bench', source: 'http', clock: Date.now }, store);
  return { newCall: () => callOf(shop, parts, workload, petId), close: () => shop.close() };
}

/** Runs clients that call one after the other; returns how many calls were answered. */
async function callsIn(seconds, clients, newCall) {
  const endAt = performance.now() + seconds * 1000;
  let calls = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const call = newCall();
      while (performance.now() < endAt) {
        await call();
        calls += 1;
      }
    }),
  );
  return calls;
}

/** In a process of its own: reports how many calls of its clients were answered, and the processor time of each. */
async function serve(plan) {
  const { clients, seconds, index } = plan;
  let next = index;
  const petId = () => ((next += 2) % pets) + 1;
  const { newCall, close } = await open(plan, petId);
  // A server runs for weeks: what is measured is compiled by then. Many clients, because one would take a minute.
  await callsIn(seconds, warmUpClients, newCall);
  const cpu = process.cpuUsage();
  const began = performance.now();
  const calls = await callsIn(seconds, clients, newCall);
  const { user, system } = process.cpuUsage(cpu);
  process.send({ perSecond: (calls / (performance.now() - began)) * 1000, cpuMs: (user + system) / 1000 / calls });
  await close();
  process.disconnect();
}

/** Calls per second of all processes together, and ms of processor time for each call. */
async function pace(store, { servers, clients }, { workload, seconds, script }) {
  const answers = Array.from({ length: servers }, async (_, index) => {
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ store, clients, seconds, workload, index, script })]);
    let figures;
    child.on('message', (found) => (figures = found));
    const [exitCode] = await once(child, 'exit');
    if (exitCode !== 0 || figures === undefined) throw new Error(`A server ended with ${exitCode}.`);
    return figures;
  });
  const all = await Promise.all(answers);
  return { perSecond: all.reduce((sum, one) => sum + one.perSecond, 0), cpuMs: all.reduce((sum, one) => sum + one.cpuMs, 0) / all.length };
}

async function fill(parts, server) {
  const store = server.urlOf('postgres');
  const engine = await parts.openEngine({ store, where: store, waitSeconds: 60, create: true, forManyClients: false, nativeBinding: undefined });
  await engine.close();
  await withClient(store, async (client) => {
    await fillDatabase(client, pets, 2_000_000_000);
    await client.query(
      `CREATE TABLE script_orders (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, pet_id BIGINT NOT NULL REFERENCES pets (id), quantity INTEGER, state TEXT NOT NULL)`,
    );
    await client.query(`CREATE TABLE script_ledger (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind TEXT NOT NULL, pet_id BIGINT REFERENCES pets (id),
      order_id BIGINT, at BIGINT NOT NULL, actor TEXT NOT NULL, source TEXT NOT NULL)`);
    await client.query('CREATE INDEX script_orders_pet ON script_orders (pet_id); CREATE INDEX script_ledger_pet ON script_ledger (pet_id, id)');
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
          const seconds = quick ? 2 : 5;
          const ours = await pace(store.href, load, { workload, seconds, script: false });
          const script = scripted.has(workload) ? await pace(store.href, load, { workload, seconds, script: true }) : undefined;
          const ratio = script && `, ${(ours.perSecond / script.perSecond).toFixed(2)} of ${shown(script.perSecond)} (${script.cpuMs.toFixed(2)} ms)`;
          row.push(`${shown(ours.perSecond)} (${ours.cpuMs.toFixed(2)} ms)${ratio ?? ''}`);
          proxy.close();
        }
        rows.push(row);
      }
      printTable(
        `${workload}: calls per second (processor time of a call), and the ratio to the script`,
        ['servers × clients', ...roundTrips.map((ms) => `${ms} ms`)],
        rows,
      );
    }
  } finally {
    await server.stop();
  }
}

if (process.send !== undefined) await serve(JSON.parse(process.argv[2]));
