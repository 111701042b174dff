import { expect } from 'vitest';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { expectFocus } from './focus.js';
import { ask, testListening } from '../support/server.js';

const { open } = testBrowser();

testListening('an undo shows what it will do, by keyboard, and why it is refused', async ({ address, pet, adjust }) => {
  const koi = await pet({ name: 'Koi', quantity: 4 });
  await adjust(koi, 3);
  const page = await open(address, '/board/ledger');
  await page.getByRole('button', { name: 'Undo entry 3' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Koi: −3, then 4 on hand.').waitFor();
  await page.keyboard.press('Escape');
  await expectFocus(page, 'Undo entry 3');
  await ask(address, 'POST', '/store/orders', { body: { petId: koi, quantity: 6, complete: true } });
  await page.getByRole('rowheader', { name: /Sold 6/ }).waitFor();
  await page.getByRole('button', { name: 'Undo entry 3' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('alert').getByText('the change of +3 cannot be undone').waitFor();
  expect(await page.getByRole('dialog').getByRole('button').allInnerTexts()).toEqual(['Close']);
});

testListening('filters and pages are kept in the address, and an entry that was undone offers no undo', async ({ address, pet, adjust, call, ledger }) => {
  const [koi, hostile] = [await pet({ name: 'Koi' }), await pet({ name: '<img src=x onerror=alert(1)>', quantity: 1 })];
  for (let index = 1; index <= 51; index += 1) await adjust(koi, index);
  await call(updatePet, { petId: hostile, body: { name: 'Rex' } });
  const [first = expect.fail(), second = expect.fail()] = (await ledger()).filter(({ kind }) => kind === 'adjust');
  await ask(address, 'POST', `/store/ledger/${first.id}/undo`);
  const page = await open(address, '/board/ledger');
  await page.getByText('Name <img src=x onerror=alert(1)> → Rex').waitFor();
  // Printed too: a page is not the whole ledger.
  await page.emulateMedia({ media: 'print' });
  await page.getByText('50 changes on this page', { exact: true }).waitFor();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByRole('rowheader', { name: 'Added Koi' }).waitFor();
  // The undo is on the page before.
  await page.getByRole('rowheader', { name: /^Received 1 × Koi.*, undone by entry \d+$/ }).waitFor();
  await page.getByRole('button', { name: `Undo entry ${second.id}` }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: `Undo entry ${first.id}`, exact: true }).count()).toBe(0);
  // Neither does one that is undone while it is shown.
  await ask(address, 'POST', `/store/ledger/${second.id}/undo`);
  await page.getByRole('button', { name: `Undo entry ${second.id}` }).waitFor({ state: 'detached' });
  await page.getByLabel('What').selectOption('Pets changed');
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toHaveLength(1);
  await page.reload();
  await page.getByText('Name <img').waitFor();
  expect(new URL(page.url()).search).toBe('?kind=pet.');
  await goTo(page, `/ledger?pet=${hostile}&since=2026-01-01&actor=nobody`);
  await page.getByText('No change matches.').waitFor();
  await expectNarrow(page);
  await expect.poll(() => page.getByLabel('Pet', { exact: true }).inputValue()).toBe('Rex');
});
