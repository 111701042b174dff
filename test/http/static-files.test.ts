import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { testServed } from '../support/server.js';

const pages = ['/openapi.json', '/docs', '/docs/', '/docs/docs.js', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'];

testServed('pages and files have a strong ETag per encoding and are not sent again to a client that has them', async ({ http, app }) => {
  for (const url of pages) {
    const plain = await http('GET', url);
    const tags = new Set<string | undefined>();
    for (const [accepted, encoding, decode] of [
      [undefined, undefined, (bytes: Buffer) => bytes],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      ['deflate', undefined, (bytes: Buffer) => bytes],
      ['gzip;q=0', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const answer = await app.inject({ method: 'GET', url, headers });
      const tag = String(answer.headers['etag']);
      expect([url, accepted, answer.headers['content-encoding'], answer.headers['vary'], tag]).toEqual([
        url,
        accepted,
        encoding,
        'accept-encoding',
        expect.stringMatching(/^"[\w-]+"$/),
      ]);
      expect(decode(answer.rawPayload).equals(Buffer.from(plain.text))).toBe(true);
      tags.add(tag);
      const known = await http('GET', url, { headers: { ...headers, 'if-none-match': `"x", ${tag}` } });
      expect([known.status, known.text, known.headers['etag'], known.headers['content-length']]).toEqual([304, '', tag, undefined]);
      const head = await http('HEAD', url, { headers });
      expect([head.status, head.headers['etag'], head.headers['content-length']]).toEqual([200, tag, String(answer.rawPayload.length)]);
      expect((await http('GET', url, { headers: { ...headers, 'if-match': tag } })).status).toBe(200);
      expect((await http('GET', url, { headers: { ...headers, 'if-match': '"x"' } })).code).toBe('precondition_failed');
    }
    expect(tags.size).toBe(3);
  }
  const icon = await http('GET', '/docs/favicon-32x32.png', { headers: { 'accept-encoding': 'gzip' } });
  expect([icon.status, icon.headers['content-encoding'], icon.headers['content-type']]).toEqual([200, undefined, 'image/png']);
});

testServed(
  'requests for the document and its page count for the rate limit, probes do not',
  async ({ http }) => {
    const statuses = async (url: string): Promise<readonly number[]> => {
      const found: number[] = [];
      for (let turn = 0; turn < 3; turn += 1) found.push((await http('GET', url)).status);
      return found;
    };
    expect(await statuses('/docs')).toEqual([200, 200, 200]);
    expect(await statuses('/openapi.json')).toEqual([200, 200, 429]);
    expect(await statuses('/docs/docs.js')).toEqual([429, 429, 429]);
    expect(await statuses('/nowhere')).toEqual([429, 429, 429]);
    for (const probe of ['/livez', '/readyz']) expect(await statuses(probe)).toEqual([200, 200, 200]);
  },
  { rateLimit: 5 },
);

testServed(
  'a compressed file has Vary: Origin when other origins are allowed',
  async ({ http }) => {
    for (const path of ['/openapi.json', '/docs']) {
      const { headers } = await http('GET', path, { headers: { origin: 'https://till.example' } });
      expect([path, headers['vary']]).toEqual([path, 'Origin, accept-encoding']);
    }
  },
  { corsOrigins: ['https://till.example'] },
);
