import { expect } from 'vitest';
import { completeType } from '../../src/http/contract/media-types.js';
import { testServed } from '../support/server.js';
import { type Headers, ownPage, localPage, allScopes, newToken, signIn, cookieOf, signedIn } from '../support/sign-in.js';

testServed('a token signs in: the cookie then allows what the token allows', async (served) => {
  const { http } = served;
  const text = await newToken(served, ['store:write']);
  const answer = await signIn(served, { token: text });
  const session = {
    name: 'till',
    scopes: ['store:read', 'store:write'],
    expiresAt: '2026-11-20T21:00:00.000Z',
    signInRequired: true,
    server: { version: '1.2.3', shop: 'shop', engine: 'sqlite', stableOnly: false, requireIfMatch: false },
  };
  expect([answer.status, answer.json()]).toEqual([200, session]);
  expect(answer.headers['set-cookie']).toMatch(/^petstore_session_8080=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['petstore-stability']).toBe('beta');
  const headers = { ...localPage, cookie: cookieOf(answer) };
  expect((await http('GET', '/session', { headers })).json()).toEqual(session);
  const order = await http('POST', '/store/orders', { headers, body: {} });
  expect([order.status, (await http('GET', '/store/orders', { headers })).status]).toEqual([201, 200]);
  const refused = await http('POST', '/categories', { headers, body: { name: 'Dogs' } });
  expect([refused.status, refused.code]).toEqual([403, 'insufficient_scope']);
  expect(new Set((await served.ledger()).map(({ actor }) => actor))).toEqual(new Set(['till']));
});

testServed('a session that may only read lasts 90 days, and ends with its token', async (served) => {
  const text = await newToken(served, ['store:read', 'pets:read']);
  const answer = await signIn(served, { token: text });
  expect(answer.headers['set-cookie']).toContain(`Max-Age=${90 * 24 * 3600}`);
  expect(answer.json()).toMatchObject({ expiresAt: '2027-02-18T09:00:00.000Z' });
});

testServed('refuses a request with the cookie that no page of this server sent', async (served) => {
  const { http, expectUnchanged } = served;
  const { headers } = await signedIn(served);
  const { cookie = '' } = headers;
  const foreign: readonly Headers[] = [
    {},
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'Same-Origin' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' },
    { origin: 'http://localhost:8080' },
    { origin: 'http://localhost:9999', 'sec-fetch-site': 'same-site' },
  ];
  const requests = [
    ['GET', '/pets'],
    ['HEAD', '/store/orders'],
    ['GET', '/store/events'],
    ['GET', '/session'],
    ['POST', '/store/orders'],
    ['PATCH', '/pets/1'],
    ['DELETE', '/session'],
  ] as const;
  for (const sent of foreign) {
    for (const [method, url] of requests) {
      const answer = await expectUnchanged(() => http(method, url, { headers: { host: 'localhost:8080', cookie, ...sent } }));
      expect([sent, method, url, answer.status, answer.code]).toEqual([sent, method, url, 403, method === 'HEAD' ? '' : 'origin_not_allowed']);
    }
  }
  // The user opens a page directly.
  const opened = { host: 'localhost:8080', cookie, 'sec-fetch-site': 'none' };
  expect((await http('GET', '/pets', { headers: opened })).status).toBe(200);
  expect((await http('GET', '/pets', { headers: { ...opened, 'sec-fetch-mode': 'navigate' } })).status).toBe(200);
  expect((await http('POST', '/store/orders', { headers: opened, body: {} })).code).toBe('origin_not_allowed');
});

testServed('a session ends when the user signs out, when its token is revoked and when it expires', async (served) => {
  const { http, dependencies, clock } = served;
  const status = async (headers: Headers): Promise<readonly unknown[]> => {
    const { status: found, code, headers: brought } = await http('GET', '/session', { headers });
    return [found, code, brought['www-authenticate'] !== undefined];
  };
  const ended = [401, 'unauthenticated', true];
  const [first, second, third] = [
    await signedIn(served, ['admin'], 'one'),
    await signedIn(served, ['admin'], 'two'),
    await signedIn(served, ['admin'], 'three'),
  ];
  const signedOut = await http('DELETE', '/session', { headers: first.headers });
  expect([signedOut.status, signedOut.text]).toEqual([204, '']);
  expect(signedOut.headers['cache-control']).toBe('no-store');
  expect(signedOut.headers['set-cookie']).toBe('petstore_session_8080=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  expect([await status(first.headers), await status(second.headers)]).toEqual([ended, [200, '', false]]);
  expect((await http('DELETE', '/session', { headers: first.headers })).status).toBe(204);
  await dependencies.tokens.revoke('two');
  expect([await status(second.headers), await status(third.headers)]).toEqual([ended, [200, '', false]]);
  clock.pass(12 * 3_600_000);
  expect(await status(third.headers)).toEqual(ended);
  expect((await http('GET', '/pets', { headers: third.headers })).json()).toEqual({
    code: 'unauthenticated',
    message: 'The session has ended; sign in again.',
    status: 401,
  });
});

testServed('the Authorization header takes precedence over a cookie', async (served) => {
  const { http } = served;
  const { headers } = await signedIn(served, ['admin'], 'page');
  const cookie = headers['cookie'] ?? '';
  const reader = { authorization: `Bearer ${await newToken(served, ['store:read'], 'reader')}`, host: 'localhost:8080', cookie };
  // It needs no Sec-Fetch-Site, and gets no more than its token allows.
  expect((await http('GET', '/store/orders', { headers: reader })).status).toBe(200);
  expect((await http('POST', '/store/orders', { headers: reader, body: {} })).code).toBe('insufficient_scope');
  expect((await http('GET', '/session', { headers: reader })).json()).toMatchObject({ name: 'reader', scopes: ['store:read'] });
  expect((await http('GET', '/pets', { headers: { ...headers, authorization: 'Bearer pst_1_x' } })).code).toBe('invalid_token');
  // Signing out with a token ends no session.
  expect((await http('DELETE', '/session', { headers: reader })).headers['set-cookie']).toBeUndefined();
  expect((await http('GET', '/pets', { headers })).status).toBe(200);
});

testServed('without a token in the shop everybody on this machine is signed in', async (served) => {
  const { http } = served;
  const session = (await http('GET', '/session')).json();
  expect(session).toMatchObject({ name: 'keeper', scopes: allScopes, signInRequired: false });
  expect(session).not.toHaveProperty('expiresAt');
  // A session of an earlier time does not shut anybody out.
  const stale = { ...localPage, cookie: `petstore_session_8080=${'A'.repeat(43)}` };
  expect((await http('GET', '/pets', { headers: stale })).status).toBe(200);
  for (const site of ['same-site', 'cross-site']) {
    for (const url of ['/pets', '/store/events', '/session', '/store/summary', '/metrics']) {
      const { status, code } = await http('GET', url, { headers: { host: 'localhost:8080', 'sec-fetch-site': site } });
      expect([site, url, status, code]).toEqual([site, url, 403, 'origin_not_allowed']);
    }
  }
});

testServed('secrets are in no answer, log entry and row', async (served) => {
  const { http, codes, log } = served;
  const text = await newToken(served, ['store:read']);
  const code = codes.issue();
  const answers = [
    await signIn(served, { token: text }),
    await signIn(served, { code }),
    await signIn(served, { token: `${text}x` }),
    await signIn(served, { code }),
  ];
  const headers = { ...localPage, cookie: cookieOf(answers[0] ?? expect.fail()) };
  for (const url of ['/session', '/store/orders', '/nowhere', '/pets']) answers.push(await http('GET', url, { headers }));
  const secrets = [text, code, ...answers.slice(0, 2).map((one) => cookieOf(one).replace(/^.*=/, ''))];
  const seen = JSON.stringify([answers.map((one) => one.text), log, await served.allRows()]);
  for (const secret of secrets) expect([secret, seen.includes(secret)]).toEqual([secret, false]);
  expect(log.filter(({ url, status }) => url === '/session' && status === 200).map(({ actor }) => actor)).toEqual(['till', 'keeper', 'till']);
});

testServed(
  'signing in requires HTTPS, except at localhost',
  async (served) => {
    const body = { token: await newToken(served) };
    const at = (headers: Headers) => signIn(served, body, { ...ownPage, ...headers });
    for (const host of ['localhost:8080', '127.0.0.1:9000', '[::1]:1']) expect([host, (await at({ host })).status]).toEqual([host, 200]);
    for (const headers of [
      { host: '192.0.2.7:8080' },
      { host: 'shop.example' },
      { host: 'shop.example', 'x-forwarded-proto': 'http' },
      { host: 'shop.example', 'x-forwarded-proto': 'httpsx' },
    ]) {
      const { status, code, text } = await at(headers);
      expect([headers, status, code, text]).toEqual([
        headers,
        403,
        'origin_not_allowed',
        expect.stringContaining('Signing in over plain HTTP is only possible at localhost'),
      ]);
    }
    const answer = await at({ host: 'shop.example', 'x-forwarded-proto': 'https' });
    expect(answer.headers['set-cookie']).toMatch(/^__Host-petstore_session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=43200$/);
    const encrypted = { ...ownPage, host: 'shop.example', 'x-forwarded-proto': 'https', cookie: cookieOf(answer) };
    expect((await served.http('GET', '/pets', { headers: encrypted })).status).toBe(200);
    // The name without the prefix, which any host of the domain could set, counts only without HTTPS.
    const renamed = { ...encrypted, cookie: cookieOf(answer).replace('__Host-petstore_session', 'petstore_session_80') };
    expect((await served.http('GET', '/pets', { headers: renamed })).code).toBe('unauthenticated');
  },
  { host: '192.0.2.7', allowedHosts: ['shop.example'] },
);

testServed('a session that was started with HTTPS is unknown without it, and the reverse', async (served) => {
  const { http } = served;
  const token = await newToken(served);
  const plain = localPage;
  const encrypted = { ...localPage, 'x-forwarded-proto': 'https' };
  const status = async (headers: Headers, cookie: string): Promise<number> => (await http('GET', '/pets', { headers: { ...headers, cookie } })).status;
  const [madePlain, madeEncrypted] = [cookieOf(await signIn(served, { token }, plain)), cookieOf(await signIn(served, { token }, encrypted))];
  expect([await status(plain, madePlain), await status(encrypted, madeEncrypted)]).toEqual([200, 200]);
  const [plainName, encryptedName] = ['petstore_session_8080=', '__Host-petstore_session='];
  expect(await status(encrypted, madePlain.replace(plainName, encryptedName))).toBe(401);
  expect(await status(plain, madeEncrypted.replace(encryptedName, plainName))).toBe(401);
  // Nor can it be ended that way.
  await http('DELETE', '/session', { headers: { ...plain, cookie: madeEncrypted.replace(encryptedName, plainName) } });
  expect(await status(encrypted, madeEncrypted)).toBe(200);
});

testServed(
  'the cookie is for the base path and the port of the server',
  async (served) => {
    const { http } = served;
    const body = { token: await newToken(served) };
    const answer = await http('POST', '/shop/session', { headers: localPage, body });
    expect(answer.headers['set-cookie']).toMatch(/^petstore_session_8080=[\w-]{43}; Path=\/shop; HttpOnly; SameSite=Strict;/);
    const cookie = cookieOf(answer);
    const status = async (headers: Headers): Promise<number> => (await http('GET', '/shop/pets', { headers: { ...ownPage, ...headers } })).status;
    expect(await status({ host: 'localhost:8080', cookie: `a=b; ${cookie}; c` })).toBe(200);
    expect(await status({ host: 'localhost:8081', cookie })).toBe(401);
    expect(await status({ host: 'localhost:8080', cookie: `x${cookie}` })).toBe(401);
    expect(await status({ host: 'localhost:8080', cookie: cookie.replace('=', '=x') })).toBe(401);
    const encrypted = await http('POST', '/shop/session', { headers: { ...localPage, 'x-forwarded-proto': 'https' }, body });
    expect(encrypted.headers['set-cookie']).toMatch(/^__Host-petstore_session\+shop=[\w-]{43}; Path=\/; Secure;/);
  },
  { basePath: '/shop' },
);

testServed(
  '--stable-only leaves out sessions',
  async ({ http }) => {
    for (const method of ['GET', 'POST', 'DELETE']) expect((await http(method, '/session', { headers: localPage })).code).toBe('not_found');
  },
  { stableOnly: true },
);

const till = 'https://till.example';

testServed(
  'a page that --cors-origin allows cannot use a session',
  async (served) => {
    const { headers } = await signedIn(served);
    const cors = { ...headers, origin: till, 'sec-fetch-site': 'cross-site' };
    const refused = await served.http('GET', '/pets', { headers: cors });
    expect([refused.code, refused.headers['access-control-allow-credentials']]).toEqual(['origin_not_allowed', undefined]);
    const authorization = `Bearer ${await newToken(served, ['pets:read'], 'other')}`;
    expect((await served.http('GET', '/pets', { headers: { ...cors, authorization } })).status).toBe(200);
  },
  { corsOrigins: [till] },
);

testServed('an idempotency key belongs to the token of the session', async (served) => {
  const { http } = served;
  const text = await newToken(served, ['store:write']);
  const key = { 'idempotency-key': 'order-1' };
  const first = { ...localPage, ...key, cookie: cookieOf(await signIn(served, { token: text })) };
  const second = { ...localPage, ...key, cookie: cookieOf(await signIn(served, { token: text })) };
  const order = (headers: Headers) => http('POST', '/store/orders', { headers, body: {} });
  expect((await order(first)).headers['idempotency-replayed']).toBeUndefined();
  // The same token in another browser, and without a browser, is the same sender.
  for (const headers of [second, { ...key, authorization: `Bearer ${text}` }]) expect((await order(headers)).headers['idempotency-replayed']).toBe('true');
  const other = { ...localPage, ...key, cookie: (await signedIn(served, ['admin'], 'other')).headers['cookie'] ?? '' };
  expect((await order(other)).headers['idempotency-replayed']).toBeUndefined();
});

testServed('the ledger records http for the shop board and cli for a command line, by its User-Agent', async (served) => {
  const { http } = served;
  const { headers } = await signedIn(served);
  const authorization = `Bearer ${await newToken(served, ['admin'], 'other')}`;
  for (const sent of [headers, { authorization, 'user-agent': 'petstore-cli' }]) {
    const answer = await http('POST', '/categories', { headers: { ...sent, accept: completeType }, body: { name: JSON.stringify(sent).slice(0, 20) } });
    expect(answer.status).toBe(201);
  }
  expect((await served.ledger()).map(({ actor, source }) => [actor, source])).toEqual([
    ['till', 'http'],
    ['other', 'cli'],
  ]);
});
