import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testBrowser } from '../support/browser.js';
import { testListening } from '../support/server.js';
import { countOf, expectEntryFocus, linesOf, scannerAt } from './count-lines.js';

const { open } = testBrowser();

/** What a browser writes to the console while it has no network, or no server. */
const lostNetwork = /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_FAILED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;

const rowOf = (page: Page, text: string) => page.locator('.count-lines li').filter({ hasText: text });

/** Answers the question whether to leave the page, and counts how often it was asked. */
function askedToStay(page: Page): { readonly times: () => number } {
  let times = 0;
  page.on('dialog', (dialog) => {
    times += dialog.type() === 'beforeunload' ? 1 : 0;
    void dialog.dismiss();
  });
  return { times: () => times };
}

testListening('lines that are typed without network wait in the page, and are stored in order when it is back', async (served) => {
  const [koi, guppy] = [await served.pet({ name: 'Koi', quantity: 4 }), await served.pet({ name: 'Guppy', quantity: 9 })];
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}`, {}, lostNetwork);
  await expectEntryFocus(page);
  const asked = askedToStay(page);
  const scan = await scannerAt(page);
  await page.context().setOffline(true);
  await scan(`${koi}\n3\n${guppy}\n9\n${koi}\n+2\n99\n1\nguppy\n8\n`);
  await page.getByText('5 lines wait to be sent.').waitFor();
  await page.getByText('The server did not answer. They are sent as soon as it answers. Keep this page open.').waitFor();
  await rowOf(page, '“guppy”').getByText('Waiting').waitFor();
  await expectEntryFocus(page);
  await page.close({ runBeforeUnload: true });
  await expect.poll(asked.times).toBe(1);
  expect(page.isClosed()).toBe(false);
  expect(await linesOf(served, count)).toEqual([]);
  await page.context().setOffline(false);
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: 3`, `${guppy}: 9`, `${koi}: +2`, `${guppy}: 8`]);
  await rowOf(page, '+2').getByText('Counted so far 5, expected 4').waitFor();
  await rowOf(page, 'pet 99').getByText('There is no pet 99.').waitFor();
  await expect.poll(() => page.getByText('to be sent').count()).toBe(0);
  await expectEntryFocus(page);
  await page.reload();
  await expectEntryFocus(page);
  expect(asked.times()).toBe(1);
});

testListening('a server that is stopped and started again gets every line once, those whose answer got lost too', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 4 });
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}`, {}, /./);
  await expectEntryFocus(page);
  const scan = await scannerAt(page);
  // The shop stores the first lines, but the page does not learn of it.
  let lost = 0;
  await page.route('**/lines', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    await route.abort();
  });
  await scan(`${koi}\n1\n${koi}\n+2\n`);
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: 1`, `${koi}: +2`]);
  await served.stop();
  await scan(`${koi}\n+3\n${koi}\n+4\n`);
  await page.getByText('The server did not answer.').waitFor();
  await served.restart(served.port);
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: 1`, `${koi}: +2`, `${koi}: +3`, `${koi}: +4`]);
  await rowOf(page, '+4').getByText('Counted so far 10, expected 4').waitFor();
  expect(lost).toBe(1);
});

testListening('lines wait for the one who typed them, whoever signs in meanwhile', async (served) => {
  const koi = await served.pet({ name: 'Koi', quantity: 4 });
  const { tokens } = served.dependencies;
  const [ana, ben] = [
    await tokens.create({ name: 'ana', scopes: ['store:write', 'pets:read'] }),
    await tokens.create({ name: 'ben', scopes: ['store:write', 'pets:read'] }),
  ];
  const count = await countOf(served);
  const page = await open(served.address, `/board/counts/${count}`, {}, lostNetwork);
  const signIn = async (text: string): Promise<void> => {
    await page.getByLabel('Access token').fill(text);
    await page.keyboard.press('Enter');
  };
  await signIn(ana.text);
  await expectEntryFocus(page);
  const scan = await scannerAt(page);
  await page.context().clearCookies();
  await scan(`${koi}\n3\n`);
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
  await signIn(ben.text);
  await page.getByText('1 line of ana is sent when ana signs in again.').waitFor();
  await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ state: 'hidden' });
  // The scanner does not wait: the field takes text as soon as the dialog is gone.
  await scan(`${koi}\n+2\n`);
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: +2`]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(ana.text);
  await expect.poll(() => linesOf(served, count)).toEqual([`${koi}: +2`, `${koi}: 3`]);
});
