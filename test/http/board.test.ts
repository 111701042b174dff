import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { builtFolder } from '../support/program.js';
import { openRawConnection, rawRequest } from '../support/raw-connection.js';
import { testListening, testServed } from '../support/server.js';

const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

/** The files that the page loads. */
const assets = (): readonly string[] => readdirSync(join(builtFolder(), 'board/assets')).flatMap((name) => (name.endsWith('.gz') ? [name.slice(0, -3)] : []));

testServed('every path below /board/ answers with the page and its policy', async ({ http }) => {
  const page = await http('GET', '/board/');
  for (const path of ['/board/', '/board/?wall', '/board/orders/12', '/board/pets/7?from=1', '/board/assets']) {
    const { status, headers, text } = await http('GET', path, html);
    expect([path, status, headers['content-type'], text]).toEqual([path, 200, 'text/html; charset=utf-8', page.text]);
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding',
    });
    const known = await http('GET', path, { headers: { 'if-none-match': String(headers['etag']) } });
    expect([path, known.status, known.text, known.headers['content-security-policy']]).toEqual([path, 304, '', headers['content-security-policy']]);
    const head = await http('HEAD', path);
    expect([head.status, head.text, head.headers['etag'], head.headers['content-length']]).toEqual([200, '', headers['etag'], String(text.length)]);
  }
});

testServed('the page names no file that the server does not have, and no inline script or style', async ({ http }) => {
  const { text } = await http('GET', '/board/');
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(named.toSorted()).toEqual(
    assets()
      .map((name) => `/board/assets/${name}`)
      .toSorted(),
  );
});

testServed('files of the board are kept by browsers for ever, and sent as the build compressed them', async ({ app }) => {
  for (const name of assets()) {
    const url = `/board/assets/${name}`;
    const plain = await app.inject({ url });
    for (const [accepted, encoding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['identity', undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const { statusCode, headers, rawPayload } = await app.inject({ url, headers: { 'accept-encoding': accepted } });
      expect([name, statusCode, headers['content-encoding'], headers['vary'], headers['cache-control'], headers['x-content-type-options']]).toEqual([
        name,
        200,
        encoding,
        'accept-encoding',
        'public, max-age=31536000, immutable',
        'nosniff',
      ]);
      expect(decode(rawPayload).equals(plain.rawPayload)).toBe(true);
      const known = await app.inject({ url, headers: { 'accept-encoding': accepted, 'if-none-match': String(headers['etag']) } });
      expect([name, known.statusCode]).toEqual([name, 304]);
    }
  }
});

testListening('the server has no other file of the board, whatever the path', async ({ port }) => {
  const [script = ''] = assets();
  const names = ['nope.js', '', 'index.html', `${script}.br`, `${script}.gz`, `${script}/`, `x/${script}`, `%2e%2e/${script}`, '..%2findex.html', '%00'];
  for (const name of [...names, `../assets/${script}`, '../../../../package.json', '../index.html', '__proto__', 'constructor']) {
    const connection = await openRawConnection(port);
    connection.send(rawRequest(`GET /board/assets/${name}`));
    const { status, headers } = await connection.answer();
    expect([name, status, headers['content-type'], headers['cache-control']]).toEqual([name, 404, 'application/json; charset=utf-8', 'private, no-cache']);
    connection.socket.destroy();
  }
});

testServed('/ and /board lead to the board', async ({ http }) => {
  for (const [method, path] of [
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/board'],
  ] as const) {
    const { status, headers } = await http(method, `${path}?wall=1`);
    expect([status, headers['location']]).toEqual([303, '/board/?wall=1']);
  }
});

testServed('other methods of the board are refused with Allow', async ({ http }) => {
  for (const path of ['/', '/board', '/board/', '/board/orders/12', `/board/assets/${assets()[0]}`]) {
    const options = await http('OPTIONS', path);
    expect([path, options.status, options.headers['allow']]).toEqual([path, 204, 'GET, HEAD, OPTIONS']);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, code, headers } = await http(method, path);
      expect([method, path, status, code, headers['allow']]).toEqual([method, path, 405, 'method_not_allowed', 'GET, HEAD, OPTIONS']);
    }
  }
});

testServed(
  'the board is below the base path, and says that only stable operations are offered',
  async ({ http }) => {
    const { status, text } = await http('GET', '/my/shop/board/stock');
    expect([status, text]).toEqual([200, expect.stringContaining('<html data-offers="stable" lang="en">')]);
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(named.length).toBe(assets().length);
    for (const path of named) expect([path, (await http('GET', path)).status]).toEqual([path, 200]);
    for (const path of ['/my/shop', '/my/shop/', '/my/shop/board']) expect((await http('GET', path)).headers['location']).toBe('/my/shop/board/');
    expect((await http('GET', '/board/', html)).code).toBe('not_found');
  },
  { basePath: '/my/shop', stableOnly: true },
);

testServed(
  'a server without the board has nothing at its paths',
  async ({ http }) => {
    for (const path of ['/', '/board', '/board/', '/board/stock', `/board/assets/${assets()[0]}`])
      expect([path, (await http('GET', path, html)).code]).toEqual([path, 'not_found']);
  },
  { board: false },
);

testServed(
  'the page and its files need no token, the figures on it do',
  async ({ http, dependencies }) => {
    await dependencies.tokens.create({ name: 'till', scopes: ['store:read'] });
    for (const path of ['/board/', `/board/assets/${assets()[0]}`]) expect([path, (await http('GET', path)).status]).toEqual([path, 200]);
    expect((await http('GET', '/store/summary')).code).toBe('unauthenticated');
  },
  { auth: 'required' },
);

testServed('labels are a page to print, without script, and only for those who may read pets', async ({ http, pet, dependencies }) => {
  const [rex, second] = [await pet({ name: '<b>Rex</b>' }), await pet({ name: 'Koi' })];
  const { status, headers, text } = await http('GET', `/board/labels?petId=${rex},${second}&sheet=true`);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  expect(text).toContain('&lt;b&gt;Rex&lt;/b&gt;');
  expect(text.match(/<div><svg/g)).toHaveLength(2);
  for (const [query, code] of [
    ['petId=99', 'pet_not_found'],
    ['petId=rex', 'invalid_parameter'],
    [`petId=0x${rex}`, 'invalid_parameter'],
    ['', 'invalid_parameter'],
    [`petId=${Array.from({ length: 101 }, () => rex).join()}`, 'invalid_parameter'],
  ]) {
    expect([query, (await http('GET', `/board/labels?${query}`)).code]).toEqual([query, code]);
  }
  expect((await http('GET', '/board/labels?petId=9007199254740993')).text).toContain('9007199254740993');
  const { text: token } = await dependencies.tokens.create({ name: 'till', scopes: ['store:read'] });
  expect((await http('GET', `/board/labels?petId=${rex}`, { headers: { authorization: `Bearer ${token}` } })).code).toBe('insufficient_scope');
});
