import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { ensureBuilt } from '../support/program.js';
import { testListening } from '../support/server.js';
import { expectFieldFocus } from './focus.js';

const { open } = testBrowser();

beforeAll(ensureBuilt);

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const pets = [
  ['Guppy', '20', '4006381333931'],
  ['Neon tetra', '30', ''],
  ['Angelfish', '4', 'ANGEL-1 ANGEL-2'],
  ['Goldfish', '12', ''],
  ['Koi', '5', '4006381333932'],
] as const;

testListening('the first hour of an empty shop needs the board alone', async ({ address, stockSummary, ledgerSummary }) => {
  const page = await open(address, '/board/');
  await page.getByRole('button', { name: 'New category' }).click();
  await page.keyboard.type('Fish\n');
  await page.getByText('Created category Fish.').waitFor();
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  for (const [index, [name, units, codes]] of pets.entries()) {
    await page.getByRole('button', { name: 'New pet' }).click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Units on hand').fill(units);
    await page.getByLabel('Codes (optional)').fill(codes);
    await press(page, 'Enter');
    if (codes === '4006381333932') {
      await page.getByText(`The code ${codes} has a wrong check digit (should end in 1); it would be kept as it is. Enter adds it.`).waitFor();
      await press(page, 'Enter');
    }
    await page.getByText(`Created ${name} (pet ${index + 1}).`).waitFor();
    await page.getByRole('rowheader', { name }).waitFor();
  }
  const labels = await page.getByRole('link', { name: /labels/i }).getAttribute('href');
  const sheet = await page.request.get(new URL(labels ?? '', address).href);
  for (const [name] of pets) expect(await sheet.text()).toContain(name);
  // A sale by scans on any screen: a code twice, and the id of another pet.
  await press(page, 's');
  await expectFieldFocus(page, 'petId');
  await page.keyboard.type('4006381333931\n4006381333931\n5\n');
  await page.getByRole('listitem', { name: 'Koi' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Sell', exact: true }).click();
  await page.getByText('Sold 2 × Guppy, 1 × Koi (orders 1, 2).').waitFor();
  // A delivery and a count, by the keys of the row.
  await page.getByRole('link', { name: 'Goldfish' }).focus();
  await press(page, 'a');
  await page.getByRole('dialog').getByText('12 on hand').waitFor();
  await page.keyboard.type('6\n');
  await page.getByText('Received 6 × Goldfish, 18 on hand.').waitFor();
  await page.getByRole('link', { name: 'Angelfish' }).focus();
  await press(page, 'c');
  await page.getByRole('dialog').getByText('4 on hand').waitFor();
  await page.keyboard.type('3\n');
  await page.getByText('Angelfish has 3 on hand.').waitFor();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('button', { name: 'Return order 1' }).click();
  await page.keyboard.type('1\n');
  await page.getByText('Returned 1 × Guppy of order 1, 19 available.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await press(page, 'u');
  await page.getByRole('listitem').filter({ hasText: 'Guppy: 18 on hand, 18 available' }).waitFor();
  await press(page, 'Enter');
  await page.getByText('Undid the return of 1 × Guppy (order 1).').waitFor();
  const left = await Promise.all(pets.map((_, index) => stockSummary(index + 1)));
  expect(left.map((text) => text.split(',')[0])).toEqual(['18 on hand', '30 on hand', '3 on hand', '18 on hand', '4 on hand']);
  expect((await ledgerSummary({ petId: 1 })).filter((text) => /^(sale|return)/.test(text))).toEqual(['sale -2', 'return +1', 'sale -1']);
});
