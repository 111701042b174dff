import { expect } from 'vitest';
import { seededRandom, seed } from '../support/seeded-random.js';
import { testServed, type ServedShop } from '../support/server.js';

/** A shop with pets 1 to 3 (categories 1 and 2), order 1 of pet 1 and batch 1. */
async function stocked({ pet, category, http }: ServedShop): Promise<void> {
  await pet({ quantity: 5, reserved: 1 });
  await category('Fish');
  await pet({ quantity: 5 });
  await pet({ quantity: 5 });
  await http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: 'petId,delta\n2,1\n' });
}

const records = ['/pets/1', '/pets/1/details', '/pets/2/details', '/store/inventory/1', '/store/orders/1', '/categories/1'];
/** Every change of a record, with the path that reads the record. */
const changes: readonly (readonly [method: string, url: string, read: string, body?: object])[] = [
  ['PUT', '/pets/1', '/pets/1', { name: 'Max', categoryId: 1 }],
  ['PATCH', '/pets/1', '/pets/1', { name: 'Moritz' }],
  ['PUT', '/pets/1/hold', '/pets/1'],
  ['DELETE', '/pets/1/hold', '/pets/1'],
  ['PUT', '/store/inventory/1', '/store/inventory/1', { quantity: 8 }],
  ['POST', '/store/inventory/1/adjustments', '/store/inventory/1', { delta: 1 }],
  ['PUT', '/store/inventory/1/low-at', '/store/inventory/1', { lowAt: 2 }],
  ['PATCH', '/store/orders/1', '/store/orders/1', { quantity: 2 }],
  ['DELETE', '/store/orders/1', '/store/orders/1'],
  ['PUT', '/categories/1', '/categories/1', { name: 'Cats' }],
  ['PATCH', '/categories/1', '/categories/1', { name: 'Dogs' }],
];

testServed('If-None-Match refuses to change a record at that version, and * refuses to change an existing record', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  for (const [method, url, read, body] of changes) {
    const tag = (await http('GET', read)).headers['etag'] ?? '';
    for (const known of ['*', tag, `W/${tag}`, `"7777", ${tag}`]) {
      const refused = await expectUnchanged(() => http(method, url, { body, headers: { 'if-none-match': known } }));
      expect([method, url, known, refused.status, refused.code]).toEqual([method, url, known, 412, 'precondition_failed']);
    }
    const done = await http(method, url, { body, headers: { 'if-none-match': '"7777"' } });
    expect([method, url, done.status < 300]).toEqual([method, url, true]);
  }
  // Conditions are not evaluated when the request fails without them (RFC 9110, 13.2.1).
  expect((await http('PATCH', '/pets/77', { body: { name: 'Max' }, headers: { 'if-none-match': '*' } })).code).toBe('pet_not_found');
});

testServed('If-Match and If-None-Match also apply to records without a version', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  const entry = (await http('GET', '/store/ledger?petId=2&sort=-id&limit=1')).json<readonly { readonly id: number }[]>()[0]?.id;
  for (const url of ['/store/imports/1/undo', `/store/ledger/${entry}/undo`]) {
    for (const headers of [{ 'if-match': '"1"' }, { 'if-none-match': '*' }]) {
      const refused = await expectUnchanged(() => http('POST', url, { headers }));
      expect([url, headers, refused.status, refused.code]).toEqual([url, headers, 412, 'precondition_failed']);
    }
  }
  expect((await http('POST', '/store/imports/1/undo', { headers: { 'if-match': '*' } })).status).toBe(200);
  for (const url of ['/pets', '/store/summary', '/store/imports/1']) {
    expect([url, (await http('GET', url, { headers: { 'if-match': '"1"' } })).status]).toEqual([url, 412]);
    expect([url, (await http('GET', url, { headers: { 'if-match': '*' } })).status]).toEqual([url, 200]);
    const known = await http('GET', url, { headers: { 'if-none-match': '*' } });
    expect([url, known.status, known.text]).toEqual([url, 304, '']);
  }
});

testServed('If-Match on GET names the version that is read', async (served) => {
  const { http } = served;
  await stocked(served);
  for (const url of records) {
    const tag = (await http('GET', url)).headers['etag'] ?? '';
    for (const method of ['GET', 'HEAD']) {
      for (const match of [tag, '*', `"x", ${tag}`]) {
        expect([method, url, match, (await http(method, url, { headers: { 'if-match': match } })).status]).toEqual([method, url, match, 200]);
      }
      for (const match of ['"x"', `W/${tag}`, '"0"']) {
        expect([method, url, match, (await http(method, url, { headers: { 'if-match': match } })).status]).toEqual([method, url, match, 412]);
      }
    }
  }
  expect((await http('GET', '/pets/77/details', { headers: { 'if-match': '"1"' } })).code).toBe('pet_not_found');
});

testServed('the ETag of pet details changes with their category and still contains the version of the pet', async (served) => {
  const { http } = served;
  await stocked(served);
  const before = (await http('GET', '/pets/1/details')).headers['etag'] ?? '';
  await http('PATCH', '/categories/1', { body: { name: 'Birds' } });
  const after = await http('GET', '/pets/1/details', { headers: { 'if-none-match': before } });
  expect([after.status, after.json<{ category: { name: string } }>().category.name]).toEqual([200, 'Birds']);
  const tag = after.headers['etag'] ?? '';
  expect((await http('GET', '/pets/1/details', { headers: { 'if-none-match': tag } })).status).toBe(304);
  expect((await http('PATCH', '/pets/1', { body: { name: 'Max' }, headers: { 'if-match': tag } })).status).toBe(200);
  expect((await http('PATCH', '/pets/1', { body: { name: 'Moritz' }, headers: { 'if-match': tag } })).status).toBe(412);
});

testServed('different bodies never share an ETag', async (served) => {
  const { http } = served;
  await stocked(served);
  const random = seededRandom(seed);
  const pick = (count: number): number => 1 + Math.floor(random() * count);
  const mutations: readonly (() => Promise<unknown>)[] = [
    () => http('PATCH', `/categories/${pick(2)}`, { body: { name: `Category ${pick(1000)}`, description: `About ${pick(9)}` } }),
    () => http('PATCH', `/pets/${pick(3)}`, { body: { name: `Pet ${pick(1000)}`, categoryId: pick(2) } }),
    () => http('PUT', `/store/inventory/${pick(3)}`, { body: { quantity: pick(20) } }),
    () => http(random() < 0.5 ? 'PUT' : 'DELETE', `/pets/${pick(3)}/hold`),
    () => http('PUT', `/store/inventory/${pick(3)}/low-at`, { body: { lowAt: pick(9) } }),
    () => http('PUT', '/store/low-at', { body: { lowAt: pick(9) } }),
    () => http('POST', '/store/orders', { body: { petId: pick(3), quantity: pick(3) } }),
    () => http('PATCH', `/store/orders/${pick(6)}`, { body: { petId: pick(3), quantity: pick(3) } }),
    () => http('PATCH', `/store/orders/${pick(6)}`, { body: { complete: random() < 0.7 } }),
    () => http('DELETE', `/store/orders/${pick(6)}`),
    () => http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: `petId,delta\n${pick(3)},1\n` }),
    () => http('POST', `/store/imports/${pick(9)}/undo`),
  ];
  const urls = [1, 2, 3].flatMap((id) => [`/pets/${id}`, `/pets/${id}/details`, `/store/inventory/${id}`, `/store/orders/${id}`]);
  const bodies = new Map<string, string>();
  for (let turn = 0; turn < 25; turn += 1) {
    await mutations[pick(mutations.length) - 1]?.();
    for (const url of [...urls, '/categories/1', '/categories/2']) {
      const { status, headers, text } = await http('GET', url);
      if (status !== 200) continue;
      const key = `${url} ${headers['etag']}`;
      expect([key, bodies.get(key) ?? text]).toEqual([key, text]);
      bodies.set(key, text);
    }
  }
});
