import { setTimeout as sleep } from 'node:timers/promises';
import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { createCategory } from '../../src/domain/categories/create-category.js';
import { updateCategory } from '../../src/domain/categories/update-category.js';
import { startCount } from '../../src/domain/counts/start-count.js';
import { setLowAt } from '../../src/domain/inventory/set-low-at.js';
import { contract } from '../../src/domain/operations.js';
import { placeOrder } from '../../src/domain/orders/place-order.js';
import { createPet } from '../../src/domain/pets/create-pet.js';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { scopes, type Scope } from '../../src/domain/tokens/token.js';
import type { Shop } from '../../src/domain/shop.js';
import { completeType } from '../../src/http/contract/media-types.js';
import { listenError } from '../../src/http/server/listen.js';
import { serve } from '../../src/http/server/server.js';
import type { ServerDependencies } from '../../src/http/server/server-options.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { withServedShop, withServer, options, testServed, type Options, type ServedShop, type Sent } from '../support/server.js';

const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, '77');
const bearer = (text: string): Sent => ({ headers: { authorization: `Bearer ${text}` } });

async function token({ dependencies }: ServedShop, name: string, granted: readonly Scope[], expiresAt?: string): Promise<string> {
  return (await dependencies.tokens.create({ name, scopes: granted, expiresAt })).text;
}

/** Operations whose scope depends on the request. */
const asksLater = ['callEach'];
const guarded = contract.filter(({ id, tag }) => !asksLater.includes(id) && id !== 'streamEvents' && tag !== 'Session');

testServed('once a token was created, every request but probes, document and pages needs one, also after it is revoked', async (served) => {
  const { http, dependencies } = served;
  expect((await http('GET', '/pets')).status).toBe(200);
  await token(served, 'till', ['admin']);
  const closed = async (): Promise<void> => {
    for (const { method, path } of [
      ...guarded,
      { method: 'GET', path: '/metrics' },
      { method: 'GET', path: '/store/events' },
      { method: 'GET', path: '/session' },
    ]) {
      const { status, code, headers } = await served.expectUnchanged(() => http(method, filled(path)));
      expect([method, path, status, code, headers['www-authenticate']]).toEqual([method, path, 401, 'unauthenticated', 'Bearer realm="petstore"']);
    }
    for (const url of ['/livez', '/readyz', '/openapi.json', '/docs', '/docs/docs.js']) expect([url, (await http('GET', url)).status]).toEqual([url, 200]);
    expect((await http('OPTIONS', '/pets')).status).toBe(204);
    expect((await http('GET', '/nowhere')).code).toBe('not_found');
  };
  await closed();
  await dependencies.tokens.revoke('till');
  await closed();
});

interface Part extends v.GenericSchema {
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly entries?: Readonly<Record<string, Part>>;
}

/** Whether a record in an answer has the name of a pet beside its id. */
function hasName({ wrapped, item, entries = {} }: Part): boolean {
  return (
    ('petId' in entries && ('name' in entries || 'pet' in entries)) ||
    [wrapped, item, ...Object.values(entries)].some((part) => part !== undefined && hasName(part))
  );
}

/** Of the former values in the ledger some are names; a movement report names pets only with `by=pet`, and the summary only for `pets:read`. */
const namesSome = ['listLedger', 'undoEntry', 'listUndoable', 'undoLast', 'reportMovements', 'getSummary'];

/** Whether an operation of the store always answers with the names of pets. */
function showsNames({ id, tag, output }: (typeof contract)[number]): boolean {
  return tag === 'Store' && hasName(output as Part) && !namesSome.includes(id);
}

testServed('a token of the store alone reads no names of pets', async (served) => {
  const { http, pet } = served;
  await pet({ quantity: 5 });
  await http('POST', '/store/counts', { body: {} });
  const text = await token(served, 'till', ['store:write']);
  const line = { lines: [{ petId: 1, number: 4 }] };
  const requests = [
    ['GET', '/store/counts/1/pets?q=re'],
    ['GET', '/store/counts/1/pets'],
    ['GET', '/store/counts/1/lines'],
    ['GET', '/store/counts/1/diff'],
    ['GET', '/store/reports/dead-stock'],
    ['GET', '/store/reports/movements?by=pet'],
    ['GET', '/store/inventory?q=re'],
    ['POST', '/store/counts/1/lines', line],
    ['POST', '/store/counts', { q: 're' }],
    ['POST', '/store/calls', { operation: 'addCountLines', inputs: [{ countId: 1, body: line }] }],
  ] as const;
  for (const [method, url, body] of requests) {
    const answer = await http(method, url, { ...bearer(text), body });
    expect([method, url, answer.status, answer.code]).toEqual([method, url, 403, 'insufficient_scope']);
    expect(answer.text).toMatch(/requires pets:read/);
  }
  for (const url of ['/store/counts', '/store/counts/1', '/store/counts/1/categories', '/store/inventory'])
    expect((await http('GET', url, bearer(text))).status).toBe(200);
  await http('PUT', '/store/inventory/1/low-at', { ...bearer(text), body: { lowAt: 9 } });
  await http('POST', '/store/orders', { ...bearer(text), body: { petId: 1, shipDate: '2020-01-01T09:00:00Z' } });
  const { text: figures } = await http('GET', '/store/summary?lists=true', bearer(text));
  expect(figures).toMatch(/"low":1.*"dueOrders":\[\{.*"lastEntries":\[\{/);
  expect(figures).not.toContain('Rex');
  expect((await http('GET', '/store/ledger?names=true', bearer(text))).text).not.toContain('Rex');
  const both = await token(served, 'counter', ['store:write', 'pets:read']);
  for (const [method, url, body] of requests.filter(([, , sent]) => sent === undefined || sent === line)) {
    expect([url, (await http(method, url, { ...bearer(both), body })).status]).toEqual([url, 200]);
  }
});

testServed('a token of the store alone sees no name of a pet in any answer, not even in a complete one', async (served) => {
  const { http, call } = served;
  const names = /Zebrafinch|Quokka|Oldname|Birdcage|Songbirds/;
  await call(createCategory, { body: { name: 'Birdcage', description: 'Songbirds' } });
  // An entry keeps the former description, too.
  await call(updateCategory, { categoryId: 1, body: { description: null } });
  for (const name of ['Oldname', 'Quokka']) await call(createPet, { quantity: 1, body: { name, categoryId: 1 } });
  await call(updatePet, { petId: 1, body: { name: 'Zebrafinch' } });
  await call(setLowAt, { petId: 1, body: { lowAt: 9 } });
  await call(placeOrder, { body: { petId: 1, quantity: 1, shipDate: '2020-01-01T09:00:00Z' } });
  await call(deletePet, { petId: 2 });
  await call(startCount, { body: {} });
  const text = await token(served, 'wall', ['store:read']);
  // A report is by category, and so is the progress of a count.
  const byCategory = ['reportStock', 'reportMovements', 'reportSellThrough', 'listCountCategories'];
  const seen = [];
  for (const { id, tag, kind, path } of guarded) {
    if (tag === 'Pets' || kind !== 'read') continue;
    const query = id === 'getSummary' ? '?lists=true' : '';
    const answer = await http('GET', `${path.replaceAll(/\{\w+\}/g, '1')}${query}`, { headers: { ...bearer(text).headers, accept: completeType } });
    if (answer.status !== 200) continue;
    seen.push(id);
    expect([id, names.exec(answer.text.replaceAll(byCategory.includes(id) ? 'Birdcage' : '\0', ''))?.[0]]).toEqual([id, undefined]);
  }
  expect(seen).toEqual(
    expect.arrayContaining(['getSummary', 'listLedger', 'listUndoable', 'listOrders', 'getOrder', 'listInventory', 'getInventoryItem', 'getCount']),
  );
  // Who may read pets sees them, so the shop has them to show.
  const both = await token(served, 'counter', ['store:read', 'pets:read']);
  for (const url of ['/store/orders', '/store/inventory', '/store/ledger'])
    expect([url, names.test((await http('GET', url, { headers: { ...bearer(both).headers, accept: completeType } })).text)]).toEqual([url, true]);
});

testServed('a token allows exactly the operations of its scopes', async (served) => {
  const { http } = served;
  const needs = ({ tag, kind }: (typeof guarded)[number]): string => `${tag === 'Pets' ? 'pets' : 'store'}:${kind}`;
  const allowed = (scope: Scope, needed: string): boolean => scope === 'admin' || scope === needed || scope.replace(':write', ':read') === needed;
  for (const scope of scopes) {
    const text = await token(served, scope, [scope]);
    for (const operation of guarded) {
      const enough = [needs(operation), showsNames(operation) ? 'pets:read' : undefined, operation.alsoRequires].every(
        (needed) => needed === undefined || allowed(scope, needed),
      );
      const { status, code, headers } = await http(operation.method, filled(operation.path), bearer(text));
      expect([scope, operation.id, code === 'insufficient_scope']).toEqual([scope, operation.id, !enough]);
      if (!enough) expect([status, headers['www-authenticate']]).toEqual([403, 'Bearer realm="petstore", error="insufficient_scope"']);
    }
    expect([scope, (await http('GET', '/metrics', bearer(text))).status]).toEqual([scope, scope === 'admin' ? 200 : 403]);
  }
  const both = await token(served, 'both', ['pets:write', 'store:read']);
  const seen = [await http('POST', '/categories', { ...bearer(both), body: { name: 'Cats' } }), await http('GET', '/store/orders', bearer(both))];
  expect([...seen, await http('POST', '/store/orders', { ...bearer(both), body: {} })].map(({ status }) => status)).toEqual([201, 200, 403]);
});

testServed('several calls in one request require the scope of their operation', async (served) => {
  const { http, pet, expectUnchanged } = served;
  await pet();
  const hold = { operation: 'holdPet', inputs: [{ petId: 1 }] };
  const count = { operation: 'setInventory', inputs: [{ petId: 1, body: { quantity: 4 } }] };
  const [pets, store] = [await token(served, 'pets', ['pets:write']), await token(served, 'store', ['store:write'])];
  expect((await expectUnchanged(() => http('POST', '/store/calls', { body: hold }))).code).toBe('unauthenticated');
  expect((await http('POST', '/store/calls', { ...bearer(store), body: hold })).code).toBe('insufficient_scope');
  expect((await http('POST', '/store/calls', { ...bearer(pets), body: count })).code).toBe('insufficient_scope');
  expect((await http('GET', '/store/inventory/1', bearer(store))).json()).toEqual({ petId: 1, quantity: 1, status: 'available' });
  expect((await http('POST', '/store/calls', { ...bearer(pets), body: hold })).status).toBe(200);
  expect((await http('POST', '/store/calls', { ...bearer(store), body: count })).status).toBe(200);
});

testServed('the undo of a change of a pet or a category requires pets:write as well', async (served) => {
  const { http, pet, dependencies, expectUnchanged } = served;
  await pet();
  const admin = await token(served, 'till', ['admin']);
  const edits: readonly (readonly [string, string, object])[] = [
    ['PATCH', '/pets/1', { name: 'Bello' }],
    ['PATCH', '/categories/1', { name: 'Hounds' }],
    ['PATCH', '/pets/1', { status: 'pending' }],
    ['POST', '/categories', { name: 'Cats' }],
  ];
  for (const [method, url, body] of edits) expect((await http(method, url, { ...bearer(admin), body })).status).toBeLessThan(300);
  await dependencies.tokens.revoke('till');
  const store = await token(served, 'till', ['store:write']);
  const listed = async (text: string): Promise<number> => (await http('GET', '/store/undo', bearer(text))).json<readonly unknown[]>().length;
  expect(await listed(store)).toBe(0);
  const refused = await expectUnchanged(() => http('POST', '/store/undo', { ...bearer(store), body: {} }));
  expect([refused.status, refused.code, refused.text]).toEqual([403, 'insufficient_scope', expect.stringContaining('pets:write')]);
  await dependencies.tokens.revoke('till');
  const both = await token(served, 'till', ['store:write', 'pets:write']);
  expect(await listed(both)).toBe(4);
  expect((await http('POST', '/store/undo', { ...bearer(both), body: {} })).status).toBe(200);
});

testServed('refuses invalid, expired and revoked tokens', async (served) => {
  const { http, dependencies, clock } = served;
  const good = await token(served, 'good', ['admin']);
  const expiring = await token(served, 'expiring', ['admin'], '2026-11-20T10:00:00.000Z');
  const revoked = await token(served, 'revoked', ['admin']);
  await dependencies.tokens.revoke('revoked');
  expect((await http('GET', '/pets', bearer(expiring))).status).toBe(200);
  clock.set('2026-11-20T10:00:00.000Z');
  const [, , secret = ''] = /^(pst_\d+_)(.*)$/.exec(good) ?? [];
  const worthless = [expiring, revoked, `pst_99_${secret}`, `pst_2_${secret}`, `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`, `${good}x`];
  for (const text of [
    ...worthless,
    good.slice(0, -1),
    good.toUpperCase(),
    'pst_',
    'x',
    `pst_01_${secret}`,
    `pst_1_${'x'.repeat(5000)}`,
    "' OR 1=1 --".replaceAll(' ', ''),
  ]) {
    const { status, code, headers } = await http('GET', '/pets', bearer(text));
    expect([text, status, code]).toEqual([text, 401, 'invalid_token']);
    expect(headers['www-authenticate']).toBe('Bearer realm="petstore", error="invalid_token"');
  }
  for (const authorization of ['', good, `Basic ${good}`, 'Bearer', 'Bearer ', `Token ${good}`, `Bearer ${good} x`, `Bearer  `, `Bearer,${good}`]) {
    expect([authorization, (await http('GET', '/pets', { headers: { authorization } })).code]).toEqual([authorization, 'unauthenticated']);
  }
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect((await http('GET', '/pets', { headers: { authorization: `${scheme} ${good}` } })).status).toBe(200);
  // Only the header is read, because URLs are written to logs; ours masks a token that is sent there all the same.
  const placed = [
    `/pets?access_token=${good}`,
    `/pets?limit=2&token=${good}`,
    `/pets?${good}`,
    `/nowhere?${good}?token=${good}`,
    `/livez?access%5Ftoken=${good}`,
    `/pets?q=${good}`,
    `/pets/${good}`,
  ];
  for (const url of placed) expect((await http('GET', url)).status).toBe(url.startsWith('/livez') ? 200 : url.startsWith('/pets') ? 401 : 404);
  expect(served.log.slice(-placed.length).map(({ url }) => url)).toEqual([
    '/pets?access_token=***',
    '/pets?limit=2&token=***',
    '/pets?***',
    '/nowhere?***',
    '/livez?access%5Ftoken=***',
    '/pets?q=***',
    '/pets/***',
  ]);
});

testServed('the ledger records the name of the token', async (served) => {
  const { http, ledgerSummary, ledger, log } = served;
  const text = await token(served, 'Ana at the till', ['pets:write', 'store:write']);
  const sent = bearer(text);
  await http('POST', '/categories', { ...sent, body: { name: 'Dogs' } });
  await http('POST', '/pets', { headers: { ...sent.headers, 'petstore-actor': 'somebody%20else' }, body: { name: 'Rex', categoryId: 1 } });
  await http('POST', '/store/imports', { headers: { ...sent.headers, 'content-type': 'text/csv' }, body: 'petId,delta\n1,3\n' });
  await http('POST', '/store/imports/1/undo', sent);
  expect(await ledgerSummary()).toEqual(['category.created', 'opening +1', 'adjust +3', 'undo -3']);
  expect(new Set((await ledger()).map(({ actor }) => actor))).toEqual(new Set(['Ana at the till']));
  const [used] = await served.dependencies.tokens.list();
  expect(used?.lastUsedAt).toBe('2026-11-20T09:00:00.000Z');
  // The secret is not stored anywhere.
  const [, secret = ''] = /^pst_\d+_(.*)$/.exec(text) ?? [];
  expect(JSON.stringify([log, await served.allRows()])).not.toContain(secret);
  expect(log.filter(({ msg }) => msg === 'request').every(({ actor }) => actor === 'Ana at the till')).toBe(true);
});

for (const [what, given, code] of [
  ['--auth required needs tokens before one exists', { auth: 'required' }, 'unauthenticated'],
  ['another address needs tokens although none exists', { host: '0.0.0.0' }, 'unauthenticated'],
  ['another address and --insecure-no-auth needs no tokens', { host: '0.0.0.0', insecureNoAuth: true }, ''],
] as const)
  testServed(`a server with ${what}`, async ({ http }) => expect((await http('GET', '/pets')).code).toBe(code), given);

testServed(
  'a server with --auth off still refuses an invalid token',
  async (served) => {
    const text = await token(served, 'till', ['pets:read']);
    expect((await served.http('GET', '/pets')).status).toBe(200);
    expect((await served.http('GET', '/pets', bearer(text))).status).toBe(200);
    expect((await served.http('GET', '/store/orders', bearer(text))).code).toBe('insufficient_scope');
    expect((await served.http('GET', '/pets', bearer('pst_9_x'))).code).toBe('invalid_token');
  },
  { auth: 'off' },
);

test('refuses to listen on another address unless a token exists and is required', async () => {
  await withServedShop({}, async (served) => {
    const exposed = (given: Options) => serve(served.dependencies, options(given));
    const hosts = ['0.0.0.0', '::', '192.0.2.1', 'shop.example', '127.0.0.1.example'];
    for (const host of hosts) {
      await expectRefusal('usage', exposed({ host }), /no token yet/);
      await expectRefusal('usage', exposed({ host, auth: 'required' }), /no token yet/);
      await expectRefusal('usage', exposed({ host, auth: 'off' }), /no token would be required/);
    }
    await token(served, 'till', ['admin']);
    await expectRefusal('usage', exposed({ host: '0.0.0.0', auth: 'off' }), /no token would be required/);
    // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no machine has such an address.
    // An address of no machine, and one that needs the name of a network card.
    for (const host of ['192.0.2.1', 'fe80::1']) await expectRefusal('usage', exposed({ host }), /Cannot listen/);
  });
});

test('what the system lacks at the moment is no wrong address', () => {
  for (const [code, syscall] of [
    ['EMFILE', 'listen'],
    ['ENOMEM', 'bind'],
    ['EAI_AGAIN', 'getaddrinfo'],
  ] as const) {
    expect(listenError(Object.assign(new Error(code), { code, syscall }), 'shop.example:80')).toMatchObject({
      code: 'overloaded',
      message: `Cannot listen on shop.example:80 at the moment (${code}).`,
    });
  }
});

testServed('what the check of a token takes is a part of the time that a request waits for the store', async (served) => {
  const { dependencies, pet } = served;
  const petId = await pet();
  const checkMs = 50;
  const waits: (number | undefined)[] = [];
  const slow: ServerDependencies = {
    ...dependencies,
    tokens: { ...dependencies.tokens, check: async (text) => (await sleep(checkMs), dependencies.tokens.check(text)) },
    shopOf: (...caller) => {
      const shop = dependencies.shopOf(...caller);
      const noted: Shop['call'] = (operation, input, given) => {
        waits.push(given?.waitedMs);
        return shop.call(operation, input, given);
      };
      return { ...shop, call: noted };
    },
  };
  const sent = bearer(await token(served, 'till', ['admin']));
  await withServer(slow, {}, async ({ http }) => {
    expect((await http('GET', `/pets/${petId}/details`, sent)).status).toBe(200);
    expect((await http('PUT', `/store/inventory/${petId}`, { ...sent, body: { quantity: 4 } })).status).toBe(200);
  });
  expect(waits).toHaveLength(2);
  // A timer may fire a millisecond early.
  for (const waitedMs of waits) expect(waitedMs).toBeGreaterThanOrEqual(checkMs - 1);
});
