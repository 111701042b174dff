import { expect } from 'vitest';
import { testServed, type ServedShop, type Sent } from '../support/server.js';

const withHost = (host: string, more: Readonly<Record<string, string>> = {}): Sent => ({ headers: { host, ...more } });

testServed('refuses a Host header that is not a host name of the server', async ({ http }) => {
  const own = ['localhost', 'localhost:8080', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:65535', 'LOCALHOST', 'LocalHost:80'];
  for (const host of own) expect([host, (await http('GET', '/pets', withHost(host))).status]).toEqual([host, 200]);
  const foreign = [
    'shop.example',
    'localhost.shop.example',
    'localhost.',
    '127.0.0.1.nip.io',
    '127.0.0.2',
    '[::2]',
    '0.0.0.0',
    'localhost:',
    'localhost:x',
    '::1',
  ];
  for (const host of [...foreign, 'user@localhost', 'localhost:80:80', 'localhost/x', 'localhost,shop.example', '[::1']) {
    for (const url of ['/pets', '/livez', '/docs', '/nowhere']) {
      const { status, code } = await http('GET', url, withHost(host));
      expect([host, url, status, code]).toEqual([host, url, 421, 'misdirected_request']);
    }
  }
});

testServed(
  '--allowed-host accepts further host names',
  async ({ http }) => {
    for (const host of ['shop.example', 'SHOP.example:444', 'localhost'])
      expect([host, (await http('GET', '/pets', withHost(host))).status]).toEqual([host, 200]);
    for (const host of ['example', 'x.shop.example']) expect([host, (await http('GET', '/pets', withHost(host))).code]).toEqual([host, 'misdirected_request']);
  },
  { allowedHosts: ['Shop.Example'] },
);

/** The headers that browsers send with a change, and whether the change is allowed. */
const origins: readonly (readonly [passes: boolean, headers: Readonly<Record<string, string>>])[] = [
  [true, {}],
  [true, { origin: 'http://localhost:8080' }],
  [true, { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }],
  [true, { 'sec-fetch-site': 'none' }],
  [true, { 'sec-fetch-site': 'same-origin' }],
  [false, { origin: 'http://localhost:9999' }],
  [false, { origin: 'http://localhost' }],
  [false, { origin: 'https://shop.example' }],
  [false, { origin: 'null' }],
  [false, { origin: 'garbage' }],
  [false, { origin: '' }],
  [false, { 'sec-fetch-site': 'cross-site' }],
  [false, { 'sec-fetch-site': 'same-site' }],
  [false, { origin: 'http://localhost:8080', 'sec-fetch-site': 'cross-site' }],
  [false, { origin: 'http://localhost:8080.shop.example' }],
];

testServed('allows pages of other origins neither to read nor to change the shop', async ({ http, expectUnchanged }) => {
  for (const [passes, headers] of origins) {
    const sent = { ...withHost('localhost:8080', headers), body: {} };
    const send = () => http('POST', '/store/orders', { ...sent, headers: { ...sent.headers, 'content-type': 'application/json' } });
    const { status, code } = passes ? await send() : await expectUnchanged(send);
    expect([headers, status, code]).toEqual([headers, passes ? 201 : 403, passes ? '' : 'origin_not_allowed']);
    for (const url of ['/pets', '/store/ledger', '/store/events', '/metrics', '/session']) {
      const read = await http('HEAD', url, withHost('localhost:8080', headers));
      expect([headers, url, read.status]).toEqual([headers, url, passes ? 200 : 403]);
    }
    expect((await http('GET', '/pets', withHost('localhost:8080', headers))).code).toBe(passes ? '' : 'origin_not_allowed');
    // The page of another origin may have a link to these.
    for (const url of ['/docs', '/openapi.json', '/livez']) expect((await http('GET', url, withHost('localhost:8080', headers))).status).toBe(200);
    expect((await http('OPTIONS', '/pets', withHost('localhost:8080', headers))).status).toBe(204);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const other = await http(method, '/pets/77', withHost('localhost:8080', headers));
      expect([headers, method, other.code === 'origin_not_allowed']).toEqual([headers, method, !passes]);
    }
  }
  const { headers } = await http('GET', '/pets', withHost('localhost:8080', { origin: 'https://till.example' }));
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

const till = 'https://till.example';

testServed(
  'allows only pages of a --cors-origin to read and change the shop',
  async ({ http }) => {
    const order = (origin: string) => http('POST', '/store/orders', { ...withHost('localhost:8080', { origin, 'sec-fetch-site': 'cross-site' }), body: {} });
    const allowed = await order(till);
    expect([allowed.status, allowed.headers['access-control-allow-origin'], allowed.headers['vary']]).toEqual([201, till, 'Origin, accept']);
    expect(allowed.headers['access-control-expose-headers']).toBe('*');
    expect(allowed.headers['access-control-allow-credentials']).toBeUndefined();
    for (const origin of [`${till}.evil.example`, 'https://evil.example', 'http://till.example', 'null']) {
      const { code, headers } = await order(origin);
      expect([origin, code, headers['access-control-allow-origin']]).toEqual([origin, 'origin_not_allowed', undefined]);
    }
    const list = (origin: string) => http('GET', '/pets', withHost('localhost:8080', { origin, 'sec-fetch-site': 'cross-site' }));
    expect([(await list(till)).status, (await list('https://evil.example')).code]).toEqual([200, 'origin_not_allowed']);
    const preflight = (origin: string, url = '/pets/1') =>
      http('OPTIONS', url, withHost('localhost:8080', { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'if-match' }));
    const { status, headers } = await preflight(till);
    expect([status, headers['access-control-allow-origin'], headers['access-control-max-age']]).toEqual([204, till, '600']);
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect(headers['access-control-allow-headers']).toMatch(/if-match/i);
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
    // Pages can read refusals too.
    for (const authorization of ['Bearer x', 'Basic x']) {
      const refused = await http('GET', '/pets', withHost('localhost:8080', { origin: till, authorization }));
      expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, till]);
    }
    const plain = await http('OPTIONS', '/pets/1');
    expect([plain.status, plain.headers['allow']]).toEqual([204, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS']);
    expect((await http('OPTIONS', '/nowhere')).code).toBe('not_found');
  },
  { corsOrigins: [till] },
);

testServed('refuses a request target of more than 8 KiB', async ({ http }) => {
  const long = (length: number): string => `/pets?q=${'x'.repeat(length - '/pets?q='.length)}`;
  expect((await http('GET', long(8192))).code).toBe('invalid_parameter');
  const { status, code } = await http('GET', long(8193));
  expect([status, code]).toEqual([414, 'uri_too_long']);
  expect((await http('GET', `/pets/${'1'.repeat(8000)}`)).code).toBe('invalid_parameter');
  expect((await http('GET', `/${'x'.repeat(9000)}`)).code).toBe('uri_too_long');
});

/** Every path of a server that is not an operation. */
const probes = ['/livez', '/readyz'];

async function turns({ http }: ServedShop, count: number, url: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let turn = 0; turn < count; turn += 1) statuses.push((await http('GET', url, { headers })).status);
  return statuses;
}

testServed(
  'refuses requests above the rate limit until the minute is over, but never probes',
  async (served) => {
    const { http, dependencies } = served;
    expect(await turns(served, 4, '/pets')).toEqual([200, 200, 200, 429]);
    const { status, code, headers } = await http('GET', '/store/orders');
    expect([status, code]).toEqual([429, 'rate_limited']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect([headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual(['3', '0']);
    for (const url of probes) expect(await turns(served, 5, url)).toEqual([200, 200, 200, 200, 200]);
    // Each token has its own counter.
    const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['pets:read'] });
    expect(await turns(served, 4, '/pets', { authorization: `Bearer ${text}` })).toEqual([200, 200, 200, 429]);
  },
  { rateLimit: 3 },
);

testServed(
  'requests with invalid tokens count for the rate limit of the address',
  async (served) => {
    await served.dependencies.tokens.create({ name: 'till', scopes: ['admin'] });
    const guess = { authorization: `Bearer pst_1_${'x'.repeat(43)}` };
    expect(await turns(served, 5, '/pets', guess)).toEqual([401, 401, 401, 429, 429]);
    expect(await turns(served, 1, '/pets')).toEqual([429]);
  },
  { rateLimit: 3 },
);

for (const [host, given, limit] of [
  ['localhost', {}, undefined],
  ['0.0.0.0', { host: '0.0.0.0', insecureNoAuth: true }, '600'],
  ['0.0.0.0', { host: '0.0.0.0', insecureNoAuth: true, rateLimit: 0 }, undefined],
] as const)
  testServed(
    `a server at ${host} ${'rateLimit' in given ? 'without a limit' : 'by default'} answers ${limit ?? 'any number of'} requests a minute`,
    async ({ http }) => expect((await http('GET', '/pets', withHost(host))).headers['ratelimit-limit']).toBe(limit),
    given,
  );

const publicPaths = ['/docs', '/board/', '/session'];

/** The statuses of requests for all public paths that a proxy forwards for a client. */
async function statusesFor({ http }: ServedShop, client: string): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const path of publicPaths) {
    const { status } = await http(path === '/session' ? 'POST' : 'GET', path, {
      headers: { 'x-forwarded-for': client },
      ...(path === '/session' && { body: {} }),
    });
    statuses.push(status);
  }
  return statuses;
}

testServed(
  'behind a trusted proxy one client above the rate limit does not keep others from the pages and from signing in',
  async (served) => {
    expect(await statusesFor(served, '192.0.2.1')).toEqual([200, 200, 422]);
    expect(await statusesFor(served, '192.0.2.1')).toEqual([429, 429, 429]);
    expect(await statusesFor(served, '192.0.2.2')).toEqual([200, 200, 422]);
  },
  { rateLimit: 3, trustedProxies: ['127.0.0.1'] },
);

testServed(
  'the rate limit ignores X-Forwarded-For of an address that is not trusted',
  async (served) => {
    expect(await statusesFor(served, '192.0.2.1')).toEqual([200, 200, 422]);
    expect(await statusesFor(served, '192.0.2.2')).toEqual([429, 429, 429]);
  },
  { rateLimit: 3, trustedProxies: ['192.0.2.1', '2001:db8::1'] },
);
