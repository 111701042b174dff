import { expect } from 'vitest';
import { sql } from '../../src/storage/sql.js';
import { localShop } from '../../src/storage/shop.js';
import { maximumSessions } from '../../src/domain/sessions/session.js';
import { testOnEveryEngine } from '../support/stores.js';
import { expectRefusal } from '../support/expect-refusal.js';
import type { TestShop } from '../support/test-shop.js';

const scopes = ['store:write'] as const;

async function till({ shop }: TestShop, expiresAt?: string) {
  return (await shop.tokens.create({ name: 'till', scopes, expiresAt })).token;
}

testOnEveryEngine('a session has the name and scopes of its token for 12 hours', async (tested) => {
  const { shop, clock } = tested;
  const token = await till(tested);
  const { session, text } = await shop.sessions.start({ token });
  expect(session).toEqual({ name: 'till', scopes, token, expiresAt: '2026-11-20T21:00:00.000Z' });
  expect(text).toMatch(/^[\w-]{43}$/);
  clock.pass(12 * 3_600_000 - 1);
  expect(await shop.sessions.find(text)).toEqual(session);
  clock.pass(1);
  expect(await shop.sessions.find(text)).toBeUndefined();
});

testOnEveryEngine('a session of the owner has all scopes and no token', async ({ shop, clock }) => {
  const { session, text } = await shop.sessions.start({ owner: 'ana' });
  expect(session).toEqual({ name: 'ana', scopes: ['admin'], expiresAt: '2026-11-20T21:00:00.000Z' });
  expect(await shop.sessions.find(text)).toEqual(session);
  clock.pass(12 * 3_600_000);
  expect(await shop.sessions.find(text)).toBeUndefined();
});

testOnEveryEngine('a session ends with its token', async (tested) => {
  const { shop, clock } = tested;
  const expiring = await till(tested, '2026-11-20T09:00:01.000Z');
  const { session, text } = await shop.sessions.start({ token: expiring });
  expect(session.expiresAt).toBe('2026-11-20T09:00:01.000Z');
  clock.pass(1000);
  expect(await shop.sessions.find(text)).toBeUndefined();
  await expectRefusal('invalid_token', shop.sessions.start({ token: expiring }), /^This token expired/);
  await shop.tokens.revoke('till');
  const token = await till(tested);
  const second = await shop.sessions.start({ token });
  await shop.tokens.revoke('till');
  expect(await shop.sessions.find(second.text)).toBeUndefined();
  await expectRefusal('invalid_token', shop.sessions.start({ token }), /revoked/);
  // A new token of the same name does not bring it back.
  await till(tested);
  expect(await shop.sessions.find(second.text)).toBeUndefined();
});

testOnEveryEngine('a session that was ended, or never started, is unknown', async (tested) => {
  const { shop, expectUnchanged } = tested;
  const token = await till(tested);
  const [first, second] = [await shop.sessions.start({ token }), await shop.sessions.start({ token })];
  await shop.sessions.end(first.text);
  expect([await shop.sessions.find(first.text), await shop.sessions.find(second.text)]).toEqual([undefined, second.session]);
  const wrong = ['', 'x', 'A'.repeat(43), second.text.slice(1), `${second.text}A`, ` ${second.text}`, `${second.text.slice(1)}+`, 'x'.repeat(100_000)];
  await expectUnchanged(async () => {
    for (const text of [first.text, ...wrong]) {
      expect(await shop.sessions.find(text)).toBeUndefined();
      await shop.sessions.end(text);
    }
  });
});

testOnEveryEngine('another process with the same shop knows a session', async (tested) => {
  const { shop, openAgain, clock } = tested;
  const { session, text } = await shop.sessions.start({ token: await till(tested) });
  const other = await openAgain();
  const second = localShop(other, { actor: 'ben', source: 'http', clock: clock.now }, '');
  expect(await second.sessions.find(text)).toEqual(session);
  await second.sessions.end(text);
  expect(await shop.sessions.find(text)).toBeUndefined();
  await other.close();
});

testOnEveryEngine('a new session removes expired ones, and the oldest beyond the limit of its token', async (tested) => {
  const { shop, clock, rows } = tested;
  const count = async (): Promise<unknown> => (await rows<{ readonly count: number }>(sql`SELECT count(*) AS count FROM sessions`))[0]?.count;
  const token = await till(tested);
  const texts: string[] = [];
  for (let index = 0; index < maximumSessions + 2; index += 1) {
    clock.pass(1);
    texts.push((await shop.sessions.start({ token })).text);
  }
  const owner = await shop.sessions.start({ owner: 'ana' });
  const open = await Promise.all(texts.map(async (text) => (await shop.sessions.find(text)) !== undefined));
  expect(open).toEqual(texts.map((_, index) => index >= 2));
  expect([await count(), await shop.sessions.find(owner.text)]).toEqual([maximumSessions + 1, owner.session]);
  clock.pass(12 * 3_600_000);
  await shop.sessions.start({ owner: 'ana' });
  expect(await count()).toBe(1);
});

testOnEveryEngine('a session of the owner ends when the first token is created and when a token is revoked', async ({ shop }) => {
  const isOpen = async ({ text }: { readonly text: string }): Promise<boolean> => (await shop.sessions.find(text)) !== undefined;
  const first = await shop.sessions.start({ owner: 'ana' });
  await shop.tokens.create({ name: 'till', scopes }, { dryRun: true });
  expect(await isOpen(first)).toBe(true);
  const { token } = await shop.tokens.create({ name: 'till', scopes });
  expect(await isOpen(first)).toBe(false);
  const [second, ofToken] = [await shop.sessions.start({ owner: 'ana' }), await shop.sessions.start({ token })];
  await shop.tokens.create({ name: 'web', scopes });
  expect(await isOpen(second)).toBe(true);
  await shop.tokens.revoke('web');
  expect([await isOpen(second), await isOpen(ofToken)]).toEqual([false, true]);
});

testOnEveryEngine('valid sessions are listed by an id and ended by it, or all at once', async (tested) => {
  const { shop, clock, expectUnchanged } = tested;
  const token = await till(tested);
  const texts: string[] = [];
  for (const holder of [{ token }, { owner: 'ana' }, { token }] as const) {
    clock.pass(1000);
    texts.push((await shop.sessions.start(holder)).text);
  }
  const listed = await shop.sessions.list();
  const id: unknown = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(listed).toEqual([
    { id, name: 'till', holder: 'token', createdAt: '2026-11-20T09:00:01.000Z', expiresAt: '2026-11-20T21:00:01.000Z' },
    { id, name: 'ana', holder: 'owner', createdAt: '2026-11-20T09:00:02.000Z', expiresAt: '2026-11-20T21:00:02.000Z' },
    { id, name: 'till', holder: 'token', createdAt: '2026-11-20T09:00:03.000Z', expiresAt: '2026-11-20T21:00:03.000Z' },
  ]);
  const [first = expect.fail(), second = expect.fail(), third = expect.fail()] = listed;
  const open = async (): Promise<readonly boolean[]> => Promise.all(texts.map(async (text) => (await shop.sessions.find(text)) !== undefined));
  await expectUnchanged(async () => expect(await shop.sessions.endEach('all', { dryRun: true })).toEqual(listed));
  await expectRefusal('session_not_found', shop.sessions.endEach({ id: 'x' }), /^There is no session x\.$/);
  expect([await shop.sessions.endEach({ id: first.id }), await open()]).toEqual([[first], [false, true, true]]);
  await expectRefusal('session_not_found', shop.sessions.endEach({ id: first.id }), /^There is no session /);
  expect([await shop.sessions.endEach('owner'), await open()]).toEqual([[second], [false, false, true]]);
  expect([await shop.sessions.endEach('all'), await open(), await shop.sessions.list()]).toEqual([[third], [false, false, false], []]);
  await shop.sessions.start({ token });
  await shop.tokens.revoke('till');
  await shop.sessions.start({ owner: 'ana' });
  clock.pass(12 * 3_600_000);
  expect([await shop.sessions.list(), await shop.sessions.endEach('all')]).toEqual([[], []]);
});

testOnEveryEngine('only the digest of a session is stored, and the ledger has no row for it', async (tested) => {
  const { shop, allRows, ledger } = tested;
  const { text } = await shop.sessions.start({ token: await till(tested) });
  expect(JSON.stringify(await allRows())).not.toContain(text);
  expect(await ledger()).toEqual([]);
});

testOnEveryEngine('a session that may only read, such as of a screen on the wall, lasts 90 days and ends with its token', async ({ shop, clock }) => {
  const { token } = await shop.tokens.create({ name: 'wall', scopes: ['pets:read', 'store:read'] });
  const { session, text } = await shop.sessions.start({ token });
  expect(session.expiresAt).toBe('2027-02-18T09:00:00.000Z');
  clock.pass(89 * 86_400_000);
  expect(await shop.sessions.find(text)).toEqual(session);
  await shop.tokens.revoke('wall');
  expect(await shop.sessions.find(text)).toBeUndefined();
});
