import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';
import { expectFieldFocus, expectFocus } from './focus.js';

const { open, openNew } = testBrowser();

testListening('pets are sold by name and units, all of them or none', async (served) => {
  const { address, pet, stockSummary } = served;
  const koi = await pet({ name: 'Koi', quantity: 40, reserved: 3 });
  await pet({ name: 'Neon tetra', quantity: 2 });
  await pet({ name: 'Neon goby', quantity: 0 });
  const page = await open(address, '/board/stock');
  await page.getByRole('button', { name: 'Sell pets' }).click();
  await page.keyboard.type('ko');
  await page.getByRole('option', { name: /^Koi.* 37 available/ }).waitFor();
  await page.keyboard.press('Enter');
  await expectFieldFocus(page, 'quantity');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expectFieldFocus(page, 'petId');
  await page.keyboard.type('neon');
  await page.getByRole('option', { name: /^Neon goby.* sold out/ }).waitFor();
  await page.getByRole('option', { name: /^Neon tetra.* 2 available/ }).click();
  const line = page.getByRole('listitem', { name: 'Neon tetra' });
  await line.getByLabel('Units').fill('47110');
  await line.getByText('only 2 available').waitFor();
  const sell = page.getByRole('dialog').getByRole('button', { name: 'Sell', exact: true });
  await sell.click();
  await page.getByRole('alert').getByText('47110 is above 9999, and more likely a code. Enter takes it as units.').waitFor();
  await expectFieldFocus(page, 'petId');
  await sell.click();
  await line.getByText('Only 2 × Neon tetra available; 47110 requested.').waitFor();
  expect(await stockSummary(koi)).toBe('40 on hand, 3 reserved, available');
  // A scan while the focus is at the units is a pet, not a number of units.
  await line.getByLabel('Units').fill('2');
  await page.getByRole('listitem', { name: 'Koi' }).getByLabel('Units').focus();
  await page.keyboard.type('4006381333931\n');
  await page.getByText('“4006381333931” was not added.').waitFor();
  const units = page.getByRole('dialog').getByLabel('Units');
  await expect.poll(async () => Promise.all((await units.all()).map((field) => field.inputValue()))).toEqual(['2', '5']);
  await page.getByRole('button', { name: 'Sell the others' }).click();
  await page.getByText('Sold 5 × Koi, 2 × Neon tetra (orders 2, 3).').waitFor();
  await expectFocus(page, 'Sell pets');
});

testListening('what a change did is shown for ten seconds, and longer while somebody is at it', async ({ address, pet }) => {
  await pet({ name: 'Koi', quantity: 4 });
  const page = await openNew(address, '/board/stock');
  await page.clock.install();
  const sell = async (order: number): Promise<void> => {
    await page.getByRole('button', { name: 'Sell Koi' }).click();
    await page.keyboard.press('Enter');
    await page.getByText(`(order ${order}).`).waitFor();
  };
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await sell(1);
  await undo.focus();
  // From here no time passes but what the test says.
  await page.clock.pauseAt(Date.now() + 60_000);
  expect(await undo.isVisible()).toBe(true);
  await undo.blur();
  await page.clock.fastForward(9000);
  expect(await undo.isVisible()).toBe(true);
  await page.clock.fastForward(1000);
  await expect.poll(() => page.getByText('(order 1).').count()).toBe(0);
  await page.clock.resume();
  // The next change takes its place.
  await sell(2);
  await sell(3);
  expect(await page.getByText('(order 2).').count()).toBe(0);
});
