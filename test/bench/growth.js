import { join } from 'node:path';
import { fillDatabase, fillFile, opened } from './grown-shop.js';
import { listRequests, otherRequests, titleOf } from './list-requests.js';
import { petstore, printTable, shown, succeed, temporaryFolder } from './measure.js';
import { partsOf, serverSettings, withClient } from './targets.js';

const bar = 1.5;
/** Ms that a page may take more in the large shop whatever the ratio is. */
const slackMs = 2;
const now = () => opened + 365 * 86_400_000;

/** CPU time of this process in ms: other load on the machine hardly changes it. A database server is another process, so that its clock counts. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Ms of one call: the fewest of as many calls as fit into a short time, without the first one, which compiles the statement. */
async function duration(clock, call) {
  let started = clock();
  await call();
  const first = clock() - started;
  if (first > 300) return first;
  const figures = [];
  const end = performance.now() + Math.max(6, first * 3);
  while (figures.length < 2 || (performance.now() < end && figures.length < 9)) {
    started = clock();
    await call();
    figures.push(clock() - started);
  }
  return Math.min(...figures);
}

/** The pages of a list and its count, or a single answer, by title. */
async function measureShop({ shop, engine, pets, clock }, { operations, lookUp }) {
  const results = new Map();
  const operationOf = (id) => operations.find((operation) => operation.id === id);
  for (const operation of operations.filter(({ paged }) => paged)) {
    for (const request of listRequests(operation, pets)) {
      const title = titleOf(operation, request, pets);
      const { filter, sort } = request;
      const input = { ...filter, sort, limit: 50 };
      let page;
      try {
        results.set(title, await duration(clock, async () => (page = await shop.call(operation, input))));
      } catch (error) {
        // Filters that exclude each other.
        if (error.code === 'invalid_parameter') continue;
        throw error;
      }
      if (page.next !== undefined) results.set(`${title}, next page`, await duration(clock, () => shop.call(operation, { ...input, cursor: page.next })));
      if (!sort.startsWith('-') && Object.keys(filter).length < 2) {
        results.set(`${title}, count`, await duration(clock, () => shop.call(operation, { ...input, limit: 1, count: true })));
      }
    }
  }
  for (const { id, input } of otherRequests) {
    const asked = input(pets);
    const words = Object.entries(asked)
      .filter(([name]) => !name.endsWith('Id'))
      .map(([name, value]) => `${name} ${value}`);
    results.set([id, ...words, ...(id === 'getCategory' ? [asked.categoryId] : [])].join(' '), await duration(clock, () => shop.call(operationOf(id), asked)));
  }
  for (const [noun, text] of [
    ['pet', 'pet 1'],
    ['pet', '7'],
    ['category', 'breed'],
    ['openOrder', ''],
    ['completeOrder', ''],
    ['undoableBatch', ''],
  ]) {
    results.set(`complete ${noun} "${text}"`, await duration(clock, () => engine.read((queries) => lookUp(queries, noun, text))));
  }
  return results;
}

/** Opens a shop with the clock set to the end of its first year. */
async function openShop(parts, store) {
  const engine = await parts.openEngine({ store, where: store, waitSeconds: 60, forManyClients: false, nativeBinding: undefined });
  const shop = parts.localShop(engine, { actor: 'ana', source: 'cli', clock: now }, store);
  const { total } = await shop.call(parts.listPets, { count: true });
  return { engine, shop, pets: total, clock: store.startsWith('postgres') ? () => performance.now() : cpuMs };
}

/** Prints the requests above the bar, or all of them, and how many there are. */
function report(name, sizes, [small, large], all) {
  const rows = [...small]
    .filter(([title]) => large.has(title))
    .map(([title, few]) => {
      const many = large.get(title);
      return { title, few, many, ratio: many / few, isAbove: many > few * bar && many > few + slackMs };
    })
    .toSorted((one, other) => other.many - one.many);
  const above = rows.filter(({ isAbove }) => isAbove);
  const [few, many] = sizes.map((size) => `ms, ${shown(size)}`);
  printTable(
    `${name}: ${rows.length} requests, ${above.length} above ${bar} × and ${slackMs} ms more; the fewest ms of some calls`,
    ['', few, many, 'growth'],
    (all ? rows : above).map((row) => [`${row.isAbove ? '! ' : ''}${row.title}`, shown(row.few, 2), shown(row.many, 2), `${shown(row.ratio, 2)} ×`]),
  );
}

/** The shops of one engine, measured one after the other: both answer alone. */
async function measureEngine(name, parts, stores, all) {
  const [results, sizes] = [[], []];
  for (const store of stores) {
    const place = await openShop(parts, store);
    try {
      sizes.push(place.pets);
      results.push(await measureShop(place, parts));
    } finally {
      await place.engine.close();
    }
  }
  report(name, sizes, results, all);
}

async function makeDatabase(server, pets) {
  const name = `growth_${pets}`;
  await withClient(server.urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${name}`));
  await succeed(process.execPath, [petstore, '--store', server.urlOf(name), 'init', '--quiet']);
  await withClient(server.urlOf(name), (client) => fillDatabase(client, pets));
  return server.urlOf(name);
}

async function makeFile(folder, pets) {
  const path = join(folder, `growth-${pets}.db`);
  await succeed(process.execPath, [petstore, '--store', path, 'init', '--quiet']);
  fillFile(path, pets);
  return path;
}

/** Every list with every sort order and filter, and every figure, in a small and in a large shop. */
export async function benchGrowth({ quick, all, stores }) {
  const sizes = [1000, quick ? 100_000 : 1_000_000];
  const parts = await partsOf();
  if (stores !== undefined) return measureEngine('Given shops', parts, stores.split(','), all);
  const folder = temporaryFolder();
  const files = [];
  for (const pets of sizes) files.push(await makeFile(folder, pets));
  await measureEngine('SQLite', parts, files, all);
  if (!parts.canStart()) return process.stdout.write('PostgreSQL cannot be started and is skipped.\n');
  const server = await parts.startPostgres(true, serverSettings);
  try {
    const databases = [];
    for (const pets of sizes) databases.push(await makeDatabase(server, pets));
    await measureEngine('PostgreSQL', parts, databases, all);
  } finally {
    await server.stop();
  }
}
