import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

/** Values that no filter takes. */
const values = ['constructor', '__proto__', '-1', 'NaN', 'x'.repeat(7000), '\u202e'];

const filters = [
  ...['q', 'category', 'show', 'cursor'].map((name) => `/stock?${name}=`),
  ...['state', 'pet', 'from', 'to', 'cursor'].map((name) => `/orders?${name}=`),
  ...['kind', 'pet', 'actor', 'since', 'cursor'].map((name) => `/ledger?${name}=`),
  ...['report', 'by', 'from', 'to'].map((name) => `/reports?report=movements&by=day&${name}=`),
  '/reports?report=sell-through&from=',
  '/reports?report=dead-stock&days=',
  '/imports?cursor=',
  ...['state', 'cursor'].map((name) => `/counts?${name}=`),
  ...['state', 'q', 'cursor'].map((name) => `/counts/1?${name}=`),
  ...['zero', 'cursor'].map((name) => `/counts/1/close?${name}=`),
];

testListening('every screen is shown whatever the address asks for', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address);
  await page.getByText('Live', { exact: true }).waitFor();
  for (const [index, filter] of filters.entries()) {
    // Every filter of a screen gets other values; all screens get each of them.
    for (const value of [values[index % values.length] ?? '', values[(index + 3) % values.length] ?? '']) {
      const path = `/board${filter}${encodeURIComponent(value)}`;
      await page.evaluate((target) => {
        history.pushState(null, '', target);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      // The page is drawn again before the next task, and the test fails where that writes an error to the console.
      const shown = await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(document.querySelector('h1')?.textContent))));
      expect([path, shown]).toEqual([path, expect.stringMatching(/^(Stock|Orders|Ledger|Reports|Imports|Counts|Count 1|Close count 1)$/)]);
    }
  }
  await page.getByRole('heading', { level: 1, name: 'Close count 1' }).waitFor();
});
