import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { context } = testBrowser();

/** What a browser may lack or refuse, by the script that takes it away. */
const restrictions = {
  'blocks storage': `Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('Denied', 'SecurityError'); } })`,
  'has full storage': `Storage.prototype.setItem = () => { throw new DOMException('Full', 'QuotaExceededError'); }`,
  'has no BroadcastChannel': `delete window.BroadcastChannel`,
  'has no locks': `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`,
  'refuses locks': `if (navigator.locks) LockManager.prototype.request = () => Promise.reject(new DOMException('Denied', 'SecurityError'))`,
} as const;

describe.each(Object.entries(restrictions))('a browser that %s', (_, script) => {
  testListening('shows the shop live, and its shortcuts can be turned off', async ({ address, pet, adjust }) => {
    const koi = await pet({ name: 'Koi', quantity: 40 });
    const browser = await context(address);
    await browser.addInitScript({ content: script });
    const page = await browser.newPage();
    await page.goto('/board/');
    await page.getByText('Live', { exact: true }).waitFor();
    await adjust(koi, 1);
    await page.getByRole('link', { name: 'On hand 41', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Help' }).click();
    const shortcuts = page.getByLabel('Use these shortcuts');
    await shortcuts.uncheck();
    await expect.poll(() => shortcuts.isChecked()).toBe(false);
  });
});

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
