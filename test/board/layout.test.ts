import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { expectAccessible } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { expectFocus } from './focus.js';
import { testListening, type ListeningShop } from '../support/server.js';

const { open } = testBrowser();

const phone = { width: 390, height: 740 };
const narrow = { width: 320, height: 740 };

/** A shop with millions of units, names without a blank, and an order. */
async function largeShop({ category, pet, call }: ListeningShop): Promise<void> {
  const categoryId = await category('A long name of a category, which no chart has room for');
  const petId = await pet({ name: 'W'.repeat(100), quantity: 12_345_678, categoryId });
  await call(placeOrder, { body: { petId, quantity: 1_234_567, shipDate: '2020-01-01T09:00:00Z' } });
}

const widthOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`Nothing is shown of ${String(element)}.`);
  return box;
}

testListening('figures of millions of units fit on a phone and on a wall, also in charts', async (served) => {
  await largeShop(served);
  const page = await open(served.address, '/board/');
  const sizes = [phone, narrow, { width: 1280, height: 720 }];
  await page.getByRole('link', { name: 'On hand 12,345,678', exact: true }).waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(size.width);
  }
  await goTo(page, '/reports');
  await page.locator('.bar').first().waitFor();
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect.poll(() => widthOf(page)).toBeLessThanOrEqual(size.width);
  }
  // What is no filter of a list is not folded on a phone.
  await page.setViewportSize(phone);
  await page.getByRole('link', { name: 'Dead stock', exact: true }).click();
  await page.getByRole('heading', { name: 'Pets without a sale' }).waitFor();
  await goTo(page, '/counts');
  await page.getByRole('link', { name: 'Closed', exact: true }).click();
  await page.getByText('No count was closed.').waitFor();
  await page.setViewportSize({ width: 1280, height: 720 });
  await goTo(page, '/?wall');
  await page.getByRole('link', { name: 'On hand 12,345,678', exact: true }).waitFor();
  expect(await widthOf(page)).toBeLessThanOrEqual(1280);
});

testListening('a row of a table is one line beside its buttons, whatever the names of others are', async (served) => {
  await largeShop(served);
  await served.pet({ name: 'Koi' });
  const page = await open(served.address);
  for (const [path, button] of [
    ['/stock', 'Sell Koi'],
    ['/orders', 'Complete order 1'],
  ] as const) {
    await goTo(page, path);
    const [main, more] = [page.getByRole('button', { name: button }), page.getByRole('button', { name: button.replace(/^\w+/, 'More') })];
    expect((await boxOf(main)).y).toBe((await boxOf(more)).y);
  }
});

testListening('an empty shop says on each screen what is missing, and where to begin', async ({ address }) => {
  const page = await open(address, '/board/');
  await page.getByText('The shop is empty.').waitFor();
  await goTo(page, '/ledger');
  await page.getByText('Nothing has happened yet.').waitFor();
  await goTo(page, '/stock?q=koi');
  await page.getByText('No pet matches.').waitFor();
  await page.getByRole('link', { name: 'Show all pets' }).click();
  await page.getByText('The shop is empty.').waitFor();
  await expect.poll(() => page.getByLabel('Search by name').inputValue()).toBe('');
  await page.getByRole('link', { name: 'import a file of pets' }).click();
  await expect.poll(() => page.getByLabel('What does it contain?').inputValue()).toBe('importPets');
});

testListening('on a phone a card has its figures in one line, the button of a dialog stays in sight, and the one of the menu in its place', async (served) => {
  const { address, pet, stockSummary } = served;
  const koi = await pet({ name: 'Koi', quantity: 40, reserved: 3 });
  const page = await open(address, '/board/stock', { viewport: phone });
  // "Connecting …" is wider, and moves the menu to another line.
  await page.getByText('Live', { exact: true }).waitFor();
  const [name, status] = await Promise.all([boxOf(page.getByRole('rowheader')), boxOf(page.locator('td.phone-corner'))]);
  expect(Math.abs(name.y - status.y)).toBeLessThan(4);
  expect(status.x + status.width).toBeLessThanOrEqual(phone.width);
  const figures = await Promise.all(['On hand', 'Available'].map((heading) => boxOf(page.locator(`td[data-heading="${heading}"]`))));
  expect(new Set(figures.map(({ y }) => y)).size).toBe(1);
  expect((await boxOf(page.getByRole('row').nth(1))).height).toBeLessThan(105);
  await page.setViewportSize({ width: 320, height: 420 });
  const menu = page.getByRole('button', { name: 'Menu' });
  const before = await boxOf(menu);
  await menu.click();
  await page.getByRole('link', { name: 'Reports' }).waitFor();
  expect(await boxOf(menu)).toEqual(before);
  await menu.click();
  await page.getByRole('button', { name: 'More Koi' }).click();
  await page.getByRole('button', { name: 'Count', exact: true }).click();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  const save = await boxOf(page.getByRole('button', { name: 'Save count' }));
  expect(save.y + save.height).toBeLessThan(420);
  await page.getByRole('button', { name: 'Go back' }).click();
  // Units that left, typed with a minus.
  await page.getByRole('button', { name: 'More Koi' }).click();
  await page.getByRole('button', { name: 'Receive or write off' }).click();
  await page.getByLabel('What happened?').selectOption('Written off');
  await page.getByLabel('Units').fill('-4');
  await page.getByRole('button', { name: 'Write off', exact: true }).click();
  await page.getByText('Wrote off 4 × Koi, 36 on hand.').waitFor();
  // The focus is back at the button of the row, and the notice does not cover it.
  const isSeen = `(({ x, y, width, height }) => document.activeElement.contains(document.elementFromPoint(x + width / 2, y + height / 2)))(document.activeElement.getBoundingClientRect())`;
  await expectFocus(page, 'More Koi');
  await expect.poll(() => page.evaluate(isSeen)).toBe(true);
  expect(await stockSummary(koi)).toBe('36 on hand, 3 reserved, available');
});

testListening(
  'the page says what is missing from a server with only stable operations',
  async ({ address }) => {
    const page = await open(address);
    await page.getByText('--stable-only').waitFor();
    await expectAccessible(page);
  },
  { stableOnly: true },
);
