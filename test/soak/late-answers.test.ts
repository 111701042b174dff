import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { open, openNew } = testBrowser();

type Answer = Parameters<Route['fulfill']>[0];

const answerOfServer = async (route: Route): Promise<Answer> => ({ response: await route.fetch() });

/** Holds the answer to the next POST request of a page until the function that this returns is called, which waits until the page has it. */
async function holdAnswer(page: Page, pattern: string, answer: (route: Route) => Answer | Promise<Answer> = answerOfServer): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const answered = new Promise<void>((resolve, reject) => {
    void page.route(pattern, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const held = await answer(route);
      await released;
      await route.fulfill(held).then(resolve, reject);
    });
  });
  return () => {
    release();
    return answered;
  };
}

testListening('the answer to a change whose dialog was closed does not close the next dialog', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address, '/board/stock');
  const release = await holdAnswer(page, '**/store/orders');
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More Koi' }).click();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.keyboard.type('38');
  await release();
  await page.getByText('Sold 1 × Koi, 39 available (order 1).').waitFor();
  await expect.poll(() => page.getByLabel('Units counted').inputValue()).toBe('38');
});

testListening('a search that was typed just before another screen was opened does not filter that screen', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const page = await openNew(address, '/board/stock');
  await page.getByRole('rowheader', { name: 'Koi' }).waitFor();
  await page.clock.install();
  await page.getByLabel('Search by name').fill('koi');
  await page.getByRole('link', { name: 'Imports' }).click();
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
  await page.clock.runFor(1000);
  expect(new URL(page.url()).search).toBe('');
});

testListening('streams that end at once are opened again with growing pauses', async ({ address, pet }) => {
  await pet({ name: 'Koi' });
  const page = await open(address, '/board/help');
  await page.getByText('Live', { exact: true }).waitFor();
  const opened: number[] = [];
  await page.route('**/store/events*', async (route) => {
    opened.push(Date.now());
    await route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' });
  });
  await page.reload();
  await expect.poll(() => opened.length).toBe(5);
  const [, , , fourth = 0, fifth = 0] = opened;
  // The fourth pause is 2 s, half as long at the least.
  expect(fifth - fourth).toBeGreaterThan(950);
});

testListening('the next person who signs in sees neither the last change nor the import of the one who signed out', async ({ address, pet, dependencies }) => {
  const koi = await pet({ name: 'Koi', quantity: 4 });
  const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['store:write', 'pets:read'] });
  const page = await open(address, '/board/imports');
  const signIn = async (): Promise<void> => {
    await page.getByLabel('Access token').fill(text);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Import a file' }).waitFor();
  };
  await signIn();
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await page.keyboard.press('Enter');
  await page.getByText('Sold 1 × Koi, 3 available (order 1).').waitFor();
  await page.getByRole('link', { name: 'Imports' }).click();
  // Chromium does not show a file that is sent to whoever observes the request.
  const counts = { total: 1, applied: 1, unchanged: 0, rejected: 0, alreadyApplied: 0 };
  const body = `${JSON.stringify({ report: { batch: null, dryRun: true, mode: 'keep-going', ...counts, errors: [], errorsOmitted: 0 } })}\n`;
  const release = await holdAnswer(page, '**/store/imports*', () => ({ contentType: 'application/x-ndjson', body }));
  const buffer = Buffer.from(`petId,delta\n${koi},12\n`);
  await page.getByLabel('Drop a file here, or choose one').setInputFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('heading', { name: 'Checking delivery.csv' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.content()).not.toContain('Koi');
  await release();
  await signIn();
  await page.getByText('No file was imported yet.').waitFor();
  await expect.poll(() => page.getByText('delivery.csv').count()).toBe(0);
});

testListening('a key that began a sequence is forgotten after a while', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const page = await openNew(address, '/board/stock');
  await page.getByRole('link', { name: 'Koi' }).focus();
  await page.clock.install();
  await page.keyboard.press('g');
  await page.clock.runFor(3000);
  await page.keyboard.press('s');
  await page.getByRole('dialog', { name: 'Sell Koi' }).waitFor();
});
