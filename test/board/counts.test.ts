import { expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { getCount } from '../../src/domain/counts/get-count.js';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';
import { goTo } from './accessibility.js';
import { countOf, expectEntryFocus } from './count-lines.js';
import { expectFocus } from './focus.js';

const { open } = testBrowser();

testListening('a pet that cannot be changed is said before the close, which then leaves it or accepts a shortage', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14, reserved: 5 });
  const guppy = await served.pet({ name: 'Guppy', quantity: 5 });
  const count = await countOf(served);
  const lines = [
    { petId: koi, number: 2 },
    { petId: guppy, number: 6 },
  ];
  await served.call(addCountLines, { countId: count, body: { lines } });
  const page = await open(served.address, `/board/counts/${count}/close`);
  await page.getByText('All pets were counted.').waitFor();
  const problem = page.getByRole('row', { name: /^Koi/ }).locator('.refusal');
  await problem.waitFor();
  await page.getByLabel('Accept fewer units than are reserved').check();
  await expect.poll(() => problem.count()).toBe(0);
  await page.getByLabel('Accept fewer units than are reserved').uncheck();
  await problem.waitFor();
  await page.getByRole('button', { name: 'Close the count' }).click();
  await page.getByRole('alert').getByText('was not closed').waitFor();
  await page.getByLabel('Leave pets as they are that cannot be changed, and change the others').check();
  await page.getByRole('button', { name: 'Close the count' }).click();
  await page.getByText('Closed count 1 (batch 1): 1 pet changed, 1 left as it was.').waitFor();
  expect([await served.stockSummary(koi), await served.stockSummary(guppy)]).toEqual(['14 on hand, 5 reserved, available', '6 on hand, 0 reserved, available']);
  await goTo(page, `/pets/${guppy}`);
  await page.getByText('Last counted').waitFor();
  await page.getByRole('definition').filter({ hasText: 'by ana' }).waitFor();
});

testListening('a count is cancelled after a question, and changes nothing', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served);
  await served.call(addCountLines, { countId: count, body: { lines: [{ petId: koi, number: 2 }] } });
  const page = await open(served.address, `/board/counts/${count}/close`);
  await page.getByRole('button', { name: 'Cancel the count' }).click();
  await page.getByText('No stock changes. What was counted of 1 pet stays in the record.').waitFor();
  await page.getByRole('button', { name: 'Go back' }).click();
  await expectFocus(page, 'Cancel the count');
  await page.keyboard.press('Enter');
  await expectFocus(page, 'Cancel count');
  await page.keyboard.press('Enter');
  await page.getByText('Cancelled count 1.').waitFor();
  expect(await served.stockSummary(koi)).toBe('14 on hand, 0 reserved, available');
  await page.getByRole('link', { name: 'Counts', exact: true }).click();
  await page.getByText('No count is open.').waitFor();
  await page.getByRole('link', { name: 'Cancelled' }).click();
  await page.getByRole('link', { name: 'count 1' }).waitFor();
});

testListening('a blind count shows nowhere what is expected, until somebody asks what would change', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served, { blind: true });
  const page = await open(served.address, `/board/counts/${count}`);
  await expectEntryFocus(page);
  await page.keyboard.type(`${koi}\n`);
  await page.getByText('Not counted so far').waitFor();
  await page.keyboard.type('12\n');
  await page.getByText('Counted so far 12').and(page.locator('small')).waitFor();
  const hidden = /expected \d|Agreeing|Differing|\b14\b|Difference/;
  await expect.poll(() => page.getByText('1 of 1').count()).toBe(1);
  await expect.poll(() => page.locator('main').innerText()).not.toMatch(hidden);
  await page.getByRole('rowheader', { name: 'Koi' }).waitFor();
  expect(await page.locator('main').innerText()).not.toMatch(hidden);
  await goTo(page, `/counts/${count}/close`);
  await page.getByRole('cell', { name: '14' }).first().waitFor();
});

testListening('the pets of a count are filtered by what is left, and a count follows those who count elsewhere', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  await served.pet({ name: 'Guppy', quantity: 5 });
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}?state=not-counted`);
  const names = (): Promise<readonly string[]> => page.getByRole('rowheader').allInnerTexts();
  await expect.poll(names).toEqual(['Koi', 'Guppy']);
  await served.call(addCountLines, { countId: count, body: { lines: [{ petId: koi, number: 2 }] } });
  // A page asks every ten seconds what was counted elsewhere.
  await expect.poll(names, { interval: 500 }).toEqual(['Guppy']);
  await page.getByRole('link', { name: 'Differing' }).click();
  await expect.poll(names).toEqual(['Koi']);
  await page.getByLabel('Search by name').fill('gup');
  await page.getByText('No pet matches.').waitFor();
});

testListening('who may only read sees how far a count is, and nothing to press', async (served) => {
  await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served);
  const { text } = await served.dependencies.tokens.create({ name: 'screen', scopes: ['store:read', 'pets:read'] });
  const page = await open(served.address, `/board/counts/${count}`);
  await page.getByLabel('Access token').fill(text);
  await page.keyboard.press('Enter');
  await page.getByText('0 of 1').waitFor();
  await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0);
  await expect.poll(() => page.getByRole('main').getByRole('combobox').count()).toBe(0);
  await page.getByRole('link', { name: 'What would change' }).click();
  await page.getByText('Nothing would change').waitFor();
  await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0);
  await page.getByRole('link', { name: 'Counts', exact: true }).click();
  await page.getByRole('link', { name: `count ${count}` }).waitFor();
  await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0);
  expect((await served.call(getCount, { countId: count })).state).toBe('open');
});
