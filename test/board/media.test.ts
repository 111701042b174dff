import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectAccessible } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
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
  const page = await open(address, '/board/reports?report=movements&by=day', { forcedColors: 'active' });
  await page.locator('.chart-frame .axis text').first().waitFor();
  const [link, current] = ['.navigation a:not([aria-current])', '.navigation a[aria-current]'];
  expect(await styleOf(page, current, 'background-color')).not.toBe(await styleOf(page, link, 'background-color'));
  expect(await styleOf(page, '.chart .axis text', 'fill')).toBe(await styleOf(page, 'h1', 'color'));
  expect(await styleOf(page, '.chart rect', 'fill')).not.toBe(await styleOf(page, 'body', 'background-color'));
  await expectAccessible(page);
  await page.goto(`${address}/board/stock?low=true`);
  await page.getByText('No pet matches.').waitFor();
  expect(await styleOf(page, '.toggle[aria-current="true"]', 'background-color')).not.toBe(
    await styleOf(page, '.toggle:not([aria-current="true"])', 'background-color'),
  );
});

testListening('with reduced motion nothing moves', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address, '/board/', { reducedMotion: 'reduce' });
  await page.getByText('Live', { exact: true }).waitFor();
  await adjust(koi, 2);
  await page.locator('.changes [data-new="true"]').waitFor();
  const moving = `[...document.querySelectorAll('*')].filter((one) => {
    const { animationName, transitionDuration } = getComputedStyle(one);
    return animationName !== 'none' || !/^0s(, 0s)*$/.test(transitionDuration);
  }).map(({ outerHTML }) => outerHTML.slice(0, 80))`;
  expect(await page.evaluate(moving)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await page.evaluate<readonly string[]>(moving)).not.toEqual([]);
});

testListening('printed, a list begins on the first page, with the time and without controls, and charts are as wide as the paper', async (served) => {
  for (let index = 1; index <= 45; index += 1) await served.pet({ name: `Koi ${index}`, quantity: index });
  const page = await open(served.address, '/board/stock?low=false');
  await page.getByRole('rowheader').nth(44).waitFor();
  const pages = String(await page.pdf({ format: 'A4' })).match(/\/Type \/Page\b/g);
  expect(pages).toHaveLength(2);
  await page.goto(`${served.address}/board/reports`);
  await page.locator('.chart .bar-total').first().waitFor();
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  await expect.poll(() => page.locator('.chart svg').first().getAttribute('width')).toBe('690');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.getByText(/^Printed \d+ \w+ \d{4}, \d\d:\d\d \(UTC\)$/).waitFor();
  expect(await styleOf(page, 'body', 'color')).toBe('rgb(0, 0, 0)');
  for (const control of await page.locator('button, input, select, nav, .toggle').all()) expect(await control.isVisible()).toBe(false);
});
