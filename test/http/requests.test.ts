import { expect } from 'vitest';
import { contract } from '../../src/domain/operations.js';
import { completeType } from '../../src/http/contract/media-types.js';
import { testServed, type Answer, type ServedShop } from '../support/server.js';

const document = { 'content-type': 'application/json' };
const largest = '9223372036854775807';

/** A shop with pet 1 (3 on hand, 1 reserved for order 1), batch 1 and their category. */
async function stocked({ pet, http }: ServedShop): Promise<void> {
  await pet({ quantity: 3, reserved: 1 });
  await http('POST', '/store/imports', { headers: { 'content-type': 'text/csv' }, body: 'petId,quantity\n1,4\n' });
}

const filled = (path: string, id = '1'): string => path.replaceAll(/\{\w+\}/g, id);
const paths = [...new Set(contract.map(({ path }) => path))];
const pages = ['/livez', '/readyz', '/metrics', '/openapi.json', '/docs'];

/** The methods of a path in the order of the contract, as in Allow. */
function allowed(path: string): string {
  const methods = contract.filter((one) => one.path === path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...methods, 'OPTIONS'].join(', ');
}

/** Headers without those that differ between answers. */
function stableHeaders({ 'x-request-id': _id, date: _date, ...headers }: Answer['headers']): Answer['headers'] {
  return headers;
}

testServed('HEAD answers like GET, without the body', async (served) => {
  const { http } = served;
  await stocked(served);
  const readable = contract.filter(({ method, id }) => method === 'GET' && id !== 'streamEvents').map(({ path }) => filled(path));
  const missing = ['/nowhere', '/pets/77', '/pets/x', '/pets?limit=0', '/store/orders/77'];
  for (const url of [...readable, '/livez', '/readyz', '/openapi.json', '/docs', ...missing]) {
    const [get, head] = [await http('GET', url), await http('HEAD', url)];
    expect([url, head.status, stableHeaders(head.headers), head.text]).toEqual([url, get.status, stableHeaders(get.headers), '']);
  }
  expect((await http('HEAD', '/metrics')).status).toBe(200);
});

testServed('HEAD of the event stream has the status and headers of GET', async ({ http }) => {
  const head = await http('HEAD', '/store/events');
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/event-stream; charset=utf-8', '']);
  expect((await http('HEAD', '/store/events', { headers: { 'last-event-id': 'x' } })).status).toBe(400);
  expect((await http('HEAD', '/store/events?after=99')).status).toBe(410);
});

testServed('OPTIONS and 405 answers list the methods of a path', async (served) => {
  const { http } = served;
  await stocked(served);
  for (const path of [...paths, ...pages]) {
    const allow = pages.includes(path) ? 'GET, HEAD, OPTIONS' : allowed(path);
    const options = await http('OPTIONS', filled(path));
    expect([path, options.status, options.headers['allow'], options.text]).toEqual([path, 204, allow, '']);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].filter((one) => !allow.split(', ').includes(one))) {
      const { status, code, headers } = await http(method, filled(path));
      expect([method, path, status, code, headers['allow']]).toEqual([method, path, 405, method === 'HEAD' ? '' : 'method_not_allowed', allow]);
    }
  }
});

testServed('answers 404 for unknown paths', async ({ http }) => {
  for (const url of ['/pet', '/pets/', '//pets', '/Pets', '/pets/1/', '/pets/1/hold/x', '/store', '/openapi.yaml', '/openapi-json', '/v1/pets', '/pets;a=1']) {
    expect([url, (await http('GET', url)).code]).toEqual([url, 'not_found']);
  }
  expect((await http('OPTIONS', '/nowhere')).code).toBe('not_found');
});

testServed('refuses a client that does not accept JSON', async (served) => {
  const { http } = served;
  await stocked(served);
  const accepted = [
    'application/json',
    '*/*',
    'application/*',
    'text/html, */*;q=0.1',
    'application/json;q=0.5, text/html',
    'APPLICATION/JSON; charset=utf-8',
    'application/json; version=1; q=0.5',
  ];
  const refused = [
    'text/html',
    'application/json;q=0',
    'application/xml, text/*',
    'application/json;q=0, */*',
    'application/json; version=1; q=0',
    'garbage',
    'application/jsonp',
  ];
  for (const accept of accepted) expect([accept, (await http('GET', '/pets', { headers: { accept } })).status]).toEqual([accept, 200]);
  for (const accept of refused) expect([accept, (await http('GET', '/pets', { headers: { accept } })).code]).toEqual([accept, 'not_acceptable']);
  // Caches must keep the answers of different clients apart, refusals included.
  for (const accept of ['application/json', completeType, 'text/html']) {
    expect([accept, (await http('GET', '/pets/1', { headers: { accept } })).headers['vary']]).toEqual([accept, 'accept']);
  }
  // A request whose answer the client does not accept changes nothing.
  const sent = { headers: { accept: 'text/html' }, body: { quantity: 9 } };
  expect((await served.expectUnchanged(() => http('PUT', '/store/inventory/1', sent))).code).toBe('not_acceptable');
  expect((await http('GET', '/store/events', { headers: { accept: 'application/json' } })).code).toBe('not_acceptable');
});

testServed('refuses a body with another content type', async (served) => {
  const { http, category } = served;
  await category();
  const text = JSON.stringify({ name: 'Cats' });
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml', 'application/json; charset=latin1'];
  for (const type of [...types, 'application/merge-patch+json', 'text/csv', 'application/jsonx', 'json', ';;', '']) {
    const { status, code } = await served.expectUnchanged(() => http('POST', '/categories', { headers: { 'content-type': type }, body: text }));
    expect([type, status, code]).toEqual([type, 415, 'unsupported_media_type']);
  }
  const encoded = { ...document, 'content-encoding': 'gzip' };
  for (const headers of [{}, encoded]) expect((await http('POST', '/categories', { headers, body: text })).code).toBe('unsupported_media_type');
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const body = JSON.stringify({ name: type });
    expect([type, (await http('POST', '/categories', { headers: { 'content-type': type }, body })).status]).toEqual([type, 201]);
  }
  const patch = { headers: { 'content-type': 'application/merge-patch+json' }, body: text };
  expect([(await http('PATCH', '/categories/1', patch)).status, (await http('PUT', '/categories/1', patch)).code]).toEqual([200, 'unsupported_media_type']);
  expect((await http('POST', '/store/imports', { headers: { 'content-type': 'text/plain' }, body: 'petId,quantity\n' })).code).toBe('unsupported_media_type');
});

testServed('every operation refuses unknown and repeated parameters', async (served) => {
  const { http } = served;
  await stocked(served);
  for (const { method, path, id } of contract) {
    const url = filled(path);
    const sent = id.startsWith('import') ? { headers: { 'content-type': 'text/csv' }, body: 'petId,quantity\n1,4\n' } : {};
    const answers = [await http(method, `${url}?colour=red`, sent), await http(method, `${url}?__proto__=1`, sent), await http(method, `${url}?body=1`, sent)];
    expect([id, answers.map(({ code }) => code)]).toEqual([id, answers.map(() => 'unknown_parameter')]);
  }
  for (const url of ['/pets?limit=1&limit=1', '/pets?limit=1&l%69mit=2', '/store/orders?petId=1&petId=2', '/store/events?after=1&after=1']) {
    expect([url, (await http('GET', url)).code]).toEqual([url, 'invalid_parameter']);
  }
  expect((await http('PUT', '/store/inventory/1?allowShortage=true&allowShortage=true', { body: { quantity: 1 } })).code).toBe('invalid_parameter');
});

testServed('refuses invalid parameters without converting them', async (served) => {
  const { http } = served;
  await stocked(served);
  const limits = ['0', '-1', '501', '1.0', '1e1', '01', '+5', '%201', '', 'ten', '0x5', '9007199254740993', '٣', '5%00'].map((limit) => `limit=${limit}`);
  const others = [
    'count=1',
    'count=TRUE',
    'count=',
    'sort=price',
    'sort=',
    'status=gone',
    'status=sold,',
    'categoryId=01',
    'id=1,,2',
    'id=1,x',
    'id=1,9223372036854775808',
    'categoryId=9223372036854775808',
    'count',
    'limit',
  ];
  for (const query of [...limits, ...others]) {
    expect([query, (await http('GET', `/pets?${query}`)).code]).toEqual([query, 'invalid_parameter']);
  }
  const many = Array.from({ length: 101 }, (_, index) => index + 1).join(',');
  const refused = [`/pets?id=${many}`, `/store/orders?petId=0`, '/store/orders?shipDateFrom=2026-02-30', '/store/ledger?kind=theft', '/store/events?after=-1'];
  for (const url of [...refused, '/store/inventory?at=yesterday', '/categories/1?moveTo=0']) {
    const method = url.startsWith('/categories') ? 'DELETE' : 'GET';
    expect([url, (await http(method, url)).code]).toEqual([url, 'invalid_parameter']);
  }
  expect((await http('GET', '/store/reports/movements?from=2026-11-20&to=2026-11-19')).code).toBe('validation_failed');
  for (const url of ['/pets?q=%zz', '/pets?q=%ff', '/pets?%c3=1']) expect([url, (await http('GET', url)).code]).toEqual([url, 'invalid_request']);
  for (const cursor of ['x', '', 'W10', Buffer.from('["q",0,1,1]').toString('base64url'), 'e30', 'a'.repeat(4000)]) {
    expect([cursor, (await http('GET', `/pets?cursor=${cursor}`)).code]).toEqual([cursor, 'invalid_cursor']);
  }
  expect((await http('GET', `/pets?id=1,${largest},9007199254740993`)).json()).toHaveLength(1);
});

testServed('an id in a path is digits only and is not rounded', async (served) => {
  const { http } = served;
  await stocked(served);
  const malformed = [
    '0',
    '-1',
    '01',
    '1e3',
    '1e0',
    '+1',
    '1.0',
    '1.',
    '0x1',
    '9223372036854775808',
    '99999999999999999999',
    '1 ',
    ' 1',
    '٣',
    '１',
    '1,2',
    'null',
    '1\0',
    '1\r\nX: y',
    '1>; rel="next"',
  ];
  const absent = ['77', '9007199254740991', '9007199254740992', '9007199254740993', largest];
  for (const path of paths.filter((one) => one.includes('Id}'))) {
    const operation = contract.find((one) => one.path === path) ?? expect.fail(path);
    const { body } = operation.example;
    const sent = body === undefined ? {} : { body };
    const noun = /\{(\w+)Id\}/.exec(path)?.[1] ?? '';
    for (const id of malformed) {
      const { code } = await http(operation.method, filled(path, encodeURIComponent(id)), sent);
      expect([path, id, code]).toEqual([path, id, 'invalid_parameter']);
    }
    expect((await http(operation.method, filled(path, '%ff'), sent)).code).toBe('invalid_request');
    for (const id of absent) expect([path, id, (await http(operation.method, filled(path, id), sent)).code]).toEqual([path, id, `${noun}_not_found`]);
  }
  // %31 is the percent-encoded form of 1 (RFC 3986, 2.3).
  expect((await http('GET', '/pets/%31')).json()).toMatchObject({ id: 1 });
  expect((await http('GET', '/pets/1')).json()).toMatchObject({ id: 1 });
});

testServed('a request keeps a valid X-Request-Id of its client', async ({ http }) => {
  const sane = ['a', 'ask-1', '01J8Z:x/y@z+=.', 'x'.repeat(128)];
  const other = ['', 'two words', 'x'.repeat(129), 'a,b', 'caf\u{e9}', '<b>', '"q"', '{}'];
  for (const id of sane) expect((await http('GET', '/pets', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id);
  const own = new Set<string | undefined>();
  for (const id of other) own.add((await http('GET', '/nowhere', { headers: { 'x-request-id': id } })).headers['x-request-id']);
  expect(own.size).toBe(other.length);
  const prefixes = new Set([...own].map((id) => /^([\w-]{8})-[0-9a-z]+$/.exec(id ?? '')?.[1]));
  expect([prefixes.size, prefixes.has(undefined)]).toEqual([1, false]);
});
