import type { Locator, Page } from 'playwright-core';
import { testBrowser } from '../support/browser.js';
import { isLongRun } from '../support/seeded-random.js';
import { testListening, type ListeningShop } from '../support/server.js';
import { checkDialog, checksOf, goTo, fillShop } from './accessibility.js';

const { open } = testBrowser();

testListening('every dialog is accessible, also after a refusal', async (served) => {
  await fillShop(served);
  const page = await open(served.address, '/board/stock');
  const checks = checksOf(page);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const wrong = (label: string) => ({ label, text: 'many' });
  await checkDialog(page, checks, [button('Sell Koi')], 'Sell Koi', wrong('Units'));
  await checkDialog(page, checks, [button('More Rex'), button('Count')], 'Count Rex', { label: 'Units counted', text: '1' });
  await checkDialog(page, checks, [button('More Koi'), button('Receive or write off')], 'Receive or write off Koi', wrong('Units'));
  await checkDialog(page, checks, [button('More Koi'), button('Set low level')], 'Low level of Koi', wrong('Low at or below'));
  await checkDialog(page, checks, [button('More Koi'), button('Put on hold')], 'Put on hold: Koi');
  await checkDialog(page, checks, [button('New pet of the shop')], 'New pet', { label: 'Name', text: ' ' });
  await checkDialog(page, checks, [button('More of the shop'), button('New category')], 'New category', { label: 'Name', text: ' ' });
  await goTo(page, '/pets/1');
  await checkDialog(page, checks, [button('Add code')], 'Add a code to Koi', wrong('Units that one scan means'));
  await checkDialog(page, checks, [button('More Koi'), button('Edit pet')], 'Edit pet 1', { label: 'Name', text: ' ' });
  await checkDialog(page, checks, [button('More Koi'), button('Delete pet')], 'Delete Koi');
  await goTo(page, '/orders');
  await button('Place order').click();
  await page.getByRole('dialog').getByRole('combobox').pressSequentially('ko');
  await page.getByRole('option').first().waitFor();
  await checks.check('offers of a pet');
  await page.keyboard.press('Enter');
  await button('Go back').click();
  await checkDialog(page, checks, [button('Place order')], 'Place order', wrong('Units'));
  await checkDialog(page, checks, [button('More order 2'), button('Edit')], 'Edit order 2', wrong('Units'));
  await checkDialog(page, checks, [button('More order 2'), button('Cancel order')], 'Cancel order 2');
  await checkDialog(page, checks, [button('Return order 4')], 'Return units of order 4', wrong('Units that come back'));
  await goTo(page, '/ledger');
  const undo = page.getByRole('button', { name: /^Undo entry/ });
  await checkDialog(page, checks, [undo.first()], 'Undo');
  await goTo(page, '/imports/1');
  await checkDialog(page, checks, [button('Undo')], 'Undo batch 1');
  // These consist of the same parts as others.
  if (isLongRun) {
    await goTo(page, '/orders');
    await checkDialog(page, checks, [button('Complete order 2')], 'Complete order 2');
    await checkDialog(page, checks, [button('More order 4'), button('Reopen')], 'Reopen order 4');
    await goTo(page, '/ledger');
    await checkDialog(page, checks, [undo.nth(1)], 'Undo');
    await goTo(page, '/stock?category=1');
    await checkDialog(page, checks, [button('More of the shop'), button('Edit category')], 'Edit category', { label: 'Name', text: ' ' });
    await goTo(page, '/stock');
    await checkDialog(page, checks, [button('More Bella'), button('Release')], 'Release: Bella');
  }
  checks.expectNoViolation();
});

/** Holds the requests with which a page sends a file, until the function that this returns is called. */
async function holdFiles(page: Page): Promise<() => Promise<void>> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/store/imports*', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

/** In the long run: the steps of an import, and the dialogs of signing in. */
async function checkImport({ address, pet, dependencies }: ListeningShop): Promise<void> {
  await pet({ name: 'Koi', quantity: 4 });
  const page = await open(address, '/board/imports');
  const checks = checksOf(page);
  const choose = (text: string): Promise<void> =>
    page.getByLabel('Drop a file here, or choose one').setInputFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const step = (name: string): Promise<void> => page.getByRole('heading', { level: 2, name }).waitFor();
  const checkFile = page.getByRole('button', { name: 'Check the file' });
  await page.getByText('Options').click();
  await page.getByLabel('What does it contain?').selectOption('New pets');
  await checks.check('options for new pets');
  await page.getByLabel('What does it contain?').selectOption('importInventory');
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([], 'delivery.csv'));
    document.dispatchEvent(new DragEvent('dragover', { dataTransfer }));
  });
  await page.locator('[data-over=true]').waitFor();
  await checks.check('a file above the page');
  await choose('shop,town\n1,2\n');
  await checkFile.click();
  await page.getByRole('alert').waitFor();
  await checks.check('a refused file');
  await choose('petId,delta\n1,12\n99,1\n');
  const releaseCheck = await holdFiles(page);
  await checkFile.click();
  await step('Checking delivery.csv');
  await checks.check('checking');
  await releaseCheck();
  await step('Check of delivery.csv');
  await checks.check('checked, with refused rows');
  const releaseImport = await holdFiles(page);
  await page.getByRole('button', { name: 'Import the valid row' }).click();
  await step('Importing delivery.csv');
  await checks.check('importing');
  await releaseImport();
  await page.getByRole('heading', { level: 1, name: 'Batch 1' }).waitFor();
  await checks.check('imported');
  await dependencies.tokens.create({ name: 'till', scopes: ['admin'] });
  // The page asks after the next request: that of the click, or an earlier one of its own, and the link is covered then.
  const asks = page.getByRole('heading', { name: 'Sign in again', exact: true }).waitFor();
  await Promise.race([page.getByRole('link', { name: 'Stock', exact: true }).click(), asks]);
  for (const title of ['Sign in again', 'Sign in']) {
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await checks.check(title);
    await page.getByLabel('Access token').fill('pst_1_wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await checks.check(`${title}, refused`);
    await page.keyboard.press('Escape');
  }
  checks.expectNoViolation();
}

if (isLongRun) testListening('every step of an import is accessible, and so is signing in', checkImport);
