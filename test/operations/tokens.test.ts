import { timeZoneNamed, utc } from '../../src/domain/values/time-zone.js';
import { expect, test } from 'vitest';
import { allows, scopes, type Scope } from '../../src/domain/tokens/token.js';
import { expiryOf } from '../../src/domain/tokens/token-expiry.js';
import { parseToken, tokenText } from '../../src/domain/tokens/token-text.js';
import { sql } from '../../src/storage/sql.js';
import { testOnEveryEngine } from '../support/stores.js';
import { expectRefusal } from '../support/expect-refusal.js';

const unknown = /^This token is not valid\.$/;
const now = Date.parse('2026-11-20T09:00:00.000Z');
const secret = 'A'.repeat(43);

/** The operations that each scope allows. */
const allowed: Readonly<Record<Scope, readonly Scope[]>> = {
  'pets:read': ['pets:read'],
  'pets:write': ['pets:read', 'pets:write'],
  'store:read': ['store:read'],
  'store:write': ['store:read', 'store:write'],
  admin: scopes,
};

test('the write scope includes read, admin includes all, and no other scope includes another', () => {
  for (const scope of scopes) expect([scope, scopes.filter((needed) => allows([scope], needed))]).toEqual([scope, allowed[scope]]);
  expect(allows(['pets:read', 'store:write'], 'store:read')).toBe(true);
  expect(allows(['pets:write', 'store:read'], 'store:write')).toBe(false);
  expect(allows([], 'pets:read')).toBe(false);
});

test('parsing a token returns its id and secret', () => {
  for (const id of [1, 42, Number.MAX_SAFE_INTEGER]) expect(parseToken(tokenText(id, secret))).toEqual({ id, secret });
  expect(parseToken(`pst_7_${'_-'.repeat(21)}_`)).toEqual({ id: 7, secret: `${'_-'.repeat(21)}_` });
});

/** Texts that are not tokens. */
const malformed = [
  '',
  'pst_',
  'pst_1',
  'pst_1_',
  `pst_0_${secret}`,
  `pst_01_${secret}`,
  `pst_-1_${secret}`,
  `pst_1e3_${secret}`,
  `pst_9007199254740993_${secret}`,
  `pst_1_${secret}A`,
  `pst_1_${secret.slice(1)}`,
  `pst_1_${secret.slice(1)}+`,
  `pst_1_${secret.slice(1)}é`,
  `PST_1_${secret}`,
  ` pst_1_${secret}`,
  `pst_1_${secret}\n`,
  `pst_1_${'A'.repeat(1_000_000)}`,
];

test('refuses a text of another form as a token', () => {
  for (const text of malformed) expect([text.slice(0, 80), parseToken(text)]).toEqual([text.slice(0, 80), undefined]);
});

test('a token can expire at a time, at the end of a day or after a duration', () => {
  expect(expiryOf('2026-11-20T10:00:00+01:00', now - 1, utc)).toBe('2026-11-20T09:00:00.000Z');
  expect(expiryOf('2026-12-31T10:00:00', now, timeZoneNamed('Pacific/Apia') ?? utc)).toBe('2026-12-30T21:00:00.000Z');
  expect(expiryOf('2026-12-31', now, utc)).toBe('2026-12-31T23:59:59.999Z');
  expect(expiryOf('2026-12-31', now, timeZoneNamed('Pacific/Apia') ?? utc)).toBe('2026-12-31T10:59:59.999Z');
  expect(expiryOf('2026-11-20', now, utc)).toBe('2026-11-20T23:59:59.999Z');
  expect(expiryOf('12h', now, utc)).toBe('2026-11-20T21:00:00.000Z');
  expect(expiryOf('90d', now, utc)).toBe('2027-02-18T09:00:00.000Z');
  expect(expiryOf('8w', now, utc)).toBe('2027-01-15T09:00:00.000Z');
  for (const text of ['', 'soon', '90', '90m', '1.5d', '-1d', '90 d', '123456d', '2026-02-30'])
    expect([text, expiryOf(text, now, utc)]).toEqual([text, undefined]);
});

test('refuses an expiry in the past', async () => {
  for (const text of ['0d', '2026-11-19', '2026-11-20T09:00:00Z'])
    await expectRefusal(
      'validation_failed',
      Promise.resolve().then(() => expiryOf(text, now, utc)),
      /^expires: must be in the future, not 2026-.*Z.$/,
    );
});

testOnEveryEngine('a new token authenticates with its scopes', async ({ shop, clock }) => {
  const { token, text } = await shop.tokens.create({ name: ' till ', scopes: ['store:write', 'pets:read', 'store:write'] });
  expect(token).toEqual({ id: 1, name: 'till', scopes: ['pets:read', 'store:write'], createdAt: '2026-11-20T09:00:00.000Z' });
  expect(text).toMatch(/^pst_1_[\w-]{43}$/);
  clock.pass(365 * 86_400_000);
  expect(await shop.tokens.check(text)).toEqual(token);
  expect((await shop.tokens.create({ name: 'web', scopes: ['admin'] })).text.slice(6)).not.toBe(text.slice(6));
});

testOnEveryEngine('every invalid token is refused with the same message', async ({ shop, expectUnchanged }) => {
  const { text } = await shop.tokens.create({ name: 'till', scopes: ['admin'] });
  const other = await shop.tokens.create({ name: 'web', scopes: ['admin'] });
  const texts = [...malformed, tokenText(1, secret), tokenText(99, secret), text.replace('pst_1_', 'pst_2_'), other.text.replace('pst_2_', 'pst_1_')];
  await expectUnchanged(async () => {
    for (const wrong of texts) await expectRefusal('invalid_token', shop.tokens.check(wrong), unknown);
  });
});

testOnEveryEngine('refuses a token from the moment it expires, and tells only its holder why', async ({ shop, clock }) => {
  const { token, text } = await shop.tokens.create({ name: 'till', scopes: ['admin'], expiresAt: '2026-11-20T09:00:01.000Z' });
  expect(token.expiresAt).toBe('2026-11-20T09:00:01.000Z');
  clock.pass(999);
  expect(await shop.tokens.check(text)).toEqual(token);
  clock.pass(1);
  await expectRefusal('invalid_token', shop.tokens.check(text), /^This token expired at 2026-11-20T09:00:01\.000Z\.$/);
  await expectRefusal('invalid_token', shop.tokens.check(tokenText(token.id, secret)), unknown);
  expect(await shop.tokens.list()).toEqual([token]);
});

testOnEveryEngine('a revoked token is refused and its name can be used again', async ({ shop, expectRefusal: refused }) => {
  const { token, text } = await shop.tokens.create({ name: 'till', scopes: ['store:read'] });
  const taken = await refused(
    'validation_failed',
    () => shop.tokens.create({ name: 'till', scopes: ['admin'] }),
    /^name: "till" is already the name of token 1\.$/,
  );
  expect(taken.details).toEqual({ field: 'name', tokenId: 1 });
  expect(await shop.tokens.revoke(' till')).toEqual(token);
  await expectRefusal('invalid_token', shop.tokens.check(text), unknown);
  await refused('token_not_found', () => shop.tokens.revoke('till'), /^There is no token named "till"\.$/);
  const second = await shop.tokens.create({ name: 'till', scopes: ['admin'] });
  expect(await shop.tokens.list()).toEqual([second.token]);
  await expectRefusal('invalid_token', shop.tokens.check(text), unknown);
  expect(await shop.tokens.check(second.text)).toEqual({ ...second.token, id: 2 });
});

testOnEveryEngine('a shop keeps the fact that it had a token after all are revoked', async ({ shop, expectUnchanged }) => {
  expect(await shop.tokens.everCreated()).toBe(false);
  await expectUnchanged(() => shop.tokens.create({ name: 'till', scopes: ['admin'] }, { dryRun: true }));
  expect(await shop.tokens.everCreated()).toBe(false);
  await shop.tokens.create({ name: 'till', scopes: ['admin'] });
  expect(await shop.tokens.everCreated()).toBe(true);
  await expectUnchanged(() => shop.tokens.revoke('till', { dryRun: true }));
  expect(await shop.tokens.list()).toHaveLength(1);
  await shop.tokens.revoke('till');
  expect([await shop.tokens.list(), await shop.tokens.everCreated()]).toEqual([[], true]);
});

testOnEveryEngine('refuses a new token without a name or scope', async ({ shop, expectRefusal: refused }) => {
  for (const name of ['', '  ', 'x'.repeat(101), 'a\u0007', 'a\u202eb', '\ud800'])
    await refused('validation_failed', () => shop.tokens.create({ name, scopes: ['admin'] }), /^name: must/);
  await refused('validation_failed', () => shop.tokens.create({ name: 'till', scopes: [] }), /^scopes: must name at least one\.$/);
});

testOnEveryEngine('updates the last use of a token at most once a minute', async ({ shop, shopOf, clock, rows }) => {
  const { token } = await shop.tokens.create({ name: 'till', scopes: ['admin'] });
  const noted = async () => (await rows<{ readonly at: number }>(sql`SELECT last_used_at AS at FROM tokens`)).map(({ at }) => (at - now) / 1000);
  for (const [seconds, expected] of [
    [10, 10],
    [59, 10],
    [1, 70],
  ] as const) {
    clock.pass(seconds * 1000);
    await shop.tokens.used(token.id);
    expect(await noted()).toEqual([expected]);
  }
  // Another process does not write it again within the minute either.
  clock.pass(59_999);
  await shopOf('ben').tokens.used(token.id);
  expect(await noted()).toEqual([70]);
  expect(await shop.tokens.list()).toEqual([{ ...token, lastUsedAt: '2026-11-20T09:01:10.000Z' }]);
});

testOnEveryEngine('tokens write no ledger rows', async ({ shop, ledger }) => {
  await shop.tokens.create({ name: 'till', scopes: ['admin'] });
  await shop.tokens.revoke('till');
  expect(await ledger()).toEqual([]);
});
