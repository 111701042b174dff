import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

/** A computed style of the first element that a selector finds; waits until there is one. */
const styleOf = (page: Page, selector: string, property: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

testListening('with forced colours the current screen and filter are marked, and charts and statuses keep their colours', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address, '/board/reports', { forcedColors: 'active' });
  const [link, current] = ['.navigation a:not([aria-current])', '.navigation a[aria-current]'];
  expect(await styleOf(page, current, 'background-color')).not.toBe(await styleOf(page, link, 'background-color'));
  expect(await styleOf(page, '.bar', 'fill')).not.toBe(await styleOf(page, 'body', 'background-color'));
  await expectAccessible(page);
  await goTo(page, '/stock?show=low');
  await page.getByText('No pet matches.').waitFor();
  expect(await styleOf(page, '.toggle[aria-current="true"]', 'background-color')).not.toBe(
    await styleOf(page, '.toggle:not([aria-current="true"])', 'background-color'),
  );
});

testListening('printed, a list begins on the first page, with the time and without controls', async (served) => {
  for (let index = 1; index <= 45; index += 1) await served.pet({ name: `Koi ${index}`, quantity: index });
  const page = await open(served.address, '/board/stock?show=all');
  await page.getByRole('rowheader').nth(44).waitFor();
  const pages = String(await page.pdf({ format: 'A4' })).match(/\/Type \/Page\b/g);
  expect(pages).toHaveLength(2);
  await goTo(page, '/reports');
  await page.locator('.bar').first().waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.getByText(/^As of \d+ \w+ \d{4}, \d\d:\d\d \(UTC\)$/).waitFor();
  expect(await styleOf(page, 'body', 'color')).toBe('rgb(0, 0, 0)');
  for (const control of await page.locator('button, input, select, nav, .toggle').all()) expect(await control.isVisible()).toBe(false);
});
