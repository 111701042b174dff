import { join } from 'node:path';
import { fillDatabase, fillFile, opened } from './grown-shop.js';
import { listRequests, otherRequests, titleOf } from './list-requests.js';
import { petstore, printTable, shown, succeed, temporaryFolder } from './measure.js';
import { partsOf, serverSettings, withClient } from './targets.js';

const bar = 1.5;
/** Ms that a page may take more in the large shop whatever the ratio is. */
const slackMs = 2;
const now = () => opened + 365 * 86_400_000;

/** Ms of one call: the fewest of as many calls as fit into a short time, without the first one, which compiles the statement. */
async function duration(call) {
  let started = performance.now();
  await call();
  const first = performance.now() - started;
  if (first > 300) return first;
  const figures = [];
  const end = performance.now() + Math.max(6, first * 3);
  while (figures.length < 2 || (performance.now() < end && figures.length < 9)) {
    started = performance.now();
    await call();
    figures.push(performance.now() - started);
  }
  return Math.min(...figures);
}

const isAbove = ([few, many]) => many > few * bar && many > few + slackMs;

/** Ms of a request in a small and in a large shop, one after the other; again while the large one is above the bar, because load on the machine slows down both. */
async function compared(places, call) {
  const best = places.map(() => Infinity);
  for (let round = 0; round < 4; round += 1) {
    for (const [index, place] of places.entries()) best[index] = Math.min(best[index], await duration(() => call(place)));
    if (!isAbove(best) || best.at(-1) > 300) break;
  }
  return best;
}

/** The pages of a list, and its count. */
async function measureList(places, operation, results, only) {
  const [smallest] = places;
  const each = places.map(({ pets }) => listRequests(operation, pets));
  for (const [index, request] of each[0].entries()) {
    const title = titleOf(operation, request, smallest.pets);
    if (!title.includes(only)) continue;
    const inputs = new Map(places.map((place, at) => [place, { ...each[at][index].filter, sort: request.sort, limit: 50 }]));
    const pages = new Map();
    const call = async (place, more) => place.shop.call(operation, { ...inputs.get(place), ...more });
    try {
      results.set(title, await compared(places, async (place) => pages.set(place, await call(place))));
    } catch (error) {
      // Filters that exclude each other.
      if (['invalid_parameter', 'validation_failed'].includes(error.code)) continue;
      throw error;
    }
    if (places.every((place) => pages.get(place).next !== undefined))
      results.set(`${title}, next page`, await compared(places, (place) => call(place, { cursor: pages.get(place).next })));
    if (!request.sort.startsWith('-') && Object.keys(request.filter).length < 2)
      results.set(`${title}, count`, await compared(places, (place) => call(place, { limit: 1, count: true })));
  }
}

/** The pages of each list and its count, and the single answers, by title. */
async function measureShops(places, { operations, lookUp }, only) {
  const results = new Map();
  for (const operation of operations.filter(({ paged }) => paged)) await measureList(places, operation, results, only);
  for (const { id, input } of otherRequests) {
    const asked = input(places[0].pets);
    const words = Object.entries(asked)
      .filter(([name]) => !name.endsWith('Id'))
      .map(([name, value]) => `${name} ${value}`);
    const title = [id, ...words, ...(id === 'getCategory' ? [asked.categoryId] : [])].join(' ');
    const operation = operations.find((one) => one.id === id);
    if (!title.includes(only)) continue;
    results.set(title, await compared(places, ({ shop, pets }) => shop.call(operation, input(pets))));
  }
  for (const [noun, text] of [
    ['pet', 'pet 1'],
    ['pet', '7'],
    ['category', 'breed'],
    ['openOrder', ''],
    ['completeOrder', ''],
    ['undoableBatch', ''],
  ]) {
    const title = `complete ${noun} "${text}"`;
    if (title.includes(only)) results.set(title, await compared(places, ({ engine }) => engine.read((queries) => lookUp(queries, noun, text))));
  }
  return results;
}

/** Opens a shop with the clock set to the end of its first year. */
async function openShop(parts, store) {
  const engine = await parts.openEngine({ store, where: store, waitSeconds: 60, forManyClients: false, nativeBinding: undefined });
  const shop = parts.localShop(engine, { actor: 'ana', source: 'cli', clock: now }, store);
  const { total } = await shop.call(parts.listPets, { count: true });
  return { engine, shop, pets: total };
}

/** Prints the requests above the bar, or all of them, and how many there are. */
function report(name, sizes, results, all) {
  const rows = [...results].map(([title, [few, many]]) => ({ title, few, many, isSlow: isAbove([few, many]) })).toSorted((one, other) => other.many - one.many);
  const above = rows.filter(({ isSlow }) => isSlow);
  const [few, many] = sizes.map((size) => `ms, ${shown(size)}`);
  printTable(
    `${name}: ${rows.length} requests, ${above.length} above ${bar} × and ${slackMs} ms more; the fewest ms of some calls`,
    ['', few, many, 'growth'],
    (all ? rows : above).map((row) => [`${row.isSlow ? '! ' : ''}${row.title}`, shown(row.few, 2), shown(row.many, 2), `${shown(row.many / row.few, 2)} ×`]),
  );
}

/** A small and a large shop of one engine: both answer alone. */
async function measureEngine(name, parts, stores, { all, only }) {
  const places = [];
  try {
    for (const store of stores) places.push(await openShop(parts, store));
    const sizes = places.map(({ pets }) => pets);
    report(name, sizes, await measureShops(places, parts, only), all);
  } finally {
    for (const { engine } of places) await engine.close();
  }
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

/** Every list with every sort order and filter, and every figure, in a small and in a large shop; those whose title contains `only`. */
export async function benchGrowth({ quick, ...choice }) {
  const sizes = [1000, quick ? 100_000 : 1_000_000];
  const parts = await partsOf();
  const folder = temporaryFolder();
  const files = [];
  for (const pets of sizes) files.push(await makeFile(folder, pets));
  await measureEngine('SQLite', parts, files, choice);
  if (!parts.canStart()) return process.stdout.write('PostgreSQL cannot be started and is skipped.\n');
  const server = await parts.startPostgres(true, serverSettings);
  try {
    const databases = [];
    for (const pets of sizes) databases.push(await makeDatabase(server, pets));
    await measureEngine('PostgreSQL', parts, databases, choice);
  } finally {
    await server.stop();
  }
}
