import { expect } from 'vitest';
import { testServed } from '../support/server.js';

testServed('an error message names the field', async ({ http, pet }) => {
  await pet();
  for (const [method, url, body, message] of [
    ['POST', '/pets', 'null', 'body: must be a record.'],
    ['POST', '/pets', '5', 'body: must be a record.'],
    ['POST', '/pets', '"x"', 'body: must be a record.'],
    ['POST', '/pets', '[]', 'body: must be a record.'],
    ['PATCH', '/pets/1', 'null', 'body: must be a record.'],
    ['PUT', '/store/inventory/1', 'true', 'body: must be a record.'],
    ['POST', '/store/orders', 'null', 'body: must be a record.'],
    ['POST', '/store/calls', '{"operation":5,"inputs":[]}', 'operation: must be a text.'],
    ['POST', '/store/calls', '{"operation":"placeOrder","inputs":5}', 'inputs: must be a list.'],
  ] as const) {
    const answer = await http(method, url, { body, headers: { 'content-type': 'application/json' } });
    expect([method, url, body, answer.status, answer.json<{ message: string }>().message]).toEqual([method, url, body, 422, message]);
  }
});

testServed('refuses an id above 64 bits in path, query and body', async ({ http, pet }) => {
  await pet();
  for (const id of ['9223372036854775808', '9999999999999999999', '10000000000000000000', '1'.repeat(400)]) {
    for (const url of [
      `/pets?id=1,${id}`,
      `/pets?categoryId=${id}`,
      `/store/orders?petId=${id}`,
      `/store/ledger?petId=${id}`,
      `/store/ledger?orderId=${id}`,
      `/store/ledger?batchId=${id}`,
      `/pets/${id}`,
      `/store/orders/${id}`,
    ]) {
      const { status, code } = await http('GET', url);
      expect([url, status, code]).toEqual([url, 400, 'invalid_parameter']);
    }
    expect([id, (await http('DELETE', `/categories/1?moveTo=${id}`)).code]).toEqual([id, 'invalid_parameter']);
  }
  // The largest id is unassigned.
  const largest = '9223372036854775807';
  expect((await http('GET', `/pets?id=1,${largest}`)).json()).toHaveLength(1);
  expect((await http('GET', `/pets/${largest}`)).code).toBe('pet_not_found');
});

testServed('HEAD has the Content-Length of GET or none, and 304 has none', async ({ http, pet }) => {
  await pet({ quantity: 5, reserved: 1 });
  for (const url of [
    '/pets',
    '/pets/1',
    '/pets/1/details',
    '/pets/77',
    '/pets?limit=0',
    '/store/summary',
    '/store/orders/1',
    '/livez',
    '/openapi.json',
    '/docs',
    '/nowhere',
  ]) {
    const [get, head] = [await http('GET', url), await http('HEAD', url)];
    expect([url, head.status, head.text]).toEqual([url, get.status, '']);
    expect([url, [undefined, get.headers['content-length']]]).toEqual([url, expect.arrayContaining([head.headers['content-length']])]);
    const known = await http('GET', url, { headers: { 'if-none-match': get.headers['etag'] ?? '*' } });
    if (known.status === 304) expect([url, known.headers['content-length'], known.text]).toEqual([url, undefined, '']);
  }
});
