import { expect } from 'vitest';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { expectFocus, press } from './focus.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

testListening('two pages count the same pet: the second is told what changed and keeps its input', async ({ address, pet, stockSummary }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const [first, second] = [await open(address, '/board/stock'), await open(address, '/board/stock')];
  for (const page of [first, second]) {
    await page.getByRole('link', { name: 'Koi' }).focus();
    // The dialog reads the stock when it opens: that has to end before the other page changes it.
    const read = page.waitForResponse(`**/store/inventory/${koi}`);
    await press(page, 'c');
    await read;
    await page.getByRole('dialog').getByText('40 on hand').waitFor();
  }
  await first.keyboard.type('38');
  await press(first, 'Enter');
  await first.getByText('Koi has 38 on hand.').waitFor();
  await second.keyboard.type('39');
  await press(second, 'Enter');
  await second.getByText(/Pet \d+ has 38 on hand, expected 40\. The last movement: count by \S+ at [^()]*\d\d:\d\d\.$/).waitFor();
  await second.getByRole('dialog').getByText('38 on hand', { exact: true }).waitFor();
  await expect.poll(() => second.getByLabel('Units counted').inputValue()).toBe('39');
  await press(second, 'Enter');
  await second.getByText('Koi has 39 on hand.').waitFor();
  expect(await stockSummary(koi)).toBe('39 on hand, 0 reserved, available');
});

testListening('a double click, and an answer that was lost, make one order', async ({ address, pet, stockSummary }) => {
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address, '/board/stock');
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await page.getByRole('button', { name: 'Sell', exact: true }).dblclick();
  await page.getByText('Sold 1 × Koi, 39 available (order 1).').waitFor();
  // The shop makes the change, but its answers get lost: those of the request, of its two repeats, and no further.
  let lost = 0;
  await page.route('**/store/orders', async (route) => {
    if (lost === 3) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await press(page, 'Enter');
  await page.getByText('it is not known whether the change was made').waitFor();
  await press(page, 'Enter');
  await page.getByText('Sold 1 × Koi, 38 available (order 2).').waitFor();
  expect(await stockSummary(koi)).toBe('38 on hand, 0 reserved, available');
});

testListening('filters and pages are kept in the address', async ({ address, category, pet, order, call }) => {
  const [fish, dogs] = [await category('Fish'), await category('Dogs')];
  for (let index = 0; index < 52; index += 1) await pet({ name: `Fish ${index}`, categoryId: fish });
  const rex = await pet({ name: 'Rex', categoryId: dogs, quantity: 2 });
  await call(holdPet, { petId: rex });
  await order(await pet({ name: 'Bella', categoryId: dogs }), 1);
  const names = async (): Promise<readonly string[]> => page.getByRole('rowheader').allInnerTexts();
  const page = await open(address, '/board/stock');
  await page.getByRole('link', { name: 'Next' }).click();
  await expect.poll(names).toEqual(['Fish 50', 'Fish 51', 'Rex', 'Bella']);
  await page.getByLabel('Category').selectOption('Dogs');
  await expect.poll(names).toEqual(['Rex', 'Bella']);
  await page.getByRole('link', { name: 'Pending', exact: true }).click();
  await expect.poll(names).toEqual(['Rex', 'Bella']);
  await page.getByRole('link', { name: 'Low', exact: true }).click();
  await page.getByText('No pet matches.').waitFor();
  await page.reload();
  await page.getByText('No pet matches.').waitFor();
  expect(new URL(page.url()).search).toBe(`?category=${dogs}&show=low`);
});

testListening('hostile and long names are inert in Stock, and at 320 pixels nothing is lost', async ({ address, pet }) => {
  await pet({ name: '<img src=x onerror=alert(1)>', quantity: 3 });
  await pet({ name: 'W'.repeat(100) });
  const page = await open(address, '/board/stock');
  await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  await expectNarrow(page);
  await expect.poll(() => page.locator('main img').count()).toBe(0);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Today' }).click();
  await expectFocus(page, 'Today');
  await expect.poll(() => page.title()).toMatch(/^Today · /);
});

testListening('a number of units that is more likely a code is taken when it is entered once more; a text that is too long is refused', async (served) => {
  const { address, pet, stockSummary } = served;
  const koi = await pet({ name: 'Koi', quantity: 40 });
  const page = await open(address, '/board/stock');
  await page.getByRole('link', { name: 'Koi' }).focus();
  await press(page, 'c');
  await page.keyboard.type('4006381\n');
  await page.getByRole('alert').getByText('4006381 is above 9999, and more likely a code. Enter takes it as units.').waitFor();
  expect(await stockSummary(koi)).toBe('40 on hand, 0 reserved, available');
  await press(page, 'Enter');
  await page.getByText('Koi has 4,006,381 on hand.').waitFor();
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await page.getByLabel('Note').focus();
  await page.keyboard.insertText('x'.repeat(50_000));
  await press(page, 'Enter');
  await page.getByText(/Must be at most 500 characters/).waitFor();
  await page.getByRole('button', { name: 'Go back' }).click();
  await press(page, '/');
  await page.keyboard.insertText('x'.repeat(50_000));
  await page.getByText(/must be at most \d+ characters|No pet matches/i).waitFor();
});
