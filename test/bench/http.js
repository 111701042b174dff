import { join } from 'node:path';
import { bare, bareNormal, cursorsOf, ours, spawnFollowed, startLoad, startServer, tellsTime, verifyAlike } from './http-servers.js';
import { interleaved, median, petstore, printTable, shown, succeed, temporaryFolder } from './measure.js';
import { copyShop, makeShop, verifyRecount, writeRecount } from './shop.js';

const pets = 10_000;
const connections = 32;
const bars = { one: 1.5, page: 1.3, set: 1.5, mix: 2.3, durable: 3, p99: 20 };

const details = { method: 'GET', path: '/pets/{id}/details', share: 80 };
const page = { method: 'GET', path: '/pets?limit=50', share: 10 };
const set = { method: 'PUT', path: '/store/inventory/{id}', body: '{"quantity":{count}}', share: 10 };
const requests = [
  { name: 'one pet with details', kinds: [details], bar: bars.one },
  { name: 'one pet', kinds: [{ ...details, path: '/pets/{id}' }], bar: bars.one },
  { name: 'page of 50, the first', kinds: [page], bar: bars.page },
  { name: 'page of 50, by cursor', kinds: [{ ...page, path: '/pets?limit=50&cursor={cursor}' }], bar: bars.page },
  // Ours are durable and share commits, so the bar is for the bare server that does not wait for the disk.
  { name: 'set stock, durable', kinds: [set], bar: bars.set, against: 'bare, NORMAL' },
  { name: '90 one pet, 10 set', kinds: [{ ...details, share: 90 }, set], bar: bars.mix },
  { name: '80 one pet, 10 page, 10 set', kinds: [details, page, set] },
];

const middle = (figures, name) => (figures.some((figure) => figure[name] === undefined) ? undefined : median(figures.map((figure) => figure[name])));
const ratio = (figure, base) => (figure === undefined || !base ? '-' : `${shown(figure / base, 2)} ×`);
const barred = (bar, unit = ' ×') => (bar === undefined ? '' : `${shown(bar, bar % 1 === 0 ? 0 : 1)}${unit}`);

/** One job on one server: the results of its clients, and the processor time of the server per request in µs. */
async function asked(load, server, job) {
  const before = server.time();
  const seen = await load.run({ port: server.port, pets, ...(server.cursors && { cursors: server.cursors }), ...job });
  const after = server.time();
  if (seen.refused > 0) throw new Error(`${server.name} refused ${seen.refused} of ${seen.requests} requests.`);
  return { ...seen, rate: (seen.requests / seen.ms) * 1000, cpu: tellsTime ? (after - before) / seen.requests : undefined };
}

/** Runs work with servers and a load generator, which are stopped afterwards. */
async function withServers(started, work) {
  const servers = [];
  const load = startLoad();
  try {
    for (const one of started) servers.push(await startServer(one));
    return await work(servers, load);
  } finally {
    await Promise.all([load, ...servers].map(({ stop }) => stop()));
  }
}

/** The figures of every server for every round, without the first round, in which the code is not compiled yet. */
async function rounds(servers, count, once) {
  const results = await interleaved(servers, count + 1, once);
  return new Map([...results].map(([server, figures]) => [server, figures.slice(1)]));
}

async function compare(servers, load, { count, requests: each }) {
  const rows = [];
  for (const { name, kinds, bar, against = 'bare' } of requests) {
    const results = await rounds(servers, count, (server) => asked(load, server, { kinds, connections, requests: each }));
    const base = results.get(servers.find((server) => server.name === against));
    for (const [server, figures] of results) {
      rows.push([
        `${name}: ${server.name}`,
        shown(middle(figures, 'rate')),
        ratio(middle(figures, 'rate'), middle(base, 'rate')),
        shown(middle(figures, 'cpu'), 1),
        ratio(middle(figures, 'cpu'), middle(base, 'cpu')),
        server === servers[0] ? barred(bar) : '',
        shown(middle(figures, 'p99'), 1),
      ]);
    }
  }
  printTable(
    `${shown(pets)} pets, ${connections} connections, ${count} interleaved rounds of ${shown(each)} requests; processor time of the server; the limit is for its ratio to bare`,
    ['', 'requests/s', 'ratio', 'CPU µs each', 'ratio', 'limit', 'p99 ms'],
    rows,
  );
}

async function durable(servers, load, { count, ms }) {
  const rows = [];
  for (const many of [1, 8, 32, 128]) {
    const results = await rounds(servers, count, (server) => asked(load, server, { kinds: [set], connections: many, ms }));
    const base = results.get(servers[1]);
    for (const [server, figures] of results) {
      rows.push([
        `${many}: ${server.name}`,
        shown(middle(figures, 'rate')),
        ratio(middle(figures, 'rate'), middle(base, 'rate')),
        server === servers[0] && many === 32 ? `≥ ${barred(bars.durable)}` : '',
        shown(middle(figures, 'p50'), 2),
        shown(middle(figures, 'p99'), 2),
      ]);
    }
  }
  printTable(
    `Durable stock writes by number of connections, ${count} interleaved rounds of ${ms} ms; the baseline commits each write`,
    ['connections', 'writes/s', 'ratio', 'limit', 'p50 ms', 'p99 ms'],
    rows,
  );
}

/** Our server and the baseline, for each kind of request. */
async function againstBare(folder, base, scale) {
  const started = [ours, bare, bareNormal].map((command, index) => {
    const store = join(folder, `${index}.db`);
    copyShop(base, store);
    return command(store);
  });
  await withServers(started, async (servers, load) => {
    await verifyAlike(servers, ['/pets/1', '/pets/77/details', `/pets/${pets}/details`, '/pets?limit=50']);
    for (const server of servers) server.cursors = await cursorsOf(server, '/pets?limit=50', 100);
    // Until the code of all is compiled, also on a busy machine.
    for (const server of servers) for (const { kinds } of requests) await asked(load, server, { kinds, connections, requests: 8 * connections * 20 });
    await compare(servers, load, scale);
    await durable(servers.slice(0, 2), load, { ...scale, count: Math.min(scale.count, 3) });
  });
}

/** Runs work while another process computes: the effect of an import by its use of the processor alone. */
async function besideBusy(work) {
  const busy = spawnFollowed(process.execPath, ['-e', 'for (;;);']);
  try {
    return await work();
  } finally {
    busy.kill('SIGKILL');
  }
}

/** The latency of reads while another process imports a file of every pet. */
async function compareOrders(folder, { rows, imports }) {
  const [base, store, file] = [`base-${rows}.db`, 'imported.db', 'recount.csv'].map((name) => join(folder, name));
  await makeShop(base, rows);
  writeRecount(file, rows);
  const figures = { before: [], changed: [], beside: [], during: [], writes: [] };
  for (let round = 0; round < imports; round += 1) {
    copyShop(base, store);
    await withServers([ours(store)], async ([server], load) => {
      const reading = { port: server.port, pets: rows, kinds: [details], connections: connections - 1 };
      await load.run({ ...reading, ms: 1000 });
      figures.before.push(await load.run({ ...reading, ms: 1000 }));
      const writing = { ...reading, kinds: [{ ...set, path: '/store/inventory/{id}/low-at', body: '{"lowAt":0}' }], connections: 1 };
      const changes = load.begin(writing);
      figures.changed.push(await load.run({ ...reading, ms: 1000 }));
      await changes.end();
      figures.beside.push(await besideBusy(() => load.run({ ...reading, ms: 1000 })));
      const importing = succeed(process.execPath, [petstore, '--store', store, 'inventory', 'import', '-'], { input: file });
      const reads = load.begin(reading);
      // One client writes: it waits for the import, and the others must not wait for it.
      const writes = load.begin(writing);
      await importing;
      figures.during.push(await reads.end());
      figures.writes.push(await writes.end());
    });
    verifyRecount(store, rows);
  }
  const row = (name, list, bar) => [
    name,
    shown(median(list.map(({ requests: answered, ms }) => (answered / ms) * 1000))),
    shown(middle(list, 'p50'), 1),
    shown(middle(list, 'p99'), 1),
    bar,
    shown(Math.max(...list.map(({ slowest }) => slowest)), 1),
    shown(list.reduce((sum, { refused }) => sum + refused, 0)),
  ];
  printTable(
    `Our server while another process imports ${shown(rows)} rows in random order, ${imports} times; ${connections - 1} connections read pets, and one changes them during the import`,
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'limit', 'slowest ms', 'refused'],
    [
      row('one pet with details, without import', figures.before, ''),
      row('one pet with details, while the pets change', figures.changed, ''),
      row('one pet with details, with a computing process', figures.beside, ''),
      row('one pet with details, during the import', figures.during, `< ${bars.p99} ms`),
      row('low level of a pet, during the import', figures.writes, ''),
    ],
  );
}

/** The server under load: compared with the baseline, and during an import. */
export async function benchHttp({ quick }) {
  if (!tellsTime) process.stdout.write('There is no /proc; processor time is not measured.\n');
  const folder = temporaryFolder();
  const base = join(folder, 'base.db');
  await makeShop(base, pets);
  await againstBare(folder, base, quick ? { count: 2, ms: 350, requests: 2500 } : { count: 5, ms: 800, requests: 5000 });
  await compareOrders(folder, quick ? { rows: 100_000, imports: 2 } : { rows: 1_000_000, imports: 3 });
}
