import { expect } from 'vitest';
import { pauseHook } from '../../src/domain/hooks/pause-hook.js';
import { resumeHook } from '../../src/domain/hooks/resume-hook.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { getSummary } from '../../src/domain/reports/get-summary.js';
import { testBrowser } from '../support/browser.js';
import { fileOf } from './accessibility.js';
import { testListening } from '../support/server.js';

const { context, open } = testBrowser();

testListening('Today shows the figures of the reports', async ({ address, category, pet, adjust, shop, call, clock }) => {
  const fish = await category('Fish');
  const koi = await pet({ name: 'Koi', quantity: 40, categoryId: fish });
  await pet({ name: 'Rex' });
  await call(placeOrder, { body: { petId: koi, quantity: 3, shipDate: '2020-01-01T09:00:00Z' } });
  await adjust(koi, -2);
  const { hook } = await shop.hooks.create({ url: 'https://hooks.example.com/', rows: false, batch: 1, allowPrivate: false });
  await call(pauseHook, { hookId: hook.id });
  const browser = await context(address);
  // The last 30 days are those of the browser.
  await browser.clock.setFixedTime(clock.now());
  const page = await browser.newPage();
  await page.goto(`${address}/board/`);
  await call(placeOrder, { body: { petId: koi, quantity: 2, complete: true } });
  const { today, units, overdue } = await shop.call(getSummary, {});
  expect(today).toEqual({ sold: 2, received: 41, returned: 0 });
  await page.getByRole('rowheader', { name: 'Sold 2 × Koi' }).waitFor();
  expect(await page.getByRole('rowheader', { name: /^Placed/ }).allInnerTexts()).toEqual(['Placed order 1 for Koi']);
  await page.getByRole('link', { name: `On hand ${units.onHand}`, exact: true }).waitFor();
  await page.getByRole('link', { name: `Reserved ${units.reserved}`, exact: true }).waitFor();
  await page.getByRole('link', { name: `Orders overdue ${overdue}`, exact: true }).waitFor();
  await page.getByText(/^Webhook 1 is paused, \d+ ledger entr(y|ies) waiting\.$/).waitFor();
  await call(resumeHook, { hookId: hook.id });
  await page.getByRole('table', { name: 'Orders due' }).getByText('overdue').waitFor();
});

testListening('a page that is paused does not move', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address);
  await page.getByRole('link', { name: 'On hand 40', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/Paused since/).waitFor();
  await adjust(koi, 2);
  await page.waitForTimeout(1500);
  await expect.poll(() => page.getByRole('link', { name: 'On hand 40', exact: true }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('link', { name: 'On hand 42', exact: true }).waitFor();
});

/** How many rows of the lists of a wall are seen in part. */
const cutRows = `[...document.querySelectorAll('.today tbody tr, .today li')].filter((row) => {
  const [own, list] = [row, row.parentElement].map((element) => element.getBoundingClientRect());
  return own.left < list.right - 1 && own.bottom > list.bottom + 1;
}).length`;

testListening('on a wall everything fits without scrolling, with the names of low pets and one line for an import, which says what it did', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 3 });
  await served.call(setLowAt, { petId: koi, body: { lowAt: 9 } });
  for (let index = 0; index < 12; index += 1) await served.pet({ name: `Pet ${index}`, reserved: 1 });
  const rows = Array.from({ length: 12 }, (_, index) => `${koi + 1 + index},1\n`).join('');
  await served.shop.importStock({ bytes: fileOf(`petId,delta\n${rows}`), map: new Map() }, { mode: 'atomic', fileName: 'delivery.csv' });
  await served.shop.importPets({ bytes: fileOf('name,category\nGuppy,Fish\n,Fish\n'), map: new Map() }, { mode: 'keep-going', createCategories: true });
  const page = await open(served.address, '/board/?wall');
  for (const text of ['Changed the stock in 12 rows by batch 1', 'Created 1 pet by batch 2']) {
    await page.getByText(text).waitFor();
    expect(await page.getByText(text.slice(text.indexOf('batch')), { exact: true }).count()).toBe(1);
  }
  await page.getByText('1 applied, 0 unchanged, 1 rejected').waitFor();
  await page.getByText('Koi', { exact: true }).first().waitFor();
  await page
    .getByText(/^\s*\d\d:\d\d$/)
    .first()
    .waitFor();
  for (const [width, height] of [
    [1920, 1080],
    [1280, 720],
    [1080, 1920],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect
      .poll(() => page.evaluate(() => [document.documentElement.scrollHeight <= innerHeight, document.documentElement.scrollWidth <= innerWidth]))
      .toEqual([true, true]);
    await expect.poll(() => page.evaluate(cutRows)).toBe(0);
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
  }
});
