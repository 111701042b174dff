import { expect, test } from 'vitest';
import type { ServerDependencies } from '../../src/http/server/server-options.js';
import { withServedShop, withServer, testServed, type ServedShop, type Sent } from '../support/server.js';

const keyed = (key: string, body?: unknown): Sent => ({ headers: { 'idempotency-key': key }, body });
const csv = { 'content-type': 'text/csv' };

async function stocked({ pet }: ServedShop): Promise<void> {
  await pet({ quantity: 5 });
}

/** Every POST that runs in one transaction, with a body. */
const posts: readonly (readonly [url: string, body?: object])[] = [
  ['/pets', { name: 'Bella', categoryId: 1 }],
  ['/categories', { name: 'Cats' }],
  ['/store/orders', { petId: 1, quantity: 1 }],
  ['/store/inventory/1/adjustments', { delta: 2 }],
  ['/store/ledger/3/undo'],
  ['/store/calls', { operation: 'setInventory', inputs: [{ petId: 1, body: { quantity: 4 } }] }],
];

testServed('a repeated request with the same key gets the first answer, marked as replayed, and changes nothing', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  await http('PUT', '/store/inventory/1', { body: { quantity: 7 } });
  for (const [url, body] of posts) {
    const first = await http('POST', url, keyed(`key of ${url}`, body));
    expect([url, first.status < 300, first.headers['idempotency-replayed']]).toEqual([url, true, undefined]);
    const again = await expectUnchanged(() => http('POST', url, keyed(`key of ${url}`, body)));
    expect([url, again.status, again.text]).toEqual([url, first.status, first.text]);
    const { 'x-request-id': _, date: __, ...kept } = first.headers;
    expect([url, again.headers]).toEqual([url, expect.objectContaining({ ...kept, 'idempotency-replayed': 'true' })]);
  }
});

testServed('a malformed body does not use up its key', async ({ http }) => {
  expect((await http('POST', '/store/orders', keyed('free', { petId: 'x' }))).code).toBe('validation_failed');
  expect((await http('POST', '/store/orders', keyed('free', {}))).status).toBe(201);
});

testServed('refuses keys that are not 1 to 255 printable ASCII characters', async ({ http, expectUnchanged }) => {
  for (const key of ['', ' ', 'x'.repeat(256), 'caf\u{e9}', ' a\tb']) {
    const { status, code } = await expectUnchanged(() => http('POST', '/categories', keyed(key, { name: 'Cats' })));
    expect([key, status, code]).toEqual([key, 400, 'invalid_parameter']);
  }
  for (const [index, key] of ['a', 'two words', '"quoted"', '~'.repeat(255)].entries()) {
    expect([key, (await http('POST', '/categories', keyed(key, { name: `Cats ${index}` }))).status]).toEqual([key, 201]);
  }
});

testServed('an import under a key is applied once, and its replay says so', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  const file = { headers: { ...csv, 'idempotency-key': 'k' }, body: 'petId,delta\n1,3\n' };
  const first = await http('POST', '/store/imports', file);
  expect([first.status, first.headers['idempotency-replayed'], first.json()]).toMatchObject([200, undefined, { batch: 1, applied: 1 }]);
  const again = await expectUnchanged(() => http('POST', '/store/imports', file));
  expect([again.status, again.headers['idempotency-replayed'], again.json()]).toMatchObject([
    200,
    'true',
    { batch: 1, applied: 0, earlier: { actor: 'keeper' } },
  ]);
  const other = await expectUnchanged(() => http('POST', '/store/imports', { ...file, body: 'petId,delta\n1,4\n' }));
  expect([other.status, other.code]).toEqual([422, 'idempotency_key_reused']);
  // Without a key the file content is the key.
  const keyless = { headers: csv, body: 'petId,delta\n1,1\n' };
  expect((await http('POST', '/store/imports', keyless)).headers['idempotency-replayed']).toBeUndefined();
  expect((await expectUnchanged(() => http('POST', '/store/imports', keyless))).headers['idempotency-replayed']).toBe('true');
});

/** The headers of a client with a new token. */
async function till({ dependencies }: ServedShop, name: string): Promise<(key: string, body?: unknown) => Sent & Required<Pick<Sent, 'headers'>>> {
  const { text } = await dependencies.tokens.create({ name, scopes: ['admin'] });
  return (key, body) => ({ headers: { ...keyed(key).headers, authorization: `Bearer ${text}` }, body });
}

testServed(
  'a key belongs to the token regardless of the actor, and to the actor when there is no token',
  async (served) => {
    const { http } = served;
    await stocked(served);
    const named = (actor: string): Sent => ({ headers: { ...keyed('k').headers, 'petstore-actor': actor }, body: { petId: 1 } });
    const order = async (sent: Sent): Promise<number> => (await http('POST', '/store/orders', sent)).json<{ id: number }>().id;
    expect([await order(named('till')), await order(named('ana')), await order(named('till')), await order(keyed('k', { petId: 1 }))]).toEqual([1, 2, 1, 3]);
    const token = await till(served, 'till');
    const withToken = (actor: string): Sent => ({ headers: { ...token('k').headers, 'petstore-actor': actor }, body: { petId: 1 } });
    expect([await order(withToken('ana')), await order(withToken('till'))]).toEqual([4, 4]);
    // A new token is a new sender, also with the name of an earlier token.
    await served.dependencies.tokens.revoke('till');
    expect(await order((await till(served, 'till'))('k', { petId: 1 }))).toBe(5);
  },
  { auth: 'off' },
);

testServed('a key of a token belongs to one POST to one path', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  await http('PUT', '/store/inventory/1', { body: { quantity: 7 } });
  await http('POST', '/store/imports', { headers: csv, body: 'petId,delta\n1,3\n' });
  const files = [
    ['/store/imports', 'petId,delta\n1,1\n'],
    ['/pets/imports', 'name,category\nTom,1\n'],
  ] as const;
  const all: readonly (readonly [url: string, sent: Sent])[] = [
    ...posts.map(([url, body]) => [url, { body }] as const),
    ['/store/imports/1/undo', {}],
    ...files.map(([url, body]) => [url, { headers: csv, body }] as const),
  ];
  for (const [first, sent] of all) {
    const under = (one: Sent): Sent => ({ ...one, headers: { ...one.headers, 'idempotency-key': first } });
    expect([first, (await http('POST', first, under(sent))).status < 300]).toEqual([first, true]);
    for (const [url, other] of all.filter(([path]) => path !== first)) {
      const { status, code } = await expectUnchanged(() => http('POST', url, under(other)));
      expect([first, url, status, code]).toEqual([first, url, 422, 'idempotency_key_reused']);
    }
    expect((await expectUnchanged(() => http('POST', first, under(sent)))).headers['idempotency-replayed']).toBe('true');
  }
});

test('a running request blocks its key only for its own sender', () =>
  withServedShop({}, async (served) => {
    await stocked(served);
    const [a, b] = [await till(served, 'till-a'), await till(served, 'till-b')];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const shopOf: ServerDependencies['shopOf'] = (actor, source, token) => {
      const shop = served.dependencies.shopOf(actor, source, token);
      return actor === 'till-a' ? { ...shop, call: async (...asked) => held.then(() => shop.call(...asked)) } : shop;
    };
    await withServer({ ...served.dependencies, shopOf }, {}, async ({ http }) => {
      const sell = (who: typeof a) => http('POST', '/store/orders', who('k', { petId: 1 }));
      const both = [sell(a), sell(a)];
      expect((await Promise.race(both)).code).toBe('idempotency_in_progress');
      const other = await sell(b);
      expect([other.status, other.headers['idempotency-replayed']]).toEqual([201, undefined]);
      release();
      expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([201, 409]);
    });
  }));
