import { beforeAll, expect } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { getSummary } from '../../src/domain/reports/get-summary.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { expectFocus } from './focus.js';
import { ensureBuilt } from '../support/program.js';
import { testListening } from '../support/server.js';

const { context, open } = testBrowser();

beforeAll(ensureBuilt);

testListening('Today shows the figures of the reports', async ({ address, category, pet, adjust, shop, call, clock }) => {
  const fish = await category('Fish');
  const koi = await pet({ name: 'Koi', quantity: 40, categoryId: fish });
  await pet({ name: 'Rex' });
  await call(placeOrder, { body: { petId: koi, quantity: 3, shipDate: '2020-01-01T09:00:00Z' } });
  await adjust(koi, -2);
  const browser = await context(address);
  // The last 30 days are those of the browser.
  await browser.clock.setFixedTime(clock.now());
  const page = await browser.newPage();
  await page.goto(`${address}/board/`);
  const { units, overdue } = await shop.call(getSummary, {});
  await page.getByRole('link', { name: `On hand ${units.onHand}`, exact: true }).waitFor();
  await page.getByRole('link', { name: `Reserved ${units.reserved}`, exact: true }).waitFor();
  await page.getByRole('link', { name: `Orders overdue ${overdue}`, exact: true }).waitFor();
  await page.getByRole('table', { name: 'Orders due' }).getByText('overdue').waitFor();
});

testListening('Today shows a change as soon as it is made, and moves no focus', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).focus();
  await adjust(koi, 5);
  await page.getByText('Received 5 × Koi, 45 on hand').waitFor();
  await page.getByRole('link', { name: 'On hand 45', exact: true }).waitFor();
  await expectFocus(page, 'Pause');
});

testListening('a server that stops and comes back: not live since, then exact figures without loading the page again', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 40 });
  const page = await open(served.address);
  await page.getByText('Live', { exact: true }).waitFor();
  await served.stop();
  await page.getByText(/Not live since \d\d:\d\d/).waitFor();
  await served.adjust(koi, 2);
  await served.restart(served.port);
  await page.getByRole('link', { name: 'On hand 42', exact: true }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
});

testListening('a page that is paused does not move', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText(/Paused since/).waitFor();
  await adjust(koi, 2);
  await page.waitForTimeout(1500);
  await expect.poll(() => page.getByRole('link', { name: 'On hand 40', exact: true }).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('link', { name: 'On hand 42', exact: true }).waitFor();
});

testListening('hostile names are shown and do nothing, on a narrow page too', async ({ address, category, pet }) => {
  const name = '<img src=x onerror=alert(1)>';
  await pet({ name, categoryId: await category('<b>Dogs</b>'), quantity: 3 });
  await pet({ name: '🐕'.repeat(50) });
  const page = await open(address);
  await page.getByRole('link', { name }).first().waitFor();
  await expect.poll(() => page.locator('main img, main b').count()).toBe(0);
  await expectNarrow(page);
});

testListening('Today in an empty shop, and at 320 pixels', async ({ address, pet, call }) => {
  const page = await open(address);
  await page.getByText('Nothing has happened yet.').waitFor();
  const koi = await pet({ name: 'Koi', quantity: 40 });
  await call(placeOrder, { body: { petId: koi, quantity: 3, shipDate: '2020-01-01T09:00:00Z' } });
  await page.getByRole('table', { name: 'Orders due' }).waitFor();
  await expectNarrow(page);
});
