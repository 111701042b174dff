import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { addCode } from '../../src/domain/codes/add-code.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { expectAccessible, expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { ensureBuilt } from '../support/program.js';
import { testListening } from '../support/server.js';
import { expectFieldFocus, expectFocus } from './focus.js';

const { open } = testBrowser();

beforeAll(ensureBuilt);

/** A scanner types a code and Return at once, and does not wait for the page. */
async function scan(page: Page, ...codes: readonly string[]): Promise<void> {
  for (const code of codes) await page.keyboard.type(`${code}\n`);
}

/** Both in one moment, which keys from here would not be on a loaded machine. */
const returnTwice = `for (const _ of [1, 2]) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))`;

/** A person takes longer between two keys than a scanner that sends Return twice. */
const personMs = 150;

async function enter(page: Page): Promise<void> {
  await page.waitForTimeout(personMs);
  await page.keyboard.press('Enter');
}

/** The pets of the sale and their units, the newest first. */
async function linesOf(page: Page): Promise<readonly string[]> {
  const lines = await page.getByRole('list', { name: 'Pets' }).getByRole('listitem').all();
  return Promise.all(lines.map(async (line) => `${await line.getAttribute('aria-label')} ${await line.getByLabel('Units').inputValue()}`));
}

testListening('a scanner sells on any screen: ids, codes and cartons, twice the same pet, and a wrong scan between them', async (served) => {
  const { address, pet, call, stockSummary } = served;
  const [koi, guppy] = [await pet({ name: 'Koi', quantity: 40 }), await pet({ name: 'Guppy', quantity: 90 })];
  await call(addCode, { petId: guppy, body: { code: 'G-1' } });
  await call(addCode, { petId: guppy, body: { code: 'CARTON-20', units: 20 } });
  const page = await open(address, '/board/stock');
  await page.getByRole('link', { name: 'Counts', exact: true }).click();
  await page.getByText('No count is open.').waitFor();
  await page.keyboard.press('s');
  await expectFieldFocus(page, 'petId');
  // Return twice, as some scanners send it, sells nothing.
  await page.keyboard.type(String(koi));
  await page.evaluate(returnTwice);
  await scan(page, 'x2', 'G-1', 'NOBODY', 'x7', 'CARTON-20', 'x2', String(koi));
  await page.getByText('“NOBODY” was not added. There is no pet named "NOBODY".').waitFor();
  await expect.poll(() => linesOf(page)).toEqual(['Guppy 41', 'Koi 3']);
  await expectAccessible(page);
  await expectNarrow(page);
  // Neither Esc, pressed twice, nor the way back loses what was scanned without a question.
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.message());
    void question.dismiss();
  });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.evaluate('history.back()');
  await expect.poll(() => questions).toEqual(['Discard what you typed?', 'Discard what you typed?', 'Discard what you typed?']);
  expect(await linesOf(page)).toEqual(['Guppy 41', 'Koi 3']);
  // A wrong scan is not overlooked: the field does not sell without it.
  await enter(page);
  await page.getByText('Press Enter once more to sell the others.').waitFor();
  await expectFieldFocus(page, 'petId');
  await page.getByRole('button', { name: 'Dismiss NOBODY' }).click();
  // A number behind it does not mean the scan before it.
  await page.getByRole('button', { name: 'Dismiss x7' }).click();
  await expectFieldFocus(page, 'petId');
  await enter(page);
  await page.getByText('Sold 3 × Koi, 41 × Guppy (orders 1, 2).').waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect([await stockSummary(koi), await stockSummary(guppy)]).toEqual(['37 on hand, 0 reserved, available', '49 on hand, 0 reserved, available']);
  // The bar undoes it as a whole, by its key and Enter.
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('listitem').filter({ hasText: 'Guppy: 90 on hand, 90 available' }).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: /order 2 is cancelled/i })
    .waitFor();
  await expectFocus(page, 'Undo');
  await page.keyboard.press('Enter');
  await page.getByText('Undid the sale of 3 × Koi (order 1), the sale of 41 × Guppy (order 2).').waitFor();
  expect([await stockSummary(koi), await stockSummary(guppy)]).toEqual(['40 on hand, 0 reserved, available', '90 on hand, 0 reserved, available']);
});

testListening('pets are sold by name and units, all of them or none, and a pet on hold is released in the sale', async (served) => {
  const { address, pet, call, stockSummary } = served;
  const [koi, neon] = [await pet({ name: 'Koi', quantity: 40, reserved: 3 }), await pet({ name: 'Neon tetra', quantity: 2 })];
  await pet({ name: 'Neon goby', quantity: 0 });
  await call(holdPet, { petId: neon });
  const page = await open(address, '/board/stock');
  // Nothing that cannot be sold has a button to sell it.
  await page.getByRole('button', { name: 'Sell Koi' }).waitFor();
  expect(await page.getByRole('button', { name: 'Sell Neon' }).count()).toBe(0);
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
  await page.getByRole('option', { name: /^Neon tetra.* on hold/ }).click();
  const line = page.getByRole('listitem', { name: 'Neon tetra' });
  await line.getByText('on hold').waitFor();
  await line.getByLabel('Units').fill('47110');
  await line.getByRole('button', { name: 'Release Neon tetra' }).click();
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
  await scan(page, '4006381333931');
  await page.getByText('“4006381333931” was not added.').waitFor();
  await expect.poll(() => linesOf(page)).toEqual(['Neon tetra 2', 'Koi 5']);
  await page.getByRole('button', { name: 'Sell the others' }).click();
  await page.getByText('Sold 5 × Koi, 2 × Neon tetra (orders 2, 3).').waitFor();
  await expectFocus(page, 'Sell pets');
});
