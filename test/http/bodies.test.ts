import { expect } from 'vitest';
import { contract } from '../../src/domain/operations.js';
import { testServed, type ServedShop, type Sent } from '../support/server.js';

const record = { 'content-type': 'application/json' };

/** Every operation with a JSON body except signing in (test/http/session.test.ts): its path, and a body that it accepts. */
const asked: readonly (readonly [method: string, url: string, body: Readonly<Record<string, unknown>>])[] = [
  ['POST', '/pets', { name: 'Bella', categoryId: 1, status: 'available' }],
  ['PUT', '/pets/1', { name: 'Rex', categoryId: 1, status: 'available' }],
  ['PATCH', '/pets/1', { name: 'Rex', categoryId: 1, status: 'available' }],
  ['POST', '/categories', { name: 'Cats', description: 'Soft' }],
  ['PUT', '/categories/1', { name: 'Dogs', description: 'Loyal' }],
  ['PATCH', '/categories/1', { name: 'Dogs', description: 'Loyal' }],
  ['POST', '/store/orders', { petId: 1, quantity: 1, shipDate: '2026-12-24T09:00:00Z', complete: false }],
  ['POST', '/pets/1/codes', { code: '4006381333931', units: 20 }],
  ['PATCH', '/store/orders/1', { petId: 1, quantity: 1, shipDate: '2026-12-24T09:00:00Z', complete: false }],
  ['PUT', '/store/inventory/1', { quantity: 50 }],
  ['POST', '/store/inventory/1/adjustments', { delta: 1, note: 'found' }],
  ['POST', '/store/undo', { entryId: 11 }],
  ['PUT', '/store/inventory/1/low-at', { lowAt: 1 }],
  ['PUT', '/store/low-at', { lowAt: 1 }],
  ['PUT', '/store/name', { shopName: 'Paws' }],
  ['POST', '/store/calls', { operation: 'holdPet', inputs: [{ petId: 1 }] }],
  ['POST', '/store/counts', { note: 'till', blind: true, petIds: [1] }],
  ['POST', '/store/counts/1/lines', { lines: [{ petId: 1, number: 5, adds: true, key: 'a', also: false }] }],
  ['POST', '/store/returns', { petId: 1, quantity: 1, orderId: 2 }],
  ['POST', '/store/counts/1/close', { missing: 'zero', mode: 'atomic', allowShortage: true, note: 'till' }],
];

async function stocked({ http, pet }: ServedShop): Promise<void> {
  const petId = await pet({ quantity: 99, reserved: 1 });
  await http('POST', '/store/orders', { body: { petId, quantity: 9, complete: true } });
}

/** Expects that a body is refused. */
async function refused({ http }: ServedShop, method: string, url: string, body: unknown, code: string, part = /./): Promise<void> {
  const sent: Sent = { headers: record, body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) };
  const answer = await http(method, url, sent);
  expect([method, url, body, answer.code]).toEqual([method, url, body, code]);
  expect(answer.text).toMatch(part);
}

/** A test of refused bodies in a stocked shop, which none of them changes. */
function testRefusals(name: string, scenario: (served: ServedShop) => Promise<void>): void {
  testServed(name, async (served) => {
    await stocked(served);
    await served.expectUnchanged(() => scenario(served));
  });
}

testServed('the sample bodies cover every operation with a body, and each is accepted', async (served) => {
  await stocked(served);
  const withBody = contract.filter(({ input, tag }) => 'body' in input.entries && tag !== 'Session');
  const filled = withBody.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`);
  expect(asked.map(([method, url]) => `${method} ${url}`).toSorted()).toEqual(filled.toSorted());
  for (const [method, url, body] of asked) {
    // Changes at the same instant would be one change to undo.
    served.clock.pass(1000);
    const { status, text } = await served.http(method, url, { body });
    expect([url, status < 300, text]).toEqual([url, true, text]);
  }
});

testRefusals('refuses unknown fields, also in nested objects', async (served) => {
  const names = ['colour', 'constructor', 'toString', 'hasOwnProperty', 'Name', '', 'version', 'hold'];
  for (const [index, [method, url, body]] of asked.entries()) {
    const text = JSON.stringify(body).slice(0, -1);
    for (const name of ['__proto__', ...names.filter((_, place) => place % 4 === index % 4)]) {
      await refused(served, method, url, `${text},${JSON.stringify(name)}:1}`, 'validation_failed', /is unknown/);
    }
    await refused(served, method, url, `${text},"__proto__":{"admin":true}}`, 'validation_failed', /__proto__: is unknown/);
  }
});

testRefusals('refuses a body that is not one JSON object', async (served) => {
  for (const [index, [method, url, body]] of asked.entries()) {
    for (const value of [null, [], [body], 'text', 1, true])
      await refused(served, method, url, JSON.stringify(value), 'validation_failed', /body: must be a record/);
    const text = JSON.stringify(body);
    const malformed = ['', ' ', '{', `${text}}`, `${text}${text}`, `${text},`, "{'name':1}", '{"a":NaN}', '{"a":01}', '{a:1}', `/**/${text}`];
    for (const bad of malformed.filter((_, place) => place % 4 === index % 4)) await refused(served, method, url, bad, 'invalid_request');
    await refused(served, method, url, Buffer.from(`\u{feff}${text}`), 'invalid_request', /byte order mark/);
    await refused(served, method, url, Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]), 'invalid_request', /UTF-8/);
    await refused(served, method, url, Buffer.from(text, 'utf16le'), 'invalid_request');
    await refused(served, method, url, Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'), 'invalid_request', /UTF-8/);
  }
});

/** The fields of the sample bodies that are integers. */
const integers = asked.flatMap(([method, url, body]) =>
  Object.entries(body).flatMap(([name, value]) => (typeof value === 'number' ? [[method, url, body, name, value] as const] : [])),
);

testRefusals('an integer is not null, a string, a boolean or a fraction', async (served) => {
  expect(integers.length).toBeGreaterThan(10);
  for (const [method, url, body, name] of integers) {
    const wrong = ['"1"', 'true', '1.5', '[1]', '{}', '""', '1e400', '-1e400', '0.1', ...(name === 'delta' ? ['0'] : ['-1'])];
    // In a merge patch null removes an optional field.
    if (!(method === 'PATCH' && url.startsWith('/store/orders'))) wrong.push('null');
    for (const value of wrong) {
      const text = JSON.stringify({ ...body, [name]: '#' }).replace('"#"', value);
      await refused(served, method, url, text, 'validation_failed', new RegExp(`${name}: `));
    }
  }
});

testServed('an integer may be written as 1.0', async (served) => {
  const { http } = served;
  await stocked(served);
  for (const [method, url, body, name, value] of integers) {
    const text = JSON.stringify({ ...body, [name]: '#' });
    for (const spelt of [`${value}.0`, `${value}e0`, `${value}0e-1`]) {
      const { status } = await http(method, url, { headers: record, body: text.replace('"#"', spelt) });
      // The number of an undo is accepted, but there may be nothing to undo by it.
      expect([method, url, name, spelt, status < 300 || (url === '/store/undo' && (status === 404 || status === 409))]).toEqual([
        method,
        url,
        name,
        spelt,
        true,
      ]);
    }
  }
});

testRefusals('refuses a required field that is missing or null', async (served) => {
  const required: readonly (readonly [string, string, readonly string[]])[] = [
    ['POST', '/pets', ['name', 'categoryId']],
    ['PUT', '/pets/1', ['name', 'categoryId']],
    ['POST', '/categories', ['name']],
    ['PUT', '/categories/1', ['name']],
    ['PUT', '/store/inventory/1', ['quantity']],
    ['POST', '/store/inventory/1/adjustments', ['delta']],
  ];
  for (const [method, url, names] of required) {
    const body = asked.find((one) => one[0] === method && one[1] === url)?.[2] ?? {};
    for (const name of names) {
      const { [name]: _, ...rest } = body;
      await refused(served, method, url, rest, 'validation_failed', new RegExp(`${name}: is required`));
      await refused(served, method, url, { ...body, [name]: null }, 'validation_failed', new RegExp(`${name}: `));
    }
  }
  for (const body of [{ name: null }, { categoryId: null }, { status: null }]) await refused(served, 'PATCH', '/pets/1', body, 'validation_failed');
  await refused(served, 'POST', '/store/calls', { operation: 5, inputs: [] }, 'validation_failed', /operation: must be a text/);
  await refused(served, 'POST', '/store/calls', { operation: 'placeOrder', inputs: 5 }, 'validation_failed', /inputs: must be a list/);
  // All problems are reported at once.
  await refused(served, 'POST', '/pets', { name: ' ', categoryId: 0, status: 'gone' }, 'validation_failed', /name: .*; categoryId: .*; status: /);
});

testRefusals('refuses strings that are malformed, too long or contain control characters', async (served) => {
  const bad = ['"\\ud800"', '"a\\udc00b"', '"\\u0000"', '"a\\u001b[31m"', '"\\u202e"', '"a\\nb"', `"${'x'.repeat(101)}"`, '" "', '""', '"\\u2066x"'];
  for (const text of bad) {
    await refused(served, 'POST', '/categories', `{"name":${text}}`, 'validation_failed', /name: /);
    await refused(served, 'PATCH', '/pets/1', `{"name":${text}}`, 'validation_failed', /name: /);
  }
  await refused(served, 'POST', '/categories', `{"name":"Cats","\\ud800":1}`, 'validation_failed', /is unknown/);
  await refused(served, 'POST', '/store/inventory/1/adjustments', `{"delta":1,"note":"\\udfff"}`, 'validation_failed', /note: /);
});

testServed('a name is counted in code points, and stored trimmed in NFC', async (served) => {
  const astral = await served.http('POST', '/categories', { body: { name: ` ${'\u{1f436}'.repeat(100)} ` } });
  expect([astral.status, astral.json<{ name: string }>().name]).toEqual([201, '\u{1f436}'.repeat(100)]);
  expect((await served.http('POST', '/categories', { headers: record, body: '{"name":"n\\u0303"}' })).json()).toMatchObject({ name: '\u{f1}' });
});

testServed('uses the last of duplicate JSON keys', async ({ http, pet }) => {
  await pet();
  const twice = await http('POST', '/categories', { headers: record, body: '{"name":"Cats","name":"Fish"}' });
  expect(twice.json()).toEqual({ id: 2, name: 'Fish' });
  expect((await http('PUT', '/store/inventory/1', { headers: record, body: '{"quantity":"x","quantity":4}' })).json()).toMatchObject({ quantity: 4 });
});

testServed('refuses an id in the body of a new record, and another id than that of the path in a change', async (served) => {
  const { http } = served;
  await stocked(served);
  const before = await served.allRows();
  await refused(served, 'POST', '/pets', { id: 9, name: 'Max', categoryId: 1 }, 'validation_failed', /id: is unknown/);
  await refused(served, 'POST', '/categories', { id: 9, name: 'Cats' }, 'validation_failed', /id: is unknown/);
  const records: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['/pets/1', { name: 'Rex', categoryId: 1 }],
    ['/categories/1', { name: 'Dogs' }],
  ];
  for (const [url, body] of records) {
    for (const method of ['PUT', 'PATCH']) {
      expect([method, url, (await http(method, url, { body: { id: 1, ...body } })).status]).toEqual([method, url, 200]);
      await refused(served, method, url, { id: 2, ...body }, 'validation_failed', /id: must be 1/);
      await refused(served, method, url, { id: null, ...body }, 'validation_failed', /id: /);
    }
  }
  expect(await served.allRows()).toEqual(before);
  expect((await http('PATCH', '/store/orders/1', { body: { id: 1, quantity: 2 } })).status).toBe(200);
  await refused(served, 'PATCH', '/store/orders/1', { id: 2 }, 'validation_failed', /id: must be 1/);
  // The id of an order is read-only and ignored in a new order.
  expect((await http('POST', '/store/orders', { body: { id: 1, quantity: 5 } })).json()).toEqual({ id: 3, quantity: 5, complete: false });
  expect((await http('POST', '/store/orders', { body: {} })).json()).toEqual({ id: 4, complete: false });
});

testServed('a record that is sent back as it was read changes nothing', async (served) => {
  const { http, expectUnchanged, pet, order } = served;
  await pet({ quantity: 3, reserved: 3 });
  await pet({ hold: true });
  await order(1, undefined as never).catch(() => undefined);
  for (const url of ['/pets/1', '/pets/2', '/categories/1']) {
    const read = await http('GET', url);
    const written = await expectUnchanged(() => http('PUT', url, { headers: { ...record, 'if-match': read.headers['etag'] ?? '' }, body: read.text }));
    expect([url, written.status, written.json(), written.headers['etag']]).toEqual([url, 200, read.json(), read.headers['etag']]);
  }
  const order1 = await http('GET', '/store/orders/1');
  expect((await expectUnchanged(() => http('PATCH', '/store/orders/1', { headers: record, body: order1.text }))).json()).toEqual(order1.json());
});

testServed('null in a merge patch removes an optional field', async ({ http, pet, order }) => {
  await pet({ quantity: 2 });
  await order(1, 1);
  await http('PATCH', '/categories/1', { body: { description: 'Loyal' } });
  expect((await http('PATCH', '/categories/1', { body: { description: null } })).json()).toEqual({ id: 1, name: 'Dogs' });
  expect((await http('PATCH', '/store/orders/1', { body: { petId: null, quantity: null } })).json()).toEqual({ id: 1, complete: false });
});

testServed('an operation without a body refuses a body other than an empty object, and ignores the content type', async (served) => {
  const { http, pet, expectUnchanged } = served;
  await stocked(served);
  await pet();
  for (const [method, url] of [
    ['DELETE', '/pets/2'],
    ['PUT', '/pets/1/hold'],
    ['DELETE', '/store/orders/1'],
    ['POST', '/store/ledger/1/undo'],
    ['POST', '/store/imports/1/undo'],
  ] as const) {
    for (const body of ['{"id":1}', '[]', '{}{}', 'x', `{${' '.repeat(100)}}`]) {
      expect([url, (await expectUnchanged(() => http(method, url, { headers: record, body }))).code]).toEqual([url, 'invalid_request']);
    }
  }
  for (const body of ['{}', ' { } ']) {
    expect([(await http('PUT', '/pets/1/hold', { body })).status, (await http('DELETE', '/pets/1/hold', { headers: record, body })).status]).toEqual([
      200, 200,
    ]);
  }
  expect((await http('DELETE', '/pets/2', { headers: record })).status).toBe(204);
  expect((await http('DELETE', '/store/orders/1', { headers: { ...record, 'content-length': '0' } })).status).toBe(204);
});

testServed('an unassigned 64-bit id in a body is unknown and is not rounded to an existing id', async (served) => {
  const { http } = served;
  await stocked(served);
  expect((await http('POST', '/store/counts', { body: {} })).status).toBe(201);
  const before = await served.allRows();
  for (const id of ['77', '9007199254740991', '9007199254740992', '9007199254740993', '1152921504606846976', '9223372036854775807']) {
    const noPet = new RegExp(`There is no pet ${id}\\.`);
    const noCategory = new RegExp(`There is no category ${id}\\.`);
    await refused(served, 'POST', '/store/orders', `{"petId":${id}}`, 'unknown_pet', noPet);
    await refused(served, 'PATCH', '/store/orders/1', `{"petId":${id}}`, 'unknown_pet', noPet);
    await refused(served, 'POST', '/pets', `{"name":"Max","categoryId":${id}}`, 'unknown_category', noCategory);
    await refused(served, 'PATCH', '/pets/1', `{"categoryId":${id}}`, 'unknown_category', noCategory);
    await refused(served, 'POST', '/store/counts', `{"petIds":[1,${id}]}`, 'unknown_pet', noPet);
    await refused(served, 'POST', '/store/counts', `{"categoryIds":[${id}]}`, 'unknown_category', noCategory);
    await refused(served, 'POST', `/store/counts/1/lines`, `{"lines":[{"petId":${id},"number":1}]}`, 'unknown_pet', noPet);
    await refused(served, 'POST', '/store/undo', `{"entryId":${id}}`, 'entry_not_found', new RegExp(`entry ${id} was`));
    const call = (input: string): string => `{"operation":"updateOrder","inputs":[${input}]}`;
    await refused(served, 'POST', '/store/calls', call(`{"orderId":${id},"body":{}}`), 'order_not_found', new RegExp(`Order ${id} was`));
    await refused(served, 'POST', '/store/calls', call(`{"orderId":1,"body":{"petId":${id}}}`), 'unknown_pet', noPet);
    const moved = await http('DELETE', `/categories/1?moveTo=${id}`);
    expect([id, moved.code, moved.text]).toEqual([id, 'unknown_category', expect.stringMatching(noCategory)]);
    // A filter by an id that was never assigned finds nothing.
    expect((await http('GET', `/store/orders?petId=${id}`)).json()).toEqual([]);
  }
  // The other fields are checked first, as with other unknown ids.
  await refused(served, 'POST', '/pets', '{"name":" ","categoryId":9007199254740993}', 'validation_failed', /^[^;]*name: [^;]*$/);
  expect(await served.allRows()).toEqual(before);
});

testServed('a number that would be rounded is refused with its digits', async (served) => {
  const { http } = served;
  await stocked(served);
  const before = await served.allRows();
  const exactly = (digits: string): RegExp => new RegExp(`: ${digits.replaceAll(/[.+]/g, '\\$&')} is too large or has too many digits to be read exactly`);
  for (const number of ['9223372036854775808', '9223372036854779904', '-9007199254740993', '1e300', '7.0000000000000001', '0.99999999999999999', '1e-400']) {
    await refused(served, 'POST', '/store/orders', `{"petId":${number}}`, 'validation_failed', exactly(number));
    await refused(served, 'PUT', '/store/inventory/1', `{"quantity":${number}}`, 'validation_failed', exactly(number));
    await refused(served, 'POST', '/store/calls', `{"operation":"holdPet","inputs":[{"petId":${number}}]}`, 'invalid_parameter', exactly(number));
    await refused(served, 'PATCH', '/pets/1', `{"id":${number}}`, 'validation_failed', exactly(number));
    await refused(served, 'PATCH', '/pets/1', `{"name":${number}}`, 'validation_failed', /name: must be a text/);
  }
  await refused(served, 'POST', '/store/orders', '{"petId":"9007199254740993"}', 'validation_failed', /petId: must be an integer/);
  await refused(served, 'POST', '/store/orders', '{"petId":{"exactNumber":"1"}}', 'validation_failed', /petId: must be an integer/);
  expect((await http('DELETE', '/categories/1?moveTo=9223372036854775808')).status).toBe(400);
  expect(await served.allRows()).toEqual(before);
  const kept = await http('POST', '/store/orders', { headers: record, body: '{"petId":1.000000000000000000000,"quantity":10000000000000000000e-19}' });
  expect(kept.json()).toMatchObject({ petId: 1, quantity: 1 });
});

testServed('refuses a deeply nested body before parsing it', async (served) => {
  await stocked(served);
  const before = await served.allRows();
  for (const depth of [10_000, 400_000]) {
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const body of [deep, `{"name":${deep}}`, `{"id":${deep}}`, '{"a":'.repeat(depth / 5), '['.repeat(depth)]) {
      await refused(served, 'POST', '/categories', body, 'invalid_request', /nested deeper than 64 levels/);
    }
  }
  expect(await served.allRows()).toEqual(before);
  // The id of an order is ignored, even an invalid one.
  const nested = (depth: number): Sent => ({
    headers: record,
    body: `{"id":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)},"shipDate":"2026-12-24T09:00:00Z"}`,
  });
  expect((await served.http('POST', '/store/orders', nested(64))).status).toBe(201);
  expect((await served.http('POST', '/store/orders', nested(65))).code).toBe('invalid_request');
  // Brackets in a text do not count.
  expect((await served.http('POST', '/categories', { body: { name: `\\"${'['.repeat(90)}` } })).status).toBe(201);
});

testServed('quotes the names and values of a request in short', async ({ http }) => {
  const long = 'x'.repeat(100_000);
  const answers = [
    await http('POST', '/pets', { body: { name: 'Rex', categoryId: 1, [long]: 1 } }),
    await http('POST', '/store/orders', { body: { shipDate: long } }),
    await http('POST', '/store/calls', { body: { operation: 'holdPet', inputs: [{ petId: 1, [long]: 1 }] } }),
    await http('GET', `/store/ledger?kind=${'x,'.repeat(2000)}x`),
    await http('GET', `/pets?id=${'x,'.repeat(99)}x`),
    await http('GET', `/store/inventory?at=${'x'.repeat(7000)}`),
    await http('POST', '/categories', { body: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1])) }),
  ];
  for (const { status, text } of answers)
    expect([status >= 400 && status < 500, text.length < 1500, text.slice(0, 200)]).toEqual([true, true, text.slice(0, 200)]);
  expect(answers.map(({ code }) => code)).toEqual([
    'validation_failed',
    'validation_failed',
    'unknown_parameter',
    'invalid_parameter',
    'invalid_parameter',
    'invalid_parameter',
    'validation_failed',
  ]);
  expect((await http('GET', '/pets?id=x,x,x')).json<{ message: string }>().message).toBe('id: must be an integer.');
});
