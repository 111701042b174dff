import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { blank } = testBrowser();

const rows = 'application/vnd.petstore.complete.1+json';

/** How a request may be answered other than by the shop: the answers of proxies and networks, and answers that are cut short. */
const answers: readonly ((route: Route) => Promise<void>)[] = [
  (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in to this network</p>' }),
  (route) => route.fulfill({ status: 200, contentType: rows, body: 'null' }),
  (route) => route.fulfill({ status: 200, contentType: rows, body: '[{"id"' }),
  (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<p>Bad gateway</p>' }),
  (route) => route.abort('connectionreset'),
];

const isOperation = (url: URL): boolean => !url.pathname.includes('/board/') && !url.pathname.endsWith('/events');
const onHand = (page: Page, units: number): Promise<void> => page.getByRole('link', { name: `On hand ${units}`, exact: true }).waitFor();

testListening('a page that opens while something else answers waits for the shop', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const opened = answers.map(async (answer) => {
    const page = await blank(address);
    await page.route(isOperation, answer);
    await page.goto(`${address}/board/`);
    await page.getByRole('heading', { name: 'The shop cannot be reached' }).waitFor();
    await page.unroute(isOperation);
    // By itself: a screen on a wall has no keyboard.
    await onHand(page, 40);
  });
  await Promise.all(opened);
});

testListening('figures that could not be read are read again, also if nothing changes', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const pages = await Promise.all(
    answers.map(async (answer) => {
      const page = await blank(address);
      await page.goto(`${address}/board/`);
      await page.getByText('Live', { exact: true }).waitFor();
      await onHand(page, 40);
      const answered = new Set<string>();
      await page.route(isOperation, async (route) => {
        await answer(route);
        answered.add(new URL(route.request().url()).pathname);
      });
      return { page, answered };
    }),
  );
  await adjust(koi, 1);
  const reads = pages.map(async ({ page, answered }) => {
    await expect.poll(() => answered.has('/store/summary')).toBe(true);
    // The last figures stay.
    await onHand(page, 40);
    await page.unroute(isOperation);
    await onHand(page, 41);
  });
  await Promise.all(reads);
});

testListening('a screen that cannot show an answer says so, and the others can be opened', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const page = await blank(address, /TypeError/);
  await page.route(/\/store\/inventory\?/, (route) => route.fulfill({ status: 200, contentType: rows, body: '{}' }));
  await page.goto(`${address}/board/stock`);
  await page.getByRole('heading', { name: 'This screen cannot be shown' }).waitFor();
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
});

testListening('a sale whose answer got lost is made once, whatever answers the repeats', async ({ address, pet, stockSummary, ledger }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await blank(address);
  await page.goto(`${address}/board/stock`);
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  const keys = new Set<string | null>();
  const record = (status: number, body: string) => (route: Route) => route.fulfill({ status, contentType: 'application/json', body });
  const refusal = (code: string, status: number): string => JSON.stringify({ code, message: `Refused with ${code}.`, status });
  const repeats: readonly ((route: Route) => Promise<void>)[] = [
    async (route) => {
      // The shop makes the sale; its answer does not arrive.
      await route.fetch();
      await route.abort('connectionreset');
    },
    record(409, refusal('idempotency_in_progress', 409)),
    record(502, '<p>Bad gateway</p>'),
    record(429, refusal('rate_limited', 429)),
    record(409, refusal('idempotency_in_progress', 409)),
    record(409, refusal('idempotency_in_progress', 409)),
    record(409, refusal('idempotency_in_progress', 409)),
  ];
  let count = 0;
  await page.route(/\/store\/orders$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.add(await route.request().headerValue('idempotency-key'));
    count += 1;
    return (repeats[count - 1] ?? ((one: Route) => one.continue()))(route);
  });
  const sell = page.getByRole('dialog').getByRole('button', { name: 'Sell', exact: true });
  await sell.click();
  await page.getByText('The server did not answer, so it is not known whether the change was made. Try again: it is made only once.').waitFor();
  await sell.click();
  await page.getByText('Refused with rate_limited.').waitFor();
  await sell.click();
  await page.getByText('The server did not answer, so it is not known').waitFor();
  await sell.click();
  await page.getByText('Sold 1 × Koi, 39 available (order 1).').waitFor();
  expect([keys.size, count]).toEqual([1, 8]);
  expect(await stockSummary(koi)).toBe('39 on hand, 0 reserved, available');
  expect((await ledger()).filter(({ kind }) => kind === 'sale')).toHaveLength(1);
});

testListening('an import that something else answers is not taken for done', async ({ address, pet }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await blank(address);
  await page.goto(`${address}/board/imports`);
  const importing = /\/store\/imports/;
  const file = { name: 'count.csv', mimeType: 'text/csv', buffer: Buffer.from(`petId,quantity\n${koi},41\n`) };
  await page.route(importing, (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in to this network</p>' }));
  await page.getByLabel('Drop a file here, or choose one').setInputFiles(file);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.locator('.import').getByText('A proxy answered instead of the shop, with status 200.').waitFor();
  await page.unroute(importing);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor();
  await page.route(importing, (route) => route.fulfill({ status: 200, contentType: 'application/x-ndjson', body: '\n{"onIgnored":[' }));
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('The server did not answer, so it is not known whether the file was imported.').waitFor();
  await page.unroute(importing);
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('Applied 1 row of count.csv (batch 1).').waitFor();
});
