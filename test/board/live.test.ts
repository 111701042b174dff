import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { context, open } = testBrowser();

testListening(
  'more pages of one browser than it has connections share one stream, and the next one takes over when it is closed',
  async ({ address, pet, adjust }) => {
    const koi = await pet({ name: 'Koi', quantity: 40 });
    const browser = await context(address);
    let streams = 0;
    browser.on('request', (request) => (streams += request.url().includes('/store/events') ? 1 : 0));
    const pages: Page[] = [];
    for (let count = 0; count < 7; count += 1) {
      const page = await browser.newPage();
      await page.goto(`${address}/board/`);
      await page.getByText('Live', { exact: true }).waitFor();
      pages.push(page);
    }
    expect(streams).toBe(1);
    const shownBy = (onHand: number) => Promise.all(pages.map((page) => page.getByRole('link', { name: `On hand ${onHand}`, exact: true }).waitFor()));
    // A page in the background waits until it is seen.
    const seeAll = () => Promise.all(pages.map((page) => page.bringToFront()));
    await adjust(koi, 1);
    await seeAll();
    await shownBy(41);
    await pages.shift()?.close();
    await expect.poll(() => streams).toBe(2);
    await adjust(koi, 1);
    await seeAll();
    await shownBy(42);
    expect(streams).toBe(2);
  },
);

testListening('half-typed text, its selection and the scroll position stay when figures are read again', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  for (let count = 0; count < 40; count += 1) await pet({ name: `Fish ${count}` });
  const page = await open(address, '/board/stock');
  await page.getByRole('link', { name: 'Fish 39' }).scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(0);
  await adjust(koi, 1);
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Koi' }).locator('[data-heading="On hand"]').innerText()).toBe('41');
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await page.getByRole('button', { name: 'More Fish 39' }).click();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.keyboard.type('123');
  await page.getByLabel('Units counted').evaluate((field: HTMLInputElement) => field.setSelectionRange(1, 2));
  await adjust(koi, 1);
  await expect
    .poll(() => page.getByRole('row', { includeHidden: true }).filter({ hasText: 'Koi' }).locator('[data-heading="On hand"]').textContent())
    .toBe('42');
  const field = page.getByLabel('Units counted');
  expect(await field.evaluate(({ value, selectionStart, selectionEnd }: HTMLInputElement) => [value, selectionStart, selectionEnd])).toEqual(['123', 1, 2]);
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
});
