import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

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
