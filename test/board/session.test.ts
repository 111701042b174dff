import type { Page, Request } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { writeLeadingPage } from '../../src/cli/open-browser.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import type { Scope } from '../../src/domain/tokens/token.js';
import { expectAccessible, expectNarrow } from '../support/axe.js';
import { testBrowser } from '../support/browser.js';
import { goTo } from './accessibility.js';
import { expectFieldFocus, expectFocus } from './focus.js';
import { testListening, type ListeningShop } from '../support/server.js';

const { context, open } = testBrowser();

async function newToken({ dependencies }: ListeningShop, scopes: readonly Scope[], name = 'till'): Promise<string> {
  return (await dependencies.tokens.create({ name, scopes })).text;
}

async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).press('Enter');
  await page.getByLabel('Access token').waitFor({ state: 'detached' });
}

/** Everything that a request sends. */
async function sentText(request: Request): Promise<string> {
  return JSON.stringify([request.url(), await request.allHeaders(), request.postData()]);
}

testListening('the token is in one request and no log, scripts read no secret, and after signing out the page has nothing of the shop', async (served) => {
  await served.pet({ name: 'Koi', quantity: 40 });
  const token = await newToken(served, ['admin']);
  const browser = await context(served.address);
  const requests: Request[] = [];
  browser.on('request', (request) => requests.push(request));
  const page = await browser.newPage();
  await page.goto(`${served.address}/board/stock`);
  await signIn(page, token);
  await page.getByRole('link', { name: 'Koi' }).waitFor();
  await expectFocus(page, 'Stock');
  await page.reload();
  await page.getByText('Live', { exact: true }).waitFor();
  const withToken = [];
  for (const request of requests) if ((await sentText(request)).includes(token)) withToken.push(`${request.method()} ${new URL(request.url()).pathname}`);
  expect(withToken).toEqual(['POST /session']);
  const [cookie = expect.fail('There is no cookie.')] = await browser.cookies();
  const readable = await page.evaluate(() =>
    JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href, history.state, document.documentElement.outerHTML]),
  );
  for (const secret of [token, cookie.value]) expect(readable).not.toContain(secret);
  expect(JSON.stringify(served.log)).not.toContain(token);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Access token').waitFor();
  await expectFieldFocus(page, 'token');
  expect(await page.content()).not.toContain('Koi');
  expect(await browser.cookies()).toEqual([]);
});

testListening('a wrong, an expired and a revoked token are refused beside the field, which keeps what was typed; then there are too many', async (served) => {
  const { address, dependencies } = served;
  const revoked = await newToken(served, ['store:read']);
  await dependencies.tokens.revoke('till');
  const { text: expired } = await dependencies.tokens.create({ name: 'old', scopes: ['store:read'], expiresAt: '2026-11-20T09:00:01.000Z' });
  served.clock.pass(5000);
  const page = await open(address);
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().method() === 'POST') statuses.push(response.status());
  });
  const field = page.getByLabel('Access token');
  for (const [token, refusal] of [
    ['pst_1_nonsense', 'This token is not valid.'],
    [revoked, 'This token is not valid.'],
    [expired, 'This token expired at 2026-11-20T09:00:01.000Z.'],
  ] as const) {
    await field.fill(token);
    await field.press('Enter');
    // Two refusals say the same, and Enter does nothing while an attempt is not answered.
    await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' });
    await page.locator('.field').getByText(refusal).waitFor();
    expect([await field.inputValue(), await field.getAttribute('aria-invalid')]).toEqual([token, 'true']);
  }
  await expectNarrow(page);
  const refused = page.getByText('More than 20 attempts to sign in a minute');
  await expect
    .poll(async () => {
      await field.press('Enter');
      return refused.isVisible();
    })
    .toBe(true);
  expect(statuses.slice(0, 21)).toEqual([...Array.from({ length: 20 }, () => 401), 429]);
});

testListening('what was typed when the session ended is kept: sign in again in place, and go on', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 40 });
  const page = await open(served.address, '/board/stock');
  await page.getByRole('button', { name: 'Sell Koi' }).click();
  await page.getByLabel('Units').fill('3');
  // The first token of the shop ends what everybody could do.
  const token = await newToken(served, ['admin']);
  await page.getByLabel('Units').press('Enter');
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Koi' }).isVisible()).toBe(false);
  await signIn(page, token);
  const units = page.getByLabel('Units');
  await units.waitFor();
  await expect.poll(() => units.evaluate((input) => input === document.activeElement)).toBe(true);
  await expect.poll(() => units.inputValue()).toBe('3');
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await units.press('Enter');
  await page.getByText('Sold 3 × Koi').waitFor();
  expect(await served.shop.call(getInventoryItem, { petId: koi })).toMatchObject({ quantity: 37 });
});

/** Server-sent comments come after 300 ms instead of 10 s, and with each of them the server checks the session. */
function shortenKeepAlive(): void {
  const real = setInterval;
  const shortened = (work: () => void, milliseconds?: number): NodeJS.Timeout => real(work, milliseconds === 10_000 ? 300 : milliseconds);
  const spy = vi.spyOn(globalThis, 'setInterval').mockImplementation(shortened as typeof setInterval);
  onTestFinished(() => spy.mockRestore());
}

testListening('a page whose token was revoked is out although nothing happens, and Esc leaves it', async (served) => {
  shortenKeepAlive();
  await served.pet({ name: 'Koi', quantity: 40 });
  const token = await newToken(served, ['store:read']);
  const page = await open(served.address);
  await signIn(page, token);
  await page.getByText('Live', { exact: true }).waitFor();
  await served.dependencies.tokens.revoke('till');
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await expect.poll(() => page.locator('main').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  expect(await page.content()).not.toContain('Koi');
});

testListening('pages of one browser have one session: all are out, and in as somebody else', async (served) => {
  await served.pet({ name: 'Koi', quantity: 40 });
  const [till, owner] = [await newToken(served, ['store:read']), await newToken(served, ['admin'], 'owner')];
  const browser = await context(served.address);
  const [first, second] = [await browser.newPage(), await browser.newPage()];
  await first.goto('/board/stock');
  await signIn(first, till);
  await second.goto('/board/stock');
  await second.getByRole('cell', { name: 'available' }).waitFor();
  expect(await second.getByRole('button', { name: 'Sell Koi' }).count()).toBe(0);
  await first.getByRole('button', { name: 'Sign out' }).click();
  await second.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await signIn(first, owner);
  await second.bringToFront();
  await second.getByRole('button', { name: 'Sell Koi' }).waitFor();
  await second.locator('.sign-in-state').getByText('owner', { exact: true }).filter({ visible: true }).waitFor();
});

testListening('a paused page whose token was revoked is out as well', async (served) => {
  await served.pet({ name: 'Koi', quantity: 40 });
  const token = await newToken(served, ['store:read']);
  const page = await (await context(served.address)).newPage();
  await page.clock.install();
  await page.goto('/board/');
  await signIn(page, token);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await served.dependencies.tokens.revoke('till');
  await page.clock.fastForward(10_000);
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
});

testListening('a one-time code signs in once, and is in neither the address nor the history', async (served) => {
  await served.pet({ name: 'Koi', quantity: 40 });
  await newToken(served, ['store:read']);
  const address = served.signInAddress();
  const [, code = ''] = address.split('#code=');
  const page = await open(served.address, '/board/help');
  await page.getByLabel('Access token').waitFor();
  await page.goto(address);
  await page.getByRole('link', { name: 'On hand 40', exact: true }).waitFor();
  expect(page.url()).toBe(`${served.address}/board/`);
  await page.getByRole('link', { name: 'Stock' }).click();
  await page.goBack();
  expect([page.url(), (await page.content()).includes(code)]).toEqual([`${served.address}/board/`, false]);
  // Somebody else with the same address.
  const other = await open(served.address, address.slice(served.address.length));
  await other.getByText('This address was opened before or has expired; start the server again, or sign in with a token.').waitFor();
  expect(other.url()).toBe(`${served.address}/board/`);
  expect(served.log.filter(({ msg }) => msg === 'a one-time code was used a second time')).toHaveLength(1);
  expect(JSON.stringify(served.log)).not.toContain(code);
});

testListening('the page that serve --open gives the browser leads to the board and signs in', async (served) => {
  await served.pet({ name: 'Koi', quantity: 40 });
  await newToken(served, ['store:read']);
  const leading = writeLeadingPage(served.signInAddress());
  const page = await (await context(served.address, {}, /^request to file:/)).newPage();
  await page.goto(leading.url);
  await page.getByRole('link', { name: 'On hand 40', exact: true }).waitFor();
  expect(page.url()).toBe(`${served.address}/board/`);
  leading.remove();
});

testListening('over plain http from another machine the page asks for no token', async (served) => {
  await newToken(served, ['store:read']);
  const site = 'http://shop.example';
  const browser = await context(site, {}, /Cross-Origin-Opener-Policy header has been ignored/);
  await browser.route(`${site}/**`, async (route) => {
    const answer = await fetch(route.request().url().replace(site, served.address));
    await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) });
  });
  const page = await browser.newPage();
  await page.goto(`${site}/board/`);
  await page.getByText('This page came over plain HTTP').waitFor();
  await expect.poll(() => page.locator('input').count()).toBe(0);
  await expectAccessible(page);
});

/** The buttons of a screen that change the shop. */
const changing = /sell|count|receive|hold|low level|place|complete|reopen|cancel|edit|undo|import|release/i;

testListening('a session that may only read sees no button and no screen that it may not use', async (served) => {
  await served.pet({ name: 'Koi', quantity: 40, reserved: 2 });
  await served.pet({ name: 'Rex', hold: true });
  const page = await open(served.address);
  await signIn(page, await newToken(served, ['store:read']));
  const refused: string[] = [];
  page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())));
  for (const path of ['/', '/stock', '/orders', '/orders/1', '/ledger', '/imports', '/reports', '/help']) {
    await goTo(page, path);
    const buttons = await page.locator('main :is(button, .button, input[type=file])').allInnerTexts();
    expect([path, buttons.filter((text) => changing.test(text))]).toEqual([path, []]);
  }
  expect(refused.map((url) => new URL(url).pathname)).toEqual([]);
  await page.getByRole('definition').getByText('store:read', { exact: true }).waitFor();
  await expectAccessible(page);
  await expectNarrow(page);
});
