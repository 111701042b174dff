import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../../.config/chromium.js';
import { ours, startServer } from './http-servers.js';
import { median, petstore, printTable, shown, succeed, temporaryFolder } from './measure.js';

const pets = 45_000;
const categories = 300;
const rounds = 7;
// A phone in the stock room.
const throttling = 4;
const paths = ['/', '/stock', '/pets/7', '/orders', '/ledger', '/imports', '/reports', '/help'];

/** A shop as large as that of the licensed pets of Seattle, in as many categories, after a recount. */
async function makeShop(folder) {
  const store = join(folder, 'shop.db');
  const file = (name, header, row) => {
    const path = join(folder, name);
    writeFileSync(path, `${header}\n${Array.from({ length: pets }, (_, index) => row(index + 1)).join('\n')}\n`);
    return path;
  };
  const petsFile = file('pets.csv', 'name,category,quantity', (pet) => `Pet ${pet},Breed ${(pet * pet) % categories},1`);
  const countsFile = file('counts.csv', 'petId,quantity', (pet) => `${pet},${(pet * 7) % 9}`);
  for (const words of [['init'], ['pet', 'import', petsFile, '--create-categories'], ['inventory', 'import', countsFile], ['order', 'place', '--pet', '7']])
    await succeed(process.execPath, [petstore, '--store', store, ...words, '--quiet']);
  return store;
}

/** Runs in the page: when its figures and the whole screen were drawn, in ms since the navigation. */
const watchDrawing = `globalThis.drawn = {};
  new MutationObserver(() => {
    if (document.querySelector('.figure-value')) drawn.figures ??= performance.now();
    if (document.querySelector('h1') && !document.querySelector('.waiting')) drawn.all ??= performance.now();
    else delete drawn.all;
  }).observe(document, { childList: true, subtree: true })`;

/** Loads a screen in a browser that was never here; answers with its times, processor time and bytes. */
async function load(browser, address, path, rate) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  for (const [method, options] of [
    ['Network.enable', {}],
    ['Emulation.setCPUThrottlingRate', { rate }],
    ['Performance.enable', { timeDomain: 'threadTicks' }],
  ])
    await session.send(method, options);
  await page.addInitScript({ content: watchDrawing });
  await page.goto(`${address}/board${path}`);
  await page.waitForFunction(() => globalThis.drawn.all !== undefined);
  // Whatever is drawn later, such as a chart that waits for its width.
  await page.waitForTimeout(500);
  const drawn = await page.evaluate(() => globalThis.drawn);
  const { metrics } = await session.send('Performance.getMetrics');
  await context.close();
  return { ...drawn, bytes, cpu: metrics.find(({ name }) => name === 'TaskDuration').value * 1000 };
}

/** Times from the end of a sale by the command line until the page shows it. */
async function followSales(browser, address, store) {
  const page = await browser.newPage();
  await page.goto(`${address}/board/`);
  await page.getByText('Live', { exact: true }).waitFor();
  const times = [];
  for (let sale = 1; sale <= rounds; sale += 1) {
    await succeed(process.execPath, [petstore, '--store', store, 'sell', String(10 + 9 * sale), '--quiet']);
    const start = performance.now();
    await page.getByText(new RegExp(`^Sold 1 × Pet ${10 + 9 * sale}\\b`)).waitFor();
    times.push(performance.now() - start);
  }
  await page.close();
  return times;
}

/** How fast the screens of the shop board are drawn, what they transfer, and how soon they show a sale. */
export async function benchBoard() {
  const folder = temporaryFolder();
  const store = await makeShop(folder);
  const server = await startServer(ours(store));
  const address = `http://127.0.0.1:${server.port}`;
  const browser = await launchChromium();
  try {
    const rows = [];
    for (const path of paths) {
      const loads = [];
      for (let round = 0; round < rounds; round += 1) loads.push(await load(browser, address, path, throttling));
      const of = (name, decimals) => shown(loads[0][name] === undefined ? undefined : median(loads.map((one) => one[name])), decimals);
      rows.push([`/board${path}`, of('figures'), of('all'), shown(Math.max(...loads.map(({ all }) => all))), of('cpu'), shown(loads[0].bytes / 1024, 1)]);
    }
    const header = ['screen', 'first figures ms', 'all ms', 'slowest ms', 'CPU ms', 'KiB'];
    printTable(`The shop board with ${shown(pets)} pets, processor ${throttling} × slower, medians of ${rounds} loads`, header, rows);
    const sales = await followSales(browser, address, store);
    printTable('A sale by the command line is shown', ['', 'median ms', 'slowest ms'], [['after', shown(median(sales)), shown(Math.max(...sales))]]);
  } finally {
    await browser.close();
    await server.stop();
  }
}
