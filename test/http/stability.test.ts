import { expect } from 'vitest';
import { contract } from '../../src/domain/operations.js';
import { openApiDocument } from '../../src/http/openapi/document.js';
import { testServed, type Answer } from '../support/server.js';

const filled = (path: string): string => path.replaceAll(/\{\w+\}/g, '1');

/** The headers of a deprecated operation. */
function marks({ headers }: Answer): readonly (string | undefined)[] {
  return [headers['petstore-stability'], headers['deprecation'], headers['sunset'], headers['link']];
}

const ending = (id: string): readonly string[] => [
  'deprecated',
  '@1796083200',
  'Fri, 31 Dec 2027 23:59:59 GMT',
  `</pets/${id}/details>; rel="successor-version", </docs#deprecations>; rel="deprecation"; type="text/html"`,
];

testServed('every answer of a deprecated operation has the Deprecation header', async ({ http, pet }) => {
  await pet();
  expect(marks(await http('GET', '/pets/1'))).toEqual(ending('1'));
  expect(marks(await http('HEAD', '/pets/1'))).toEqual(ending('1'));
  const unchanged = await http('GET', '/pets/1', { headers: { 'if-none-match': '"2"' } });
  expect([unchanged.status, unchanged.text, ...marks(unchanged)]).toEqual([304, '', ...ending('1')]);
  const missing = await http('GET', '/pets/77');
  expect([missing.code, ...marks(missing)]).toEqual(['pet_not_found', ...ending('77')]);
  const wrong = await http('GET', '/pets/x%22%3E%0d%0a');
  expect([wrong.code, ...marks(wrong)]).toEqual(['invalid_parameter', ...ending('x%22%3E%0D%0A')]);
  // Other methods of the same path still work.
  expect(marks(await http('PUT', '/pets/1', { body: { name: 'Rex', categoryId: 1 } }))).toEqual([undefined, undefined, undefined, undefined]);
});

testServed('the metrics count calls of deprecated operations', async ({ http, pet }) => {
  await pet();
  for (const url of ['/pets/1', '/pets/77', '/pets/1/details']) await http('GET', url);
  await http('HEAD', '/pets/1');
  const { text, headers } = await http('GET', '/metrics');
  expect(text).toMatch(/^petstore_deprecated_requests_total\{operation="getPet"\} 3$/m);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
});

testServed('the metrics name each webhook that is paused, fails or has entries that wait', async ({ http, shop, pet }) => {
  for (const batch of [1, 2]) await shop.hooks.create({ url: 'https://hooks.example.com/', rows: false, batch, allowPrivate: false });
  await http('POST', '/store/hooks/2/pause');
  await pet();
  const { text } = await http('GET', '/metrics');
  expect(text.split('\n').filter((line) => line.startsWith('petstore_hook_'))).toEqual([
    'petstore_hook_paused{hook="1"} 0',
    'petstore_hook_paused{hook="2"} 1',
    'petstore_hook_failed_attempts{hook="1"} 0',
    'petstore_hook_failed_attempts{hook="2"} 0',
    'petstore_hook_waiting_entries{hook="1"} 2',
    'petstore_hook_waiting_entries{hook="2"} 2',
  ]);
  await http('POST', '/store/hooks/2/resume');
});

testServed('operations that are not stable are marked on error answers too', async ({ http }) => {
  for (const { method, path, stability, deprecated } of contract) {
    const { headers, status } = await http(method, `${filled(path)}?colour=red`);
    expect(status).toBeGreaterThanOrEqual(400);
    const expected = deprecated ? 'deprecated' : stability === 'stable' ? undefined : stability;
    expect([method, path, headers['petstore-stability']]).toEqual([method, path, expected]);
  }
});

testServed(
  'a server with --stable-only has no other operations in router and document',
  async ({ http, category }) => {
    await category();
    const stable = contract.filter(({ stability }) => stability === 'stable');
    const document = (await http('GET', '/openapi.json')).json<{ readonly paths: Readonly<Record<string, object>> }>();
    expect(document).toEqual(openApiDocument({ stableOnly: true }));
    const described = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    expect(described.toSorted()).toEqual(stable.map(({ method, path }) => `${method} ${path}`).toSorted());
    for (const { method, path, stability } of contract) {
      if (stability === 'stable') continue;
      const { status, headers } = await http(
        method,
        filled(path),
        method === 'GET' ? {} : { headers: { 'content-type': 'text/csv' }, body: 'petId,delta\n1,1\n' },
      );
      const others = stable.filter((one) => one.path === path).length;
      // Without the import routes, "imports" is parsed as a pet id and refused.
      expect([method, path, status]).toEqual([method, path, others > 0 || path === '/pets/imports' ? 405 : 404]);
      if (others > 0) expect(headers['allow']?.split(', ')).not.toContain(method);
    }
    expect((await http('GET', '/categories/1')).status).toBe(200);
  },
  { stableOnly: true },
);

testServed('the served document equals the document of the contract', async ({ http }) => {
  const { headers, ...answer } = await http('GET', '/openapi.json');
  expect([answer.status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(answer.json()).toEqual(openApiDocument());
});

testServed('probes and metrics need no token on this machine', async ({ http }) => {
  expect((await http('GET', '/livez')).json()).toEqual({ status: 'ok' });
  expect((await http('GET', '/readyz')).json()).toEqual({ status: 'ok' });
  await http('GET', '/pets?limit=0');
  const { text } = await http('GET', '/metrics');
  expect(text).toMatch(/^petstore_http_requests_total\{method="GET",route="\/pets",status="400"\} 1$/m);
  expect(text).toMatch(/^petstore_event_streams 0$/m);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
});
