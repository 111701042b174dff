import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Scope } from '../../src/domain/tokens/token.js';
import { testBrowser } from '../support/browser.js';
import { testListening, type ListeningShop } from '../support/server.js';

const { context } = testBrowser();

const anything = /./;

async function newToken({ dependencies }: ListeningShop, scope: Scope): Promise<string> {
  return (await dependencies.tokens.create({ name: 'till', scopes: [scope] })).text;
}

/** A page of another server at another port of this machine. */
async function otherSite(): Promise<string> {
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Other</title><p>Other</p>'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
}

/** What a page of another origin gets from a server by each way that browsers have, and whether the address can be framed. */
async function attacks(page: Page, address: string): Promise<Readonly<Record<string, unknown>>> {
  return page.evaluate(async (target) => {
    const fetched = async (path: string, options: RequestInit): Promise<string> => {
      try {
        const response = await fetch(target + path, { credentials: 'include', ...options });
        return `${response.type} ${response.status} ${(await response.text()).length}`;
      } catch {
        return 'blocked';
      }
    };
    const loaded = (element: HTMLScriptElement | HTMLImageElement, path: string): Promise<string> =>
      new Promise((resolve) => {
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('blocked'));
        element.src = target + path;
        document.body.append(element);
      });
    const source = new EventSource(`${target}/store/events?after=0`, { withCredentials: true });
    const followed = new Promise<string>((resolve) => {
      source.addEventListener('open', () => resolve('open'));
      source.addEventListener('error', () => resolve('blocked'));
    });
    const frame = document.createElement('iframe');
    frame.name = 'target';
    document.body.append(frame);
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: `${target}/store/orders`, target: 'target', enctype: 'text/plain' });
    form.append(Object.assign(document.createElement('input'), { name: '{"petId":1,"quantity":1,"x":"', value: '"}' }));
    document.body.append(form);
    form.submit();
    await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    const results = {
      read: await fetched('/pets', {}),
      opaque: await fetched('/pets', { mode: 'no-cors' }),
      change: await fetched('/store/orders', { method: 'POST', body: '{}' }),
      plain: await fetched('/store/orders', { method: 'POST', mode: 'no-cors', body: '{}' }),
      signIn: await fetched('/session', { method: 'POST', mode: 'no-cors', body: '{"token":"x"}' }),
      session: await fetched('/session', {}),
      script: await loaded(document.createElement('script'), '/pets'),
      image: await loaded(document.createElement('img'), '/pets'),
      follow: await followed,
    };
    source.close();
    return results;
  }, address);
}

const nothing = {
  read: 'blocked',
  opaque: 'opaque 0 0',
  change: 'blocked',
  plain: 'opaque 0 0',
  signIn: 'opaque 0 0',
  session: 'blocked',
  script: 'blocked',
  image: 'blocked',
  follow: 'blocked',
};

testListening('a page at another port can neither read, change nor follow a shop that needs no sign-in', async ({ address, pet, expectUnchanged }) => {
  await pet();
  const page = await (await context(address, {}, anything)).newPage();
  await page.goto(await otherSite());
  expect(await expectUnchanged(() => attacks(page, address))).toEqual(nothing);
});

testListening('a page at another port can do nothing with the session of a browser', async (served) => {
  const { address, port, pet, dependencies, expectUnchanged } = served;
  await pet();
  const token = await newToken(served, 'admin');
  const browser = await context(address, {}, anything);
  const board = await browser.newPage();
  await board.goto(`${address}/board/`);
  const signedIn = await board.evaluate(async (text) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/session', { method: 'POST', headers, body: JSON.stringify({ token: text }) });
    return [response.status, (await fetch('/pets')).status, document.cookie, localStorage.length, sessionStorage.length];
  }, token);
  expect(signedIn).toEqual([200, 200, '', expect.any(Number), expect.any(Number)]);
  const [cookie] = await browser.cookies(address);
  expect(cookie).toMatchObject({ name: `petstore_session_${port}`, httpOnly: true, sameSite: 'Strict', path: '/' });
  const page = await browser.newPage();
  await page.goto(await otherSite());
  expect(await expectUnchanged(() => attacks(page, address))).toEqual(nothing);
  // A link from there opens the board, and a link to data does not.
  for (const [path, status] of [
    ['/board/', 200],
    ['/pets', 403],
  ] as const) {
    await page.goto(await otherSite());
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url() === `${address}${path}`),
      page.evaluate((target) => location.assign(target), `${address}${path}`),
    ]);
    expect([path, answer.status()]).toEqual([path, status]);
    await page.waitForURL(`${address}${path}`);
  }
  await dependencies.tokens.revoke('till');
  expect(await board.evaluate(async () => (await fetch('/pets')).status)).toBe(401);
});
