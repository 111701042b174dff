import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { testBrowser } from '../support/browser.js';
import { prepare, runHosted, stockedShop } from '../support/program.js';
import { loseCategories } from '../support/lose-entries.js';
import { testListening } from '../support/server.js';
import { startServer } from '../support/server-process.js';
import { testFolder } from '../support/files.js';

const { context, open } = testBrowser();
const folder = testFolder();
const store = join(folder, 'shop.db');

beforeAll(() => stockedShop(store, 3, 40));
const isLive = (page: Page): Promise<void> => page.getByText('Live', { exact: true }).waitFor();
const hasOnHand = (page: Page, units: number): Promise<void> => page.getByRole('link', { name: `On hand ${units}`, exact: true }).waitFor();

test('a sale by the command line is shown, and a server that was killed and started again', async () => {
  const server = await startServer(store);
  const page = await open(server.address, '/board/', {}, /Failed to load resource|ERR_/);
  await isLive(page);
  await prepare(store, ['sell', '1', '--quiet']);
  await hasOnHand(page, 119);
  await page.evaluate('globalThis.isSamePage = true');
  server.child.kill('SIGKILL');
  await page.getByText(/Not live since \d\d:\d\d/).waitFor();
  await prepare(store, ['sell', '2', '3', '--quiet']);
  await expect.poll(() => page.getByRole('link', { name: 'On hand 119', exact: true }).isVisible()).toBe(true);
  await startServer(store, '--port', String(server.port));
  await hasOnHand(page, 116);
  await isLive(page);
  await page.getByText(/Sold 3 × Guppy 2/).waitFor();
  expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  expect(await runHosted(store, ['status', '--json']).then(({ stdout }) => (JSON.parse(stdout) as { units: { onHand: number } }).units.onHand)).toBe(116);
});

testListening(
  'a shop that went back to an earlier state is read again, also where its entries have the same ids',
  async ({ address, category, engine, clock }) => {
    await category('Fish');
    await category('Lost');
    const page = await open(address, '/board/stock');
    await isLive(page);
    const names = (): Promise<readonly string[]> => page.getByLabel('Category').locator('option').allTextContents();
    await expect.poll(names).toContain('Lost');
    await page.evaluate('globalThis.isSamePage = true');
    await loseCategories(engine, 1);
    clock.pass(1000);
    await category('Birds');
    await expect.poll(names).toContain('Birds');
    expect(await names()).not.toContain('Lost');
    await isLive(page);
    await category('Cats');
    await expect.poll(names).toContain('Cats');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  },
);

/** Hides a page or shows it again: a browser without windows hides none. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));`);
}

testListening('a page that was hidden for over a minute has no stream, and follows again when it is seen', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const browser = await context(address);
  const page = await browser.newPage();
  let [opened, closed] = [0, 0];
  const isStream = (url: string): boolean => url.includes('/store/events');
  page.on('request', (request) => (opened += isStream(request.url()) ? 1 : 0));
  page.on('requestfailed', (request) => (closed += isStream(request.url()) ? 1 : 0));
  await page.clock.install();
  await page.goto('/board/');
  await isLive(page);
  await setHidden(page, true);
  await page.clock.fastForward(30_000);
  await setHidden(page, false);
  expect([opened, closed]).toEqual([1, 0]);
  await setHidden(page, true);
  await page.clock.fastForward(61_000);
  await expect.poll(() => closed).toBe(1);
  await adjust(koi, 2);
  await setHidden(page, false);
  await hasOnHand(page, 42);
  await isLive(page);
  await expect.poll(() => opened).toBe(2);
});

testListening('a first read that took long does not put off the next one', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await (await context(address)).newPage();
  await page.clock.install();
  let [reads, release] = [0, (): void => undefined];
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/store/summary*', async (route) => {
    reads += 1;
    if (reads === 1) await held;
    await route.continue();
  });
  await page.goto('/board/');
  await isLive(page);
  await expect.poll(() => reads).toBe(1);
  await page.clock.fastForward(30_000);
  release();
  await hasOnHand(page, 40);
  await adjust(koi, 2);
  // The longest pause between two reads.
  await page.clock.fastForward(5000);
  await hasOnHand(page, 42);
});

testListening('an order becomes overdue and a new day begins although the shop does not change', async ({ address, pet, call, clock }) => {
  const browser = await context(address);
  const page = await browser.newPage();
  await page.clock.install({ time: clock.now() });
  await call(placeOrder, { body: { petId: await pet({ name: 'Koi' }), shipDate: new Date(clock.now() + 3_600_000).toISOString() } });
  await page.goto('/board/');
  await page.getByRole('link', { name: 'Orders due today 1', exact: true }).waitFor();
  const shownDay = (day: string): Promise<void> => page.locator('.today-date').getByText(day).waitFor();
  await shownDay('20 November 2026');
  clock.pass(24 * 3_600_000);
  await page.clock.setSystemTime(clock.now());
  await page.clock.runFor(62_000);
  await shownDay('21 November 2026');
  await page.getByRole('link', { name: 'Orders overdue 1', exact: true }).waitFor();
});
