import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { listPets } from '../../src/domain/pets/list-pets.js';
import { expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { expectFieldFocus, expectFocus, press } from './focus.js';
import { testListening } from '../support/server.js';

const { open } = testBrowser();

async function choose(page: Page, name: string, text: string | Buffer): Promise<void> {
  await page.getByLabel('Drop a file here, or choose one').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** The refused rows as the page saves them. */
async function savedRows(page: Page): Promise<readonly [name: string, text: string]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Download/ }).click()]);
  return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')];
}

testListening('a file is checked, imported in part, and undone by keyboard', async ({ address, pet, stockSummary }) => {
  const koi = await pet({ name: 'Koi', quantity: 4 });
  const page = await open(address, '/board/imports');
  await page.getByText('No file was imported yet.').waitFor();
  await choose(page, 'delivery.csv', `petId,delta\n${koi},12\n99,1\n${koi},two\n`);
  await page.getByRole('button', { name: 'Check the file' }).focus();
  await press(page, 'Enter');
  await page.getByRole('heading', { name: 'Check of delivery.csv' }).waitFor();
  await expectFocus(page, 'Check of delivery.csv');
  await expect.poll(() => page.getByRole('table', { name: '1 change' }).getByRole('row').nth(1).innerText()).toMatch(/Koi\s+4\s+16\s+\+12/);
  await page.getByRole('row', { name: 'Line 3 There is no pet 99.' }).waitFor();
  await page.getByRole('row', { name: 'Line 4 delta two delta "two" is not a whole number.' }).waitFor();
  expect(await savedRows(page)).toEqual([
    'delivery-refused.csv',
    `petId,delta,guarded,_line,_code,_message\r\n99,1,,3,unknown_pet,There is no pet 99.\r\n${koi},two,,4,invalid_quantity,"delta ""two"" is not a whole number."\r\n`,
  ]);
  await expectNarrow(page);
  expect(await stockSummary(koi)).toBe('4 on hand, 0 reserved, available');
  await page.getByRole('button', { name: 'Import the valid row' }).focus();
  await press(page, 'Enter');
  await page.getByText('Applied 1 row of delivery.csv (batch 1), 2 refused.').waitFor();
  expect(await stockSummary(koi)).toBe('16 on hand, 0 reserved, available');
  await page.getByText('Received 12 × Koi').waitFor();
  await page.getByRole('row', { name: 'Line 3 There is no pet 99.' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).focus();
  await press(page, 'Enter');
  await page.getByText('Takes back 1 row.').waitFor();
  await press(page, 'Enter');
  await page.getByText('Undid batch 1 (1 row).').waitFor();
  await page.getByRole('definition').getByText('undone').waitFor();
  expect(await stockSummary(koi)).toBe('4 on hand, 0 reserved, available');
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
});

testListening('pets are created from a file with names that do no harm', async ({ address }) => {
  const page = await open(address, '/board/imports');
  await page.getByLabel('What does it contain?').selectOption('New pets');
  const hostile = '<img src=x onerror=alert(1)>';
  // Dropped on another screen.
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
  const files = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], name));
      return transfer;
    },
    [`${hostile}.csv`, `name,category,quantity\n"${hostile}",Fish,2\n\u{1f415},Dogs,1\n,Dogs,1\n`] as const,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: files });
  await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
  await page.getByText('Options').click();
  await page.getByLabel('Create categories that do not exist yet').check();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import the 2 valid rows' }).click();
  await page.getByText('Created 2 pets from').waitFor();
  await expect.poll(() => page.locator('main img').count()).toBe(0);
  await page.getByRole('link', { name: 'batch 1' }).first().click();
  await page.getByText('with 2 on hand').waitFor();
  await expectNarrow(page);
});

testListening('no spreadsheet runs a name of the refused rows, and corrected they are imported as they were', async ({ address, pet, shop }) => {
  await pet({ name: 'Koi' });
  const page = await open(address, '/board/imports');
  await page.getByLabel('What does it contain?').selectOption('New pets');
  const names = ['=1+1', '@cmd', '-2', '+x', 'a;=b', "'=c"];
  await choose(page, 'pets.csv', `name,category,quantity\n${names.map((name) => `${name},Dogs,many\n`).join('')}`);
  await page.getByText('Options').click();
  await page.getByLabel('Create categories that do not exist yet').check();
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByText('No row can be imported.').waitFor();
  const [, saved] = await savedRows(page);
  const first = saved.split('\r\n').map((line) => line.split(',').slice(0, 4).join(','));
  const guarded = ["'=1+1", "'@cmd", '-2', "'+x", "a;'=b", "''=c"].map((name) => `${name},Dogs,many,${name === '-2' ? '' : 'yes'}`);
  expect(first).toEqual(['name,category,quantity,guarded', ...guarded, '']);
  await page.getByRole('button', { name: 'Back' }).click();
  await choose(page, 'corrected.csv', saved.replaceAll('many', '1'));
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import 6 rows' }).click();
  await page.getByText('Created 6 pets from corrected.csv').waitFor();
  const { items } = await shop.call(listPets, { sort: 'id' });
  expect(items.map(({ name }) => name)).toEqual(['Koi', ...names]);
});

testListening('nothing is imported where the stock changed since the check', async ({ address, pet, adjust, stockSummary }) => {
  const [koi, guppy] = [await pet({ name: 'Koi', quantity: 4 }), await pet({ name: 'Guppy', quantity: 2 })];
  const page = await open(address, '/board/imports');
  await choose(page, 'count.csv', `petId,expected,quantity\n${koi},4,5\n${guppy},2,3\n`);
  await page.getByRole('button', { name: 'Check the file' }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).waitFor();
  await adjust(guppy, -1);
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByText('Nothing was imported from count.csv (batch 1).').waitFor();
  await page.getByRole('row', { name: `Line 3 Pet ${guppy} has 1 on hand, expected 2.` }).waitFor();
  await page.getByRole('definition').getByText('refused', { exact: true }).waitFor();
  expect([await stockSummary(koi), await stockSummary(guppy)]).toEqual(['4 on hand, 0 reserved, available', '1 on hand, 0 reserved, available']);
});

testListening(
  "the refusals of a supplier's file stand beside the option that mends them, and what was chosen is kept",
  async ({ address, pet, stockSummary }) => {
    const koi = await pet({ name: 'Köi', quantity: 4 });
    const page = await open(address, '/board/imports', { viewport: { width: 390, height: 740 } });
    const check = async (): Promise<void> => page.getByRole('button', { name: 'Check the file' }).click();
    const chooseFile = (): Promise<void> => choose(page, 'supplier.csv', Buffer.from('Tier;Menge;Preis\nKöi;3;1,20\n', 'latin1'));
    await chooseFile();
    await check();
    await page.getByRole('alert').getByText('Line 2 of supplier.csv is not valid UTF-8.').waitFor();
    await expectFieldFocus(page, 'encoding');
    await page.getByLabel('Encoding').selectOption('windows-1252');
    await check();
    await page.getByRole('alert').getByText('supplier.csv has no column "petId"').waitFor();
    await expectFieldFocus(page, 'columns');
    await page.getByLabel('The pet is in the column').selectOption('Tier: name of the pet');
    await page.getByLabel('The units are in the column').selectOption('Menge: units to add or remove');
    await check();
    await page.getByRole('alert').getByText('unknown column "Preis"').waitFor();
    await page.getByLabel('Ignore unknown columns').check();
    for (const path of ['/help', '/imports']) await goTo(page, path);
    await check();
    await page.getByText('Ignored columns: Preis.').waitFor();
    await page.getByText('Dry run: nothing was changed.').waitFor();
    expect(await stockSummary(koi)).toBe('4 on hand, 0 reserved, available');
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByRole('heading', { name: 'Batch 1' }).waitFor();
    expect(await stockSummary(koi)).toBe('7 on hand, 0 reserved, available');
    await goTo(page, '/imports');
    await chooseFile();
    await check();
    await page.getByText('imported this file already').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0);
  },
);
