import { expect } from 'vitest';
import { deletePet } from '../../src/domain/pets/delete-pet.js';
import { holdPet } from '../../src/domain/pets/hold-pet.js';
import { updatePet } from '../../src/domain/pets/update-pet.js';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { setInventory } from '../../src/domain/inventory/set-inventory.js';
import { contract } from '../../src/domain/operations.js';
import { remoteShop } from '../../src/http/client/remote-shop.js';
import { expectRefusal } from '../support/expect-refusal.js';
import { seededRandom, seed } from '../support/seeded-random.js';
import { testListening, testServed, type ServedShop, type Sent } from '../support/server.js';

const match = (tag: string): Pick<Sent, 'headers'> => ({ headers: { 'if-match': tag } });

/** A shop with pet 1 (category 1, order 1). */
async function stocked({ pet }: ServedShop): Promise<void> {
  await pet({ quantity: 5, reserved: 1 });
}

/** Every change of a record that has a version. */
const changes: readonly (readonly [method: string, url: string, read: string, body?: object | undefined])[] = [
  ['PUT', '/pets/1', '/pets/1', { name: 'Max', categoryId: 1 }],
  ['PATCH', '/pets/1', '/pets/1', { name: 'Moritz' }],
  ['PUT', '/pets/1/hold', '/pets/1', undefined],
  ['DELETE', '/pets/1/hold', '/pets/1', undefined],
  ['PUT', '/store/inventory/1', '/store/inventory/1', { quantity: 8 }],
  ['POST', '/store/inventory/1/adjustments', '/store/inventory/1', { delta: 1 }],
  ['PUT', '/store/inventory/1/low-at', '/store/inventory/1', { lowAt: 2 }],
  ['PATCH', '/store/orders/1', '/store/orders/1', { quantity: 2 }],
  ['DELETE', '/store/orders/1', '/store/orders/1', undefined],
  ['PUT', '/categories/1', '/categories/1', { name: 'Cats' }],
  ['PATCH', '/categories/1', '/categories/1', { name: 'Fish' }],
  ['DELETE', '/pets/2', '/pets/2', undefined],
  ['DELETE', '/categories/2', '/categories/2', undefined],
];

testServed('applies a change with If-Match only at that version', async (served) => {
  const { http, pet, category, expectUnchanged } = served;
  await stocked(served);
  await pet();
  await category('Empty');
  for (const [index, [method, url, read, body]] of changes.entries()) {
    const tag = (await http('GET', read)).headers['etag'] ?? '';
    expect([url, tag]).toEqual([url, expect.stringMatching(/^"[1-9][0-9]*"$/)]);
    const foreign = ['"0"', '"999999"', `W/${tag}`, tag.slice(1, -1), '"abc"', '""', `"0${tag.slice(1)}`, '"x", "y"', 'garbage', `"${tag}"`];
    // All of them for one change, and some by turns for the others.
    for (const other of foreign.filter((_, place) => index === 0 || place % 5 === index % 5)) {
      const refused = await expectUnchanged(() => http(method, url, { body, ...match(other) }));
      expect([method, url, other, refused.status, refused.code]).toEqual([method, url, other, 412, 'precondition_failed']);
    }
    const done = await http(method, url, { body, ...match(`"7777", ${tag},"8888"`) });
    expect([method, url, done.status < 300]).toEqual([method, url, true]);
  }
});

testServed('of many changes at the same time with the same If-Match version one succeeds', async (served) => {
  const { http } = served;
  await stocked(served);
  for (const [method, url, read, body] of changes.filter((one) => one[0] !== 'DELETE')) {
    const tag = (await http('GET', read)).headers['etag'] ?? '';
    const answers = await Promise.all(Array.from({ length: 8 }, () => http(method, url, { body, ...match(tag) })));
    expect([method, url, answers.map(({ code }) => code).toSorted()]).toEqual([method, url, ['', ...Array.from({ length: 7 }, () => 'precondition_failed')]]);
  }
});

testServed('a change whose path names no record refuses If-Match with a version', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  const figures = { headers: { 'content-type': 'text/csv' }, body: 'petId,quantity\n1,3\n' };
  const pets = { headers: { 'content-type': 'text/csv' }, body: 'name,category\nMax,Dogs\n' };
  const bodies: Readonly<Record<string, Sent>> = {
    createPet: { body: { name: 'Max', categoryId: 1 } },
    createCategory: { body: { name: 'Cats' } },
    placeOrder: { body: { petId: 1 } },
    returnUnits: { body: { petId: 1 } },
    setLowDefault: { body: { lowAt: 2 } },
    setShopName: { body: { shopName: 'Paws & Fins' } },
    undoLast: { body: {} },
    startCount: { body: {} },
    importInventory: figures,
    importPets: pets,
    importCodes: { headers: { 'content-type': 'text/csv' }, body: 'petId,code\n1,A-1\n' },
    callEach: { body: { operation: 'updatePet', inputs: [{ petId: 1, body: { name: 'Max' } }] } },
  };
  const without = contract.filter(({ kind, path, tag }) => kind === 'write' && tag !== 'Session' && !path.includes('{'));
  expect(without.map(({ id }) => id).toSorted()).toEqual(Object.keys(bodies).toSorted());
  for (const { id, method, path } of without) {
    const sent = (tag: string): Sent => ({ ...bodies[id], headers: { ...bodies[id]?.headers, 'if-match': tag } });
    for (const tag of ['"1"', '"999999"', 'garbage']) {
      const { status, code } = await expectUnchanged(() => http(method, path, sent(tag)));
      expect([id, tag, status, code]).toEqual([id, tag, 412, 'precondition_failed']);
    }
    const passed = await http(method, path, { ...sent('*'), headers: { ...sent('*').headers, 'petstore-dry-run': 'true' } });
    expect([id, passed.text]).toEqual([id, expect.not.stringContaining('precondition_failed')]);
  }
  // The same for the operation that several calls run.
  const calls = { operation: 'placeOrder', inputs: [{ body: { petId: 1 } }], ifMatch: [1] };
  expect((await expectUnchanged(() => http('POST', '/store/calls', { body: calls }))).code).toBe('precondition_failed');
});

testServed('several changes of one record in one request need only the version that was read', async (served) => {
  const { http, expectUnchanged } = served;
  await stocked(served);
  const version = async (): Promise<number> => Number((await http('GET', '/pets/1')).headers['etag']?.slice(1, -1));
  const read = await version();
  const rename = (...names: readonly string[]): object => ({
    operation: 'updatePet',
    inputs: names.map((name) => ({ petId: 1, body: { name } })),
    ifMatch: [read],
  });
  expect((await http('POST', '/store/calls', { body: rename('Max', 'Moritz') })).json()).toMatchObject([{ name: 'Max' }, { name: 'Moritz' }]);
  const now = await version();
  const stale = await expectUnchanged(() => http('POST', '/store/calls', { body: rename('Rex', 'Bello') }));
  expect([stale.code, stale.text]).toEqual(['precondition_failed', expect.stringContaining(`Pet 1 is at version ${now}, not ${read}`)]);
});

testServed('a version is quoted exactly or not at all', async (served) => {
  await stocked(served);
  const { text } = await served.http('PATCH', '/pets/1', { body: { name: 'Max' }, ...match('"9007199254740993"') });
  expect(text).not.toContain('9007199254740992');
});

testServed('If-Match: * matches any version of an existing record', async (served) => {
  const { http } = served;
  await stocked(served);
  expect((await http('PATCH', '/pets/1', { body: { name: 'Max' }, ...match('*') })).status).toBe(200);
  expect((await http('PATCH', '/pets/77', { body: { name: 'Max' }, ...match('*') })).code).toBe('pet_not_found');
  expect((await http('PATCH', '/pets/77', { body: { name: 'Max' }, ...match('"1"') })).code).toBe('pet_not_found');
});

testServed('a change answers with the ETag that every following read has', async (served) => {
  const { http } = served;
  await stocked(served);
  const put = await http('PUT', '/store/inventory/1', { body: { quantity: 9 } });
  for (const url of ['/pets/1', '/pets/1/details', '/store/inventory/1']) expect((await http('GET', url)).headers['etag']).toBe(put.headers['etag']);
  expect((await http('GET', '/pets/1/details')).json<{ version: number }>().version).toBe(Number(put.headers['etag']?.slice(1, -1)));
  const patched = await http('PATCH', '/pets/1', { body: { name: 'Max' }, ...match(put.headers['etag'] ?? '') });
  expect([patched.status, patched.headers['etag'] === put.headers['etag']]).toEqual([200, false]);
  // An order changes the figures of its pet.
  await http('POST', '/store/orders', { body: { petId: 1 } });
  const details = await http('GET', '/pets/1/details');
  expect(details.json()).toMatchObject({ inventory: { reserved: 2 } });
});

testServed('answers 304 to If-None-Match with the current ETag', async (served) => {
  const { http } = served;
  await stocked(served);
  for (const url of ['/pets/1', '/pets/1/details', '/categories/1', '/store/orders/1', '/store/inventory/1']) {
    const { headers } = await http('GET', url);
    const tag = headers['etag'] ?? '';
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await http(method, url, { headers: { 'if-none-match': known } });
        expect([method, url, known, answer.status, answer.text]).toEqual([method, url, known, 304, '']);
        expect(answer.headers).toMatchObject({ etag: tag, 'cache-control': 'private, no-cache' });
        if (method === 'GET') expect(answer.headers['content-length']).toBeUndefined();
      }
    }
    for (const other of ['"0"', tag.slice(1, -1), '"x"']) expect((await http('GET', url, { headers: { 'if-none-match': other } })).status).toBe(200);
  }
  expect((await http('GET', '/pets/77', { headers: { 'if-none-match': '*' } })).code).toBe('pet_not_found');
});

testServed(
  'with --require-if-match every change of a record needs If-Match',
  async (served) => {
    const { http, expectUnchanged, pet, category } = served;
    await stocked(served);
    await pet();
    await category('Empty');
    for (const [method, url, , body] of changes.filter((one) => one[0] !== 'POST')) {
      const { status, code } = await expectUnchanged(() => http(method, url, { body }));
      expect([method, url, status, code]).toEqual([method, url, 428, 'precondition_required']);
    }
    expect((await http('PATCH', '/pets/1', { body: { name: 'Max' }, ...match('*') })).status).toBe(200);
    expect((await http('POST', '/pets', { body: { name: 'Bella', categoryId: 1 } })).status).toBe(201);
    expect((await http('POST', '/store/orders', { body: {} })).status).toBe(201);
  },
  { requireIfMatch: true },
);

testServed(
  'with --require-if-match a change of several records needs their versions',
  async (served) => {
    const { http, expectUnchanged } = served;
    await stocked(served);
    const overwriting: readonly (readonly [operation: string, input: object])[] = [
      ['replacePet', { petId: 1, body: { name: 'Max', categoryId: 1 } }],
      ['updatePet', { petId: 1, body: { name: 'Max' } }],
      ['holdPet', { petId: 1 }],
      ['releasePet', { petId: 1 }],
      ['deletePet', { petId: 1 }],
      ['setInventory', { petId: 1, body: { quantity: 8 } }],
      ['setLowAt', { petId: 1, body: { lowAt: 2 } }],
      ['updateOrder', { orderId: 1, body: { quantity: 2 } }],
      ['cancelOrder', { orderId: 1 }],
      ['replaceCategory', { categoryId: 1, body: { name: 'Cats' } }],
      ['updateCategory', { categoryId: 1, body: { name: 'Cats' } }],
      ['deleteCategory', { categoryId: 1 }],
    ];
    for (const [operation, input] of overwriting) {
      for (const inputs of [[input], [input, input], []]) {
        const { status, code } = await expectUnchanged(() => http('POST', '/store/calls', { body: { operation, inputs } }));
        expect([operation, inputs.length, status, code]).toEqual([operation, inputs.length, 428, 'precondition_required']);
      }
    }
    for (const [operation, input] of [
      ['placeOrder', { body: { petId: 1 } }],
      ['adjustInventory', { petId: 1, body: { delta: 1 } }],
      ['createCategory', { body: { name: 'Fish' } }],
    ] as const) {
      expect([operation, (await http('POST', '/store/calls', { body: { operation, inputs: [input] } })).status]).toEqual([operation, 200]);
    }
  },
  { requireIfMatch: true },
);

testListening(
  'with --require-if-match our own client is refused unless it sends a version',
  async ({ address, pet, stockSummary }) => {
    await pet({ quantity: 5 });
    await pet();
    const shop = remoteShop({ address: new URL(address), token: undefined, actor: 'ana', waitSeconds: 5, insecure: false });
    try {
      await expectRefusal('precondition_required', shop.call(updatePet, { petId: 1, body: { name: 'Max' } }));
      await expectRefusal('precondition_required', shop.callEach(holdPet, [{ petId: 1 }, { petId: 2 }]));
      await expectRefusal('precondition_required', shop.call(deletePet, { petId: 2 }));
      await expectRefusal('precondition_failed', shop.call(setInventory, { petId: 1, body: { quantity: 8 } }, { ifMatch: 999_999 }));
      const { version } = await shop.call(getInventoryItem, { petId: 1 });
      await shop.call(setInventory, { petId: 1, body: { quantity: 7 } }, { ifMatch: version });
    } finally {
      await shop.close();
    }
    expect(await stockSummary(1)).toBe('7 on hand, 0 reserved, available');
  },
  { requireIfMatch: true },
);

/** A shop with pets 1 to 3 (categories 1 and 2), order 1 of pet 1 and batch 1. */
async function imported(served: ServedShop): Promise<void> {
  await stocked(served);
  await served.category('Newts');
  for (const _ of [2, 3]) await served.pet({ quantity: 5 });
  await served.http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: 'petId,delta\n2,1\n' });
}

testServed('If-None-Match refuses to change a record at that version, and * refuses to change an existing record', async (served) => {
  const { http, expectUnchanged } = served;
  await imported(served);
  for (const [method, url, read, body] of changes.filter((one) => !one[1].endsWith('/2'))) {
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
  await imported(served);
  const entry = (await http('GET', '/store/ledger?petId=2&sort=-id&limit=1')).json<readonly { readonly id: number }[]>()[0]?.id;
  for (const url of ['/store/imports/1/undo', `/store/ledger/${entry}/undo`]) {
    for (const headers of [{ 'if-match': '"1"' }, { 'if-none-match': '*' }]) {
      const refused = await expectUnchanged(() => http('POST', url, { headers }));
      expect([url, headers, refused.status, refused.code]).toEqual([url, headers, 412, 'precondition_failed']);
    }
  }
  expect((await http('POST', '/store/imports/1/undo', match('*'))).status).toBe(200);
  for (const url of ['/pets', '/store/summary', '/store/imports/1']) {
    expect([url, (await http('GET', url, match('"1"'))).status]).toEqual([url, 412]);
    expect([url, (await http('GET', url, match('*'))).status]).toEqual([url, 200]);
    const known = await http('GET', url, { headers: { 'if-none-match': '*' } });
    expect([url, known.status, known.text]).toEqual([url, 304, '']);
  }
});

testServed('If-Match on GET names the version that is read', async (served) => {
  const { http } = served;
  await imported(served);
  for (const url of ['/pets/1', '/pets/1/details', '/store/inventory/1', '/store/orders/1', '/categories/1']) {
    const tag = (await http('GET', url)).headers['etag'] ?? '';
    for (const method of ['GET', 'HEAD']) {
      for (const one of [tag, '*', `"x", ${tag}`]) expect([method, url, one, (await http(method, url, match(one))).status]).toEqual([method, url, one, 200]);
      for (const one of ['"x"', `W/${tag}`, '"0"']) expect([method, url, one, (await http(method, url, match(one))).status]).toEqual([method, url, one, 412]);
    }
  }
  expect((await http('GET', '/pets/77/details', match('"1"'))).code).toBe('pet_not_found');
});

testServed('the ETag of pet details changes with their category and still contains the version of the pet', async (served) => {
  const { http } = served;
  await imported(served);
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
  await imported(served);
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
