import type { Locator } from 'playwright-core';
import { testBrowser } from '../support/browser.js';
import { isLongRun } from '../support/seeded-random.js';
import { testListening, type ListeningShop } from '../support/server.js';
import { checkDialog, checksOf, goTo, checkScreens, fillShop, fillCounts } from './accessibility.js';

const { open } = testBrowser();

/** In the long run also screens that consist of the same parts as another one. */
const alsoInLongRun = (...paths: readonly string[]): readonly string[] => (isLongRun ? paths : []);

const countScreens = ['/counts', '/counts/1', '/counts/2', '/counts/2/close', '/counts/1/close', '/counts?state=closed'];

const reports = ['/reports', '/reports?report=movements&by=day', ...alsoInLongRun('/reports?report=movements', '/reports?report=sell-through')];
const idlePets = '/reports?report=dead-stock';

testListening('every screen is accessible, with records in every state', async (served) => {
  await fillShop(served);
  await fillCounts(served);
  const page = await open(served.address);
  const checks = checksOf(page);
  await checkScreens(page, checks, ['/', '/stock', '/pets/1', '/orders', '/orders/2', '/orders/6', '/ledger', '/imports', '/imports/1', ...reports, idlePets]);
  await checkScreens(page, checks, ['/counts', '/counts/2', '/counts/2/close', '/help', '/no-screen', '/?wall']);
  checks.expectNoViolation();
});

/** In the long run: every state of a count, for which the walk above has the screens. */
async function checkCounts(served: ListeningShop): Promise<void> {
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
}

if (isLongRun) testListening('every screen of counts is accessible, with lines that wait or were refused, and with its dialogs', checkCounts);

testListening('a page that is paused, or shows its menus on a phone is accessible', async (served) => {
  await fillShop(served);
  const page = await open(served.address, '/board/ledger');
  const checks = checksOf(page);
  await page.getByRole('button', { name: 'Pause' }).click();
  await checks.check('paused');
  await page.getByRole('button', { name: 'Resume' }).click();
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
  await checkScreens(page, checks, ['/', '/stock', '/counts', '/orders', '/ledger', '/imports', '/reports', ...alsoInLongRun(...reports, idlePets)], 'light');
  const refused = ['/stock?cursor=nonsense', '/pets/99', `/ledger?actor=${'x'.repeat(1000)}`, '/reports?report=movements&from=2026-11-22&to=2026-11-20'];
  // These are refused as the others are.
  const alike = alsoInLongRun(
    '/orders?cursor=nonsense',
    '/ledger?cursor=nonsense',
    '/imports?cursor=nonsense',
    '/counts?cursor=nonsense',
    '/orders/99',
    '/counts/99',
  );
  await checkScreens(page, checks, [...refused, ...alike], 'dark');
  const failure = { code: 'store_unreachable', message: 'The store cannot be reached.', status: 503 };
  await page.route('**/store/**', (route) => route.fulfill({ status: 503, json: failure }));
  await page.goto(`${address}/board/`);
  await page.getByText(failure.message).first().waitFor();
  await checks.check('Today, refused');
  await page.unrouteAll();
  await page.route('**/session', (route) => route.abort());
  await page.goto(`${address}/board/stock`);
  await page.getByRole('heading', { name: 'The shop cannot be reached' }).waitFor();
  await checks.check('no server');
  checks.expectNoViolation();
});
