import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { addCountLines } from '../../src/domain/counts/add-count-lines.js';
import { closeCount } from '../../src/domain/counts/close-count.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { adjustInventory } from '../../src/domain/inventory/adjust-inventory.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { cancelOrder } from '../../src/domain/orders/cancel-order.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { violationsOf, type Violation } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { ensureBuilt } from '../support/program.js';
import { testListening, type ListeningShop } from '../support/server.js';

const { open } = testBrowser();

beforeAll(ensureBuilt);

/** Checks the states of a page one after the other, and collects what is wrong in any of them. */
interface Checks {
  readonly check: (state: string) => Promise<void>;
  readonly expectNoViolation: () => void;
}

function checksOf(page: Page): Checks {
  const found: (Violation & { readonly state: string })[] = [];
  return {
    check: async (state) => void found.push(...(await violationsOf(page)).map((violation) => ({ state, ...violation }))),
    expectNoViolation: () => expect(found).toEqual([]),
  };
}

/** Opens a screen, without loading the page again, and waits until it has everything that it reads. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/board${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('.waiting, [aria-busy=true]').count()).toBe(0);
}

/** Checks the screens at these paths of the board. */
async function checkScreens(page: Page, { check }: Checks, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await goTo(page, path);
    for (const summary of await page.locator('summary').filter({ visible: true }).all()) await summary.click();
    await check(path);
  }
}

async function* fileOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

/** A shop with a record in every state. */
async function fillShop({ category, pet, call, shop, shopOf }: ListeningShop): Promise<void> {
  const fish = await category('Fish');
  const koi = await pet({ name: 'Koi', categoryId: fish, quantity: 40 });
  await pet({ name: 'Rex', quantity: 2, reserved: 3 });
  await pet({ name: 'Bella', hold: true });
  const guppy = await pet({ name: 'Guppy', categoryId: fish, quantity: 3 });
  await call(setLowAt, { petId: guppy, body: { lowAt: 5 } });
  await call(placeOrder, { body: { petId: koi, quantity: 2, shipDate: '2026-11-20T08:00:00Z' } });
  await call(placeOrder, { body: { petId: koi, quantity: 2, shipDate: '2026-11-20T18:00:00Z' } }, { note: 'by phone' });
  await call(placeOrder, { body: { petId: koi, quantity: 4, complete: true } });
  await call(placeOrder, { body: {} });
  await call(cancelOrder, { orderId: (await call(placeOrder, { body: { petId: koi } })).id });
  await shop.importStock({ bytes: fileOf(`petId,delta\n${koi},12\n99,1\n${koi},two\n`), map: new Map() }, { mode: 'keep-going', fileName: 'delivery.csv' });
  await shopOf('keeper').call(holdPet, { petId: guppy });
  await shopOf('keeper').call(adjustInventory, { petId: koi, body: { delta: -1 } }, { note: 'died' });
}

/** Two counts: one that is closed, and one that goes on, with a pet that would have too few units. */
async function fillCounts({ call }: Pick<ListeningShop, 'call'>): Promise<void> {
  await call(startCount, { body: { petIds: [1], note: 'back room' } });
  await call(addCountLines, { countId: 1, body: { lines: [{ petId: 1, number: 44 }] } });
  await call(closeCount, { countId: 1, body: {} });
  await call(startCount, { body: {} });
  const lines = [
    { petId: 1, number: 40 },
    { petId: 1, number: 3, adds: true },
    { petId: 2, number: 1 },
  ];
  await call(addCountLines, { countId: 2, body: { lines } });
}

const countScreens = ['/counts', '/counts?state=closed', '/counts/1', '/counts/2', '/counts/2/pets', '/counts/1/pets', '/counts/2/close', '/counts/1/close'];

const reports = ['/reports', '/reports?report=movements', '/reports?report=movements&by=day', '/reports?report=sell-through', '/reports?report=dead-stock'];

testListening('every screen is accessible, with records in every state', async (served) => {
  await fillShop(served);
  const page = await open(served.address);
  const checks = checksOf(page);
  await checkScreens(page, checks, ['/', '/stock', '/pets/1', '/orders', '/orders/2', '/orders/6', '/ledger', '/imports', '/imports/1', ...reports]);
  await checkScreens(page, checks, ['/help', '/no-screen', '/?wall']);
  checks.expectNoViolation();
});

testListening('every screen of counts is accessible, with lines that wait or were refused, and with its dialogs', async (served) => {
  await fillShop(served);
  await fillCounts(served);
  const page = await open(served.address, '/board/counts', {}, /ERR_INTERNET_DISCONNECTED/);
  const checks = checksOf(page);
  await checkScreens(page, checks, countScreens);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  await goTo(page, '/counts/2/close');
  await checkDialog(page, checks, [button('Cancel the count')], 'Cancel count 2');
  await goTo(page, '/counts');
  await checkDialog(page, checks, [button('Start a count')], 'Start a count');
  await goTo(page, '/counts/2');
  await page.keyboard.type('1\n2\n99\n1\n');
  await page.getByText('There is no pet 99.').first().waitFor();
  await page.getByRole('button', { name: 'Undo 2 × Koi' }).click();
  await page.getByText('Undone').first().waitFor();
  await checks.check('a refused line, and one that was undone');
  await page.keyboard.type('o');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await checks.check('offers of pets');
  await page.keyboard.press('Enter');
  await page
    .getByText(/expected/)
    .first()
    .waitFor();
  await checks.check('units of a pet');
  await page.context().setOffline(true);
  await page.keyboard.type('5\n');
  await page.getByText('They are sent as soon as it answers.').waitFor();
  await checks.check('a line that waits');
  await page.context().setOffline(false);
  checks.expectNoViolation();
});

testListening('a page that is paused, has new changes, or shows its menus on a phone is accessible', async (served) => {
  await fillShop(served);
  const page = await open(served.address, '/board/ledger');
  const checks = checksOf(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  await checks.check('paused');
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  await served.adjust(1, 1);
  await page.getByRole('button', { name: '1 new change' }).waitFor();
  await checks.check('new changes');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await checks.check('menu on a phone');
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.getByRole('button', { name: 'More Koi' }).click();
  await checks.check('actions of a row on a phone');
  checks.expectNoViolation();
});

testListening('every screen is accessible in an empty shop, and where the shop refuses to answer', async ({ address }) => {
  const page = await open(address, '/board/', {}, /Failed to load resource|ERR_/);
  const checks = checksOf(page);
  await checkScreens(page, checks, ['/', '/stock', '/counts', '/orders', '/ledger', '/imports', ...reports]);
  const refused = ['/stock', '/orders', '/ledger', '/imports'].map((path) => `${path}?cursor=nonsense`);
  await checkScreens(page, checks, [
    ...refused,
    '/pets/99',
    '/orders/99',
    '/imports/99',
    '/counts/99',
    '/counts?cursor=nonsense',
    '/ledger?order=two',
    '/reports?report=movements&from=2026-11-22&to=2026-11-20',
  ]);
  const failure = { code: 'store_unreachable', message: 'The store cannot be reached.', status: 503 };
  await page.route('**/store/**', (route) => route.fulfill({ status: 503, json: failure }));
  await page.goto('/board/');
  await page.getByText(failure.message).first().waitFor();
  await checks.check('Today, refused');
  await page.unrouteAll();
  await page.route('**/session', (route) => route.abort());
  await page.goto('/board/stock');
  await page.getByRole('heading', { name: 'The shop cannot be reached' }).waitFor();
  await checks.check('no server');
  checks.expectNoViolation();
});

/** The code, status and message of a refusal that concerns no field. */
const conflict = { code: 'pet_on_hold', status: 409, message: 'The shop refuses this change.' };

/** Checks a dialog as it opens, and after its change was refused. */
async function checkDialog(
  page: Page,
  { check }: Checks,
  opening: readonly Locator[],
  title: string,
  { label, text }: { readonly label?: string; readonly text?: string } = {},
): Promise<void> {
  for (const button of opening) await button.click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  await expect.poll(() => dialog.locator('.waiting').count()).toBe(0);
  await check(title);
  if (label !== undefined && text !== undefined) await dialog.getByLabel(label, { exact: true }).fill(text);
  else
    await page.route('**/*', (route) => (route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: conflict.status, json: conflict })));
  await dialog.locator('button[type=submit]').click();
  await dialog.getByRole('alert').first().waitFor();
  await check(`${title}, refused`);
  await page.unrouteAll();
  await page.keyboard.press('Escape');
}

testListening('every dialog is accessible, as it opens and after a refusal', async (served) => {
  await fillShop(served);
  const page = await open(served.address, '/board/stock');
  const checks = checksOf(page);
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const wrong = (label: string) => ({ label, text: 'many' });
  await checkDialog(page, checks, [button('Sell Koi')], 'Sell Koi', wrong('Units'));
  await checkDialog(page, checks, [button('Count Rex')], 'Count Rex', { label: 'Units counted', text: '1' });
  await checkDialog(page, checks, [button('More Koi'), button('Receive or write off')], 'Receive or write off Koi', wrong('Units'));
  await checkDialog(page, checks, [button('More Koi'), button('Set low level')], 'Low level of Koi', wrong('Low at or below'));
  await checkDialog(page, checks, [button('More Koi'), button('Put on hold')], 'Put on hold: Koi');
  await checkDialog(page, checks, [button('More Bella'), button('Release')], 'Release: Bella');
  await goTo(page, '/pets/1');
  await checkDialog(page, checks, [button('More Koi'), button('Edit pet')], 'Edit pet 1', { label: 'Name', text: ' ' });
  await checkDialog(page, checks, [button('More Koi'), button('Delete pet')], 'Delete Koi');
  await goTo(page, '/orders');
  await checkDialog(page, checks, [button('Sell')], 'Sell', { label: 'Pet', text: '99' });
  await button('Place order').click();
  await page.getByRole('dialog').getByRole('combobox').pressSequentially('ko');
  await page.getByRole('option').first().waitFor();
  await checks.check('offers of a pet');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await checkDialog(page, checks, [button('Place order')], 'Place order', wrong('Units'));
  await checkDialog(page, checks, [button('Complete order 2')], 'Complete order 2');
  await checkDialog(page, checks, [button('More order 2'), button('Edit')], 'Edit order 2', wrong('Units'));
  await checkDialog(page, checks, [button('More order 2'), button('Cancel order')], 'Cancel order 2');
  await checkDialog(page, checks, [button('Reopen order 4')], 'Reopen order 4');
  await goTo(page, '/ledger');
  const undo = page.getByRole('button', { name: /^Undo entry/ });
  await checkDialog(page, checks, [undo.first()], 'Undo');
  await checkDialog(page, checks, [undo.nth(1)], 'Undo');
  await goTo(page, '/imports/1');
  await checkDialog(page, checks, [button('Undo')], 'Undo batch 1');
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

testListening('every step of an import is accessible, and so is signing in', async ({ address, pet, dependencies }) => {
  await pet({ name: 'Koi', quantity: 4 });
  const page = await open(address, '/board/imports');
  const checks = checksOf(page);
  const choose = (text: string): Promise<void> =>
    page.getByLabel('Drop a file here, or choose one').setInputFiles({ name: 'delivery.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const step = (name: string): Promise<void> => page.getByRole('heading', { level: 2, name }).waitFor();
  const checkFile = page.getByRole('button', { name: 'Check the file' });
  await page.getByText('Options').click();
  await page.getByRole('radio', { name: 'New pets' }).check();
  await checks.check('options for new pets');
  await page.getByRole('radio', { name: 'Stock' }).check();
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
  await step('Imported delivery.csv');
  await checks.check('imported');
  await dependencies.tokens.create({ name: 'till', scopes: ['admin'] });
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
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
});
