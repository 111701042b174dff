import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { addCode } from '../../src/domain/codes/add-code.js';
import { cancelCount } from '../../src/domain/counts/cancel-count.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { ensureBuilt } from '../support/program.js';
import { seededRandom } from '../support/seeded-random.js';
import { testListening } from '../support/server.js';
import { countOf, expectEntryFocus, linesOf, scannerAt } from './count-lines.js';

const { open, openNew } = testBrowser();

beforeAll(ensureBuilt);

testListening('forty lines a second from a scanner are all stored, in the order in which they came', async (served) => {
  const pets: number[] = [];
  for (let index = 0; index < 20; index += 1) pets.push(await served.pet({ name: `Fish ${index}`, quantity: 10 }));
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}`);
  await expectEntryFocus(page);
  const random = seededRandom(7);
  const lines = Array.from({ length: 40 }, () => [pets[Math.floor(random() * pets.length)], Math.floor(random() * 100)] as const);
  const scan = await scannerAt(page);
  const scans: Promise<void>[] = [];
  const [begin, lineMs] = [Date.now(), 25];
  for (const [index, [pet, number]] of lines.entries()) {
    const due = begin + index * lineMs - Date.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    scans.push(scan(`${pet}\n${number}\n`));
  }
  await Promise.all(scans);
  await expect.poll(() => linesOf(served, count)).toEqual(lines.map(([pet, number]) => `${pet}: ${number}`));
  await expectEntryFocus(page);
});

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true };

const rowOf = (page: Page, text: string | RegExp) => page.locator('.count-lines li').filter({ hasText: text });

testListening('the field says what was counted so far and what is expected, and Save and Add are under the thumb', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served);
  const page = await openNew(served.address, `/board/counts/${count}`, phone);
  const field = page.getByRole('combobox');
  await expectEntryFocus(page);
  expect(await field.getAttribute('inputmode')).toBe('text');
  await page.keyboard.type(`${koi}\n`);
  await page.getByLabel('Units of Koi').waitFor();
  await page.getByText('Not counted so far, expected 14').waitFor();
  expect(await field.getAttribute('inputmode')).toBe('numeric');
  await page.keyboard.type('12');
  await page.getByRole('button', { name: 'Save' }).tap();
  await rowOf(page, 'Koi').getByText('Counted so far 12, expected 14').waitFor();
  await expectEntryFocus(page);
  await page.keyboard.type(`${koi}\n`);
  await page.getByText('Save replaces it. Add, or a + before the number, adds to it.').waitFor();
  await page.keyboard.type('3');
  await page.getByRole('button', { name: 'Add', exact: true }).tap();
  await rowOf(page, '+3').getByText('Counted so far 15, expected 14').waitFor();
  await page.keyboard.type(`${koi}\n`);
  await page.getByRole('button', { name: 'Another pet' }).tap();
  await page.getByLabel('Pet: code, ID or name').waitFor();
  await expectEntryFocus(page);
  // A large number is more likely a code: it is asked about.
  await page.keyboard.type(`${koi}\n47110\n`);
  await page.getByText('47110 is above 9999, and more likely a code. Enter takes it as units.').waitFor();
  expect(await linesOf(served, count)).toEqual([`${koi}: 12`, `${koi}: +3`]);
  await page.keyboard.press('Enter');
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: 12`, `${koi}: +3`, `${koi}: 47110`]);
  await expectNarrow(page);
});

testListening('the field keeps the focus after every tap, and a scanner finds it from anywhere', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served);
  const page = await openNew(served.address, `/board/counts/${count}`, phone);
  await expectEntryFocus(page);
  await page.keyboard.type(`${koi}\n1\n${koi}\n2\n${koi}\nmany\n`);
  await rowOf(page, 'Counted so far 2').waitFor();
  await page.getByRole('button', { name: 'Undo 1 × Koi' }).tap();
  await expectEntryFocus(page);
  await page.getByRole('button', { name: /^Dismiss/ }).tap();
  await expect.poll(() => page.getByText('“many” is not a number of units.').count()).toBe(0);
  await expectEntryFocus(page);
  await page.getByRole('heading', { name: 'So far' }).tap();
  await expectEntryFocus(page);
  await page.getByRole('button', { name: 'Pause' }).tap();
  await page.getByText('Paused since').waitFor();
  // The focus is at a button, which Return would press.
  await page.keyboard.press('Tab');
  await page.keyboard.type(`${koi}\n5\n`);
  await expect.poll(() => linesOf(served, count)).toEqual([`-${koi}: 1`, `${koi}: 2`, `${koi}: 5`]);
  await expectEntryFocus(page);
});

testListening('a line is undone by keyboard, also after the page was loaded again', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}`);
  await expectEntryFocus(page);
  await page.keyboard.type(`${koi}\n1\n${koi}\n2\n`);
  await rowOf(page, 'Counted so far 2').waitFor();
  await page.reload();
  await rowOf(page, 'Stored').first().waitFor();
  await expectEntryFocus(page);
  for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo 2 × Koi');
  await page.keyboard.press('Enter');
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: 1`, `-${koi}: 2`]);
  await rowOf(page, 'Undone').waitFor();
  await expectEntryFocus(page);
  await expect.poll(() => page.getByRole('button', { name: /^Undo/ }).count()).toBe(1);
});

testListening('a refused line says why beside it, and holds up none after it', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const count = await countOf(served);
  const later = await served.pet({ name: 'Later', quantity: 2 });
  const page = await open(served.address, `/board/counts/${count}`);
  await expectEntryFocus(page);
  const scan = await scannerAt(page);
  // A code counts one scan at once, also between a pet and its units.
  await served.call(addCode, { petId: koi, body: { code: '4006381333931', units: 6 } });
  await scan(`x3\n99\n1\n${koi}\nx\n${later}\n2\n4006381333931\n99999999999\n${koi}\n4006381333931\n7\nx4\n4006381333931\nx3\n`);
  // Neither at the beginning nor behind a typed line.
  for (const text of ['x3', 'x4']) await rowOf(page, `“${text}”`).getByText('Nothing was scanned before it.').waitFor();
  await rowOf(page, 'pet 99').getByText('There is no pet 99.').waitFor();
  await rowOf(page, '“x” is not a number of units.').waitFor();
  await rowOf(page, 'There is no pet 99999999999.').waitFor();
  await rowOf(page, `Later (pet ${later}) is not in count ${count}.`).waitFor();
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: +6`, `${koi}: +6`, `${koi}: 7`, `${koi}: +6`, `${koi}: +12`]);
  await page.getByRole('button', { name: /^Take it in/ }).click();
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: +6`, `${koi}: +6`, `${koi}: 7`, `${koi}: +6`, `${koi}: +12`, `${later}: 2`]);
  await expectEntryFocus(page);
  await served.call(cancelCount, { countId: count });
  await page.getByText('Cancelled', { exact: true }).waitFor();
  await expect.poll(() => page.getByRole('combobox').count()).toBe(0);
  await rowOf(page, 'There is no pet 99.').waitFor();
});

testListening('a name is found, and what is offered takes Return from no scanner', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 14 });
  const gold = await served.pet({ name: 'Gold koi', quantity: 3 });
  const count = await countOf(served);
  const later = await served.pet({ name: 'Later', quantity: 2 });
  const page = await open(served.address, `/board/counts/${count}`);
  await expectEntryFocus(page);
  const offers = page.getByRole('option');
  await page.keyboard.type('koi');
  await expect.poll(() => offers.count()).toBe(2);
  await page.keyboard.press('Enter');
  await page.getByLabel('Units of Koi').waitFor();
  await page.keyboard.type('14\n');
  await page.keyboard.type('oi');
  await expect.poll(() => offers.count()).toBe(2);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByLabel('Units of Gold koi').waitFor();
  await page.keyboard.type('3\n');
  await page.keyboard.type('oi\n');
  await page.getByText('There is no pet named "oi".').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type(`${gold}\n5\n`);
  await page.keyboard.type('later\n2\noi\n1\n');
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: 14`, `${gold}: 3`, `${gold}: 5`]);
  await rowOf(page, `Later (pet ${later}) is not in count ${count}.`).waitFor();
  await rowOf(page, 'There is no pet named "oi".').waitFor();
  await expectEntryFocus(page);
});
