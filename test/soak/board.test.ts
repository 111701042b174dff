import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { runProgram, stockedShop } from '../support/program.js';
import { isFullSize } from '../support/seeded-random.js';
import { ask } from '../support/server.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const { context } = testBrowser();
const folder = testFolder();
const store = join(folder, 'shop.db');
const file = join(folder, 'counts.csv');

const pets = isFullSize ? 1_000_000 : 20_000;
const longestTaskMs = 200;
const noticesPerSecond = 4;
const heapGrowth = 2 * 1024 * 1024;
// Other tests may need the same processors at the same time.
const timeout = isFullSize ? 2000 : 10_000;

/** The count of a pet in the file of an import. */
const countOf = (pet: number, factor: number): number => 1 + ((pet * factor) % 97);

beforeAll(() => stockedShop(store, pets, 5));
interface TraceEvent {
  readonly name: string;
  /** Processor time in microseconds. */
  readonly tdur?: number;
}

/** The longest task of all pages during some work, in ms of processor time: other processes of the machine do not count. */
async function longestTask(session: CDPSession, work: () => Promise<void>): Promise<number> {
  let longest = 0;
  session.on('Tracing.dataCollected', ({ value }: { readonly value: readonly unknown[] }) => {
    for (const { name, tdur = 0 } of value as readonly TraceEvent[]) if (name.endsWith('RunTask')) longest = Math.max(longest, tdur / 1000);
  });
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] } });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  return longest;
}

/** The bytes of the heap of a page that are in use after a collection of garbage. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** Notes when the stream of a page brings something. */
async function watchStream(page: Page): Promise<readonly number[]> {
  const session = await page.context().newCDPSession(page);
  const streams = new Set<string>();
  const times: number[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => void (request.url.includes('/store/events') && streams.add(requestId)));
  session.on('Network.dataReceived', ({ requestId, timestamp }) => void (streams.has(requestId) && times.push(timestamp)));
  await session.send('Network.enable');
  return times;
}

/** The most events within one second. */
function mostInOneSecond(times: readonly number[]): number {
  return Math.max(0, ...times.map((time, index) => times.filter((other, at) => at >= index && other < time + 1).length));
}

const ways = [
  {
    name: 'the command line',
    factor: 31,
    importFile: async () => {
      const { exitCode, stderr } = await runProgram(store, ['inventory', 'import', file, '--quiet']);
      if (exitCode !== 0) throw new Error(stderr);
    },
  },
  {
    name: 'the server',
    factor: 37,
    importFile: async (address: string) => {
      const { status, text } = await ask(address, 'POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: readFileSync(file) });
      if (status !== 200) throw new Error(text);
    },
  },
];

test.each(ways)(
  'an import of many rows by $name leaves the board quick, small and right',
  async ({ factor, importFile }) => {
    const { address } = await startServer(store);
    const browser = await context(address);
    const [today, stock] = [await browser.newPage(), await browser.newPage()];
    const notices = await watchStream(today);
    for (const [page, path] of [
      [today, '/board/'],
      [stock, '/board/stock'],
    ] as const) {
      await page.goto(path);
      await page.getByText('Live', { exact: true }).waitFor();
    }
    const counts = Array.from({ length: pets }, (_, index) => countOf(index + 1, factor));
    writeFileSync(file, `petId,quantity\n${counts.map((count, index) => `${index + 1},${count}\n`).join('')}`);
    const onHand = counts.reduce((sum, count) => sum + count, 0).toLocaleString('en');
    const guppy = stock.getByRole('row').filter({ has: stock.getByRole('link', { name: 'Guppy 1', exact: true }) });
    const before = [await heapOf(today), await heapOf(stock)];
    let [started, shownMs] = [0, 0];
    const session = await browser.browser()?.newBrowserCDPSession();
    const longest = await longestTask(session ?? expect.fail('There is no browser.'), async () => {
      await importFile(address);
      started = performance.now();
      await today.getByRole('link', { name: `On hand ${onHand}`, exact: true }).waitFor({ timeout });
      await guppy
        .getByText(String(countOf(1, factor)), { exact: true })
        .first()
        .waitFor({ timeout });
      shownMs = performance.now() - started;
    });
    const grown = [(await heapOf(today)) - (before[0] ?? 0), (await heapOf(stock)) - (before[1] ?? 0)];
    const most = mostInOneSecond(notices);
    const kib = grown.map((bytes) => Math.round(bytes / 1024));
    console.log(
      `${pets} rows: right after ${Math.round(shownMs)} ms, longest task ${Math.round(longest)} ms, heaps grew by ${kib.join(' and ')} KiB, at most ${most} notices a second`,
    );
    expect(longest).toBeLessThan(longestTaskMs);
    expect(most).toBeLessThanOrEqual(noticesPerSecond + 1);
    for (const bytes of grown) expect(bytes).toBeLessThan(heapGrowth);
  },
  600_000,
);
