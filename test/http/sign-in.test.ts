import { expect } from 'vitest';
import { testServed, type Sent, type ServedShop } from '../support/server.js';
import { type Headers, localPage, allScopes, newToken, signIn, cookieOf } from '../support/sign-in.js';

testServed('a one-time code signs in the owner once, within 60 s', async (served) => {
  const { http, codes, log, clock } = served;
  await newToken(served);
  const code = codes.issue();
  expect(code).toMatch(/^[\w-]{43}$/);
  const answer = await signIn(served, { code });
  expect([answer.status, answer.json()]).toMatchObject([200, { name: 'keeper', scopes: allScopes, expiresAt: '2026-11-20T21:00:00.000Z' }]);
  const headers = { ...localPage, cookie: cookieOf(answer) };
  expect((await http('POST', '/categories', { headers, body: { name: 'Dogs' } })).status).toBe(201);
  expect((await served.ledger()).map(({ actor }) => actor)).toEqual(['keeper']);
  const replayed = await signIn(served, { code });
  expect([replayed.status, replayed.code, replayed.headers['set-cookie']]).toEqual([401, 'invalid_token', undefined]);
  expect(log.filter(({ msg }) => msg === 'a one-time code was used a second time')).toHaveLength(1);
  const late = codes.issue();
  clock.pass(60_000);
  expect((await signIn(served, { code: late })).code).toBe('invalid_token');
  const inTime = codes.issue();
  clock.pass(59_999);
  expect((await signIn(served, { code: inTime })).status).toBe(200);
});

testServed('a second use of a code ends the session of the first one, also after the code has expired', async (served) => {
  const { http, codes, clock } = served;
  await newToken(served);
  const isSignedIn = async (headers: Headers): Promise<boolean> => (await http('GET', '/session', { headers })).status === 200;
  for (const waitedMs of [0, 60_000, 3_600_000]) {
    const code = codes.issue();
    const thief = { ...localPage, 'x-forwarded-proto': 'https' };
    const stolen = { ...thief, cookie: cookieOf(await signIn(served, { code }, thief)) };
    expect(await isSignedIn(stolen)).toBe(true);
    clock.pass(waitedMs);
    const refused = await signIn(served, { code });
    expect([waitedMs, refused.status, await isSignedIn(stolen)]).toEqual([waitedMs, 401, false]);
  }
  // At the same time neither of them stays signed in.
  const code = codes.issue();
  const both = await Promise.all([signIn(served, { code }), signIn(served, { code })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  expect(await isSignedIn({ ...localPage, cookie: cookieOf(both.find(({ status }) => status === 200) ?? expect.fail()) })).toBe(false);
});

testServed('refuses a body that is neither a token nor a code', async (served) => {
  const { http, expectUnchanged } = served;
  const text = await newToken(served);
  const json = { ...localPage, 'content-type': 'application/json' };
  const refusals: readonly (readonly [sent: Sent, status: number, code: string])[] = [
    [{ headers: json, body: '{' }, 400, 'invalid_request'],
    [{ headers: json, body: '' }, 400, 'invalid_request'],
    [{ headers: json, body: '[]' }, 422, 'validation_failed'],
    [{ headers: json, body: 'null' }, 422, 'validation_failed'],
    [{ headers: json, body: '{}' }, 422, 'validation_failed'],
    [{ headers: localPage, body: { token: text, code: 'x' } }, 422, 'validation_failed'],
    [{ headers: localPage, body: { token: text, colour: 'red' } }, 422, 'validation_failed'],
    [{ headers: localPage, body: { token: 7 } }, 422, 'validation_failed'],
    [{ headers: localPage, body: { token: null } }, 422, 'validation_failed'],
    [{ headers: { ...localPage, 'content-type': 'text/plain' }, body: 'token=x' }, 415, 'unsupported_media_type'],
    [{ headers: { ...localPage, 'content-type': 'application/x-www-form-urlencoded' }, body: `token=${text}` }, 415, 'unsupported_media_type'],
  ];
  for (const [sent, status, code] of refusals) {
    const answer = await expectUnchanged(() => http('POST', '/session', sent));
    expect([sent.body, answer.status, answer.code, answer.headers['set-cookie']]).toEqual([sent.body, status, code, undefined]);
    expect(answer.text).not.toContain(text);
  }
  // Anybody may send it, so it is much shorter than other bodies.
  const huge = await http('POST', '/session', { headers: json, body: `{"token":"${'x'.repeat(16 * 1024)}"}` });
  expect([huge.status, huge.code, huge.text]).toEqual([413, 'payload_too_large', expect.stringContaining('larger than 16 KiB')]);
  expect((await signIn(served, { token: 'x'.repeat(5000) })).code).toBe('validation_failed');
  for (const wrong of ['', 'x', `${text}x`, text.toUpperCase(), "' OR 1=1 --"]) expect((await signIn(served, { token: wrong })).code).toBe('invalid_token');
  expect((await http('DELETE', '/session', { headers: json, body: '{"token":1}' })).code).toBe('invalid_request');
  expect((await http('GET', '/session?name=x', { headers: localPage })).code).toBe('unauthenticated');
});

testServed('a clock that is set back keeps no code valid for longer', async (served) => {
  const { clock, codes } = served;
  await newToken(served);
  const code = codes.issue();
  clock.pass(-86_400_000);
  expect((await signIn(served, { code })).code).toBe('invalid_token');
});

const guess = { token: `pst_1_${'x'.repeat(43)}` };

/** The attempts to sign in of an address within a minute. */
const most = 20;

testServed('limits the attempts of an address, also on this machine and at the same time', async (served) => {
  const text = await newToken(served);
  const answers = await Promise.all(Array.from({ length: most + 5 }, () => signIn(served, guess)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(most);
  const { status, code, headers, text: refusal } = await signIn(served, { token: text });
  const seconds = headers['retry-after'] ?? '';
  expect([status, code, refusal]).toEqual([
    429,
    'rate_limited',
    expect.stringContaining(`More than 20 attempts to sign in a minute; try again in ${seconds} s.`),
  ]);
  expect([Number(seconds) > 0, Number(seconds) <= 60]).toEqual([true, true]);
});

testServed('after too many attempts a code still signs in, and using it again still ends the session of its first use', async (served) => {
  const code = served.codes.issue();
  await newToken(served);
  for (let turn = 0; turn < most; turn += 1) expect((await signIn(served, guess)).status).toBe(401);
  expect([(await signIn(served, guess)).status, (await signIn(served, { code: 'x'.repeat(43) })).status]).toEqual([429, 429]);
  const first = await signIn(served, { code });
  const headers = { ...localPage, cookie: cookieOf(first) };
  expect([first.status, (await served.http('GET', '/session', { headers })).status]).toEqual([200, 200]);
  expect([(await signIn(served, { code })).status, (await served.http('GET', '/session', { headers })).status]).toEqual([401, 401]);
});

/** The status of a guess with an X-Forwarded-For header. */
const guessFrom = async (served: ServedShop, address: string): Promise<number> =>
  (await signIn(served, guess, { ...localPage, 'x-forwarded-for': address })).status;

testServed(
  'behind a trusted proxy the attempts of each client count for itself',
  async (served) => {
    for (let turn = 0; turn < most; turn += 1) expect(await guessFrom(served, `198.51.100.${turn}, 192.0.2.1`)).toBe(401);
    const statuses = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1', 'x']) statuses.push(await guessFrom(served, address));
    expect(statuses).toEqual([429, 401, 429, 401]);
  },
  { trustedProxies: ['127.0.0.1'] },
);

testServed('without a trusted proxy no header makes further attempts possible', async (served) => {
  for (let turn = 0; turn < most; turn += 1) expect(await guessFrom(served, `192.0.2.${turn}`)).toBe(401);
  expect(await guessFrom(served, '192.0.2.99')).toBe(429);
});
