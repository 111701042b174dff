import { expect } from 'vitest';
import { testServed, type Answer, type ServedShop } from '../support/server.js';

/** The links of an answer by their relation. */
function links({ headers }: Answer): Readonly<Record<string, string>> {
  const all = (headers['link'] ?? '').split(/,\s*(?=<)/).map((link) => /^<([^>]*)>; rel="([\w-]+)"/.exec(link) ?? []);
  return Object.fromEntries(all.map(([, address = '', relation = '']) => [relation, address]));
}

const ids = (answer: Answer): readonly number[] =>
  answer.json<readonly { readonly id?: number; readonly petId?: number }[]>().map(({ id, petId }) => id ?? petId ?? 0);

async function pets({ pet }: ServedShop, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await pet({ name: `Pet ${String.fromCodePoint(65 + index)}` });
}

testServed('Link headers page through a list in both directions', async (served) => {
  const { http } = served;
  await pets(served, 7);
  const first = await http('GET', '/pets?limit=3&sort=-name&count=true');
  expect([ids(first), Object.keys(links(first)), first.headers['x-total-count']]).toEqual([[7, 6, 5], ['first', 'next'], '7']);
  const second = await http('GET', links(first)['next'] ?? '');
  expect([ids(second), Object.keys(links(second)), second.headers['x-total-count']]).toEqual([[4, 3, 2], ['first', 'next', 'prev'], '7']);
  const third = await http('GET', links(second)['next'] ?? '');
  expect([ids(third), Object.keys(links(third))]).toEqual([[1], ['first', 'prev']]);
  expect(ids(await http('GET', links(third)['prev'] ?? ''))).toEqual([4, 3, 2]);
  expect(ids(await http('GET', links(second)['prev'] ?? ''))).toEqual([7, 6, 5]);
  for (const page of [first, second, third]) expect(links(page)['first']).toBe('/pets?limit=3&sort=-name&count=true');
  expect(ids(await http('GET', links(third)['first'] ?? ''))).toEqual([7, 6, 5]);
});

testServed('a link keeps all parameters of the request', async ({ http, pet }) => {
  for (const name of ['Who? <Rex>', 'Who? <Max>']) await pet({ name });
  const asked = '/pets?q=who?+<&limit=1';
  const first = await http('GET', asked);
  expect([ids(first), links(first)['first']]).toEqual([[1], '/pets?q=who?+%3C&limit=1']);
  expect(ids(await http('GET', links(first)['next'] ?? ''))).toEqual([2]);
});

testServed('every list has Link headers, and X-Total-Count only on request', async (served) => {
  const { http, order, category } = served;
  await pets(served, 2);
  await category('Cats');
  for (const pet of [1, 2]) await order(pet, 1);
  for (const quantity of [5, 6]) await http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: `petId,quantity\n1,${quantity}\n` });
  for (const path of ['/pets', '/categories', '/store/orders', '/store/inventory', '/store/imports', '/store/ledger']) {
    const page = await http('GET', `${path}?limit=1&count=true`);
    expect([path, Object.keys(links(page)), Number(page.headers['x-total-count']) > 1]).toEqual([path, ['first', 'next'], true]);
    const plain = await http('GET', path);
    expect([path, Object.keys(links(plain)), plain.headers['x-total-count']]).toEqual([path, ['first'], undefined]);
    const empty = await http('GET', `${links(page)['next']}`);
    expect([path, empty.status, Object.keys(links(empty)).includes('prev')]).toEqual([path, 200, true]);
  }
});

testServed('refuses a cursor with another query', async (served) => {
  const { http } = served;
  await pets(served, 3);
  const cursor = new URL(links(await http('GET', '/pets?limit=1'))['next'] ?? '', 'http://localhost').searchParams.get('cursor') ?? '';
  expect(ids(await http('GET', `/pets?limit=2&cursor=${cursor}`))).toEqual([2, 3]);
  for (const url of ['/pets?sort=name', '/pets?status=sold', '/pets?q=a', '/store/inventory?limit=1', '/categories?limit=1', '/store/ledger?limit=1']) {
    expect([url, (await http('GET', `${url}&cursor=${cursor}`)).code]).toEqual([url, 'invalid_cursor']);
  }
  expect((await http('GET', `/pets?limit=1&cursor=${cursor}x`)).code).toBe('invalid_cursor');
});

testServed('filters take several values as one list', async (served) => {
  const { http, category } = served;
  await pets(served, 3);
  const cats = await category('Cats');
  await http('PATCH', '/pets/2', { body: { status: 'pending', categoryId: cats } });
  await http('PATCH', '/pets/3', { body: { status: 'sold' } });
  const found: Readonly<Record<string, readonly number[]>> = {
    '/pets?status=pending,sold': [2, 3],
    '/pets?status=available,pending,sold': [1, 2, 3],
    '/pets?id=3,1,77': [1, 3],
    [`/pets?categoryId=${cats}`]: [2],
    [`/pets?categoryId=1,${cats}&status=sold`]: [3],
    '/pets?q=PET+b': [2],
    '/pets?q=%50et%20b': [2],
    '/pets?q=nothing': [],
    '/store/inventory?status=sold': [3],
    '/pets?limit=500&sort=-id': [3, 2, 1],
    '/pets?&limit=1&': [1],
  };
  for (const [url, expected] of Object.entries(found)) expect([url, ids(await http('GET', url))]).toEqual([url, expected]);
});

testServed(
  'all paths and links start with the base path',
  async (served) => {
    const { http } = served;
    const category = await http('POST', '/till/shop/categories', { body: { name: 'Dogs' } });
    const pet = await http('POST', '/till/shop/pets', { body: { name: 'Rex', categoryId: 1 } });
    const order = await http('POST', '/till/shop/store/orders', { body: { petId: 1 } });
    const located = [category, pet, order].map(({ headers }) => headers['location']);
    expect(located).toEqual(['/till/shop/categories/1', '/till/shop/pets/1', '/till/shop/store/orders/1']);
    for (const location of located) expect((await http('GET', location ?? '')).status).toBe(200);
    await http('POST', '/till/shop/pets', { body: { name: 'Max', categoryId: 1 } });
    const page = await http('GET', '/till/shop/pets?limit=1');
    expect(links(page)['first']).toBe('/till/shop/pets?limit=1');
    expect(ids(await http('GET', links(page)['next'] ?? ''))).toEqual([2]);
    const old = links(await http('GET', '/till/shop/pets/1'));
    expect(old).toEqual({ 'successor-version': '/till/shop/pets/1/details', deprecation: '/till/shop/docs#deprecations' });
    expect((await http('GET', old['successor-version'] ?? '')).status).toBe(200);
    expect((await http('GET', '/till/shop/docs')).text).toContain('/till/shop/openapi.json');
    const refused = await http('POST', '/till/shop/store/imports', { headers: { 'content-type': 'text/csv' }, body: 'petId,quantity\n77,1\n' });
    expect([refused.code, links(refused)['describedby']]).toEqual(['import_refused', '/till/shop/store/imports/1']);
    expect((await http('GET', '/till/shop/store/imports/1')).status).toBe(200);
    expect((await http('OPTIONS', '/till/shop/pets')).headers['allow']).toBe('GET, HEAD, POST, OPTIONS');
    expect((await http('DELETE', '/till/shop/pets')).code).toBe('method_not_allowed');
    for (const url of ['/pets', '/shop/pets', '/till/shopping/pets', '/livez', '/till/pets']) {
      expect([url, (await http('GET', url)).code]).toEqual([url, 'not_found']);
    }
    for (const url of ['/livez', '/readyz', '/metrics', '/openapi.json']) expect([url, (await http('GET', `/till/shop${url}`)).status]).toEqual([url, 200]);
  },
  { basePath: '/till/shop' },
);
