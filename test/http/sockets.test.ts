import { expect } from 'vitest';
import { testListening, type Answer, type ListeningShop } from '../support/server.js';
import { sendRaw, rawRequest, openRawConnection } from '../support/raw-connection.js';

const mebibyte = 1024 * 1024;
const record = 'Content-Type: application/json';

/** Expects that bytes are refused and the connection is closed; every refusal is an Error record. */
async function refused({ port }: ListeningShop, bytes: string | Buffer, status: number, code: string): Promise<Answer> {
  const line = await openRawConnection(port);
  line.send(bytes);
  const answer = await line.answer();
  expect([bytes.toString('latin1').slice(0, 60), answer.status, answer.code]).toEqual([bytes.toString('latin1').slice(0, 60), status, code]);
  return answer;
}

/** Expects that the server still answers valid requests. */
async function alive({ port }: ListeningShop): Promise<void> {
  expect((await sendRaw(port, rawRequest('GET /livez'))).status).toBe(200);
}

testListening('answers invalid bytes with an Error record and closes the connection', async (served) => {
  const { port } = served;
  const bad = [
    'garbage\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'GET /pets\r\n\r\n',
    'FOO /pets HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'GET /pets HTTP/9.9\r\nHost: localhost\r\n\r\n',
    'GET /pets HTTP/1.1\r\nHost : localhost\r\n\r\n',
    'GET /pets HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n',
    'GET /pets HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n',
    'GET /pe\0ts HTTP/1.1\r\nHost: localhost\r\n\r\n',
    rawRequest('POST /pets', [record, 'Content-Length: x']),
    rawRequest('POST /pets', [record, 'Content-Length: -1']),
    rawRequest('POST /pets', [record, 'Content-Length: 99999999999999999999999']),
    rawRequest('POST /pets', [record, 'Content-Length: 2', 'Content-Length: 3'], '{}'),
    // Two lengths: what one server takes for a body is the next request for another (RFC 9112, 6.3).
    rawRequest('POST /pets', [record, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
    rawRequest('POST /pets', [record, 'Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'),
  ];
  for (const bytes of bad) {
    const line = await openRawConnection(port);
    line.send(Buffer.from(bytes, 'latin1'));
    const { status, code, headers } = await line.answer();
    expect([bytes, status, code, headers['connection']]).toEqual([bytes, 400, 'invalid_request', 'close']);
    await line.closed();
  }
  await alive(served);
});

testListening('answers a transfer coding other than chunked with 501 and closes the connection', async (served) => {
  for (const coding of ['gzip', 'gzip, chunked', 'chunked, gzip', 'chunked, identity', 'identity', 'xchunked', '']) {
    const line = await openRawConnection(served.port);
    line.send(rawRequest('POST /store/orders', [record, `Transfer-Encoding: ${coding}`], '0\r\n\r\n'));
    const { status, code, headers } = await line.answer();
    expect([coding, status, code, headers['connection']]).toEqual([coding, 501, 'not_implemented', 'close']);
    await line.closed();
  }
  expect((await sendRaw(served.port, rawRequest('POST /store/orders', [record, 'Transfer-Encoding: CHUNKED'], '2\r\n{}\r\n0\r\n\r\n'))).status).toBe(201);
});

testListening('a body whose chunks are malformed changes nothing', async (served) => {
  const { port, expectUnchanged } = served;
  const before = (await expectUnchanged(async () => {
    for (const chunks of ['zz\r\n{}\r\n0\r\n\r\n', '2\r\n{}x\r\n0\r\n\r\n', '-2\r\n{}\r\n0\r\n\r\n', 'fffffffffffffffff\r\n{}']) {
      await refused(served, rawRequest('POST /store/orders', [record, 'Transfer-Encoding: chunked'], chunks), 400, 'invalid_request');
    }
    return true;
  })) satisfies boolean;
  expect(before).toBe(true);
  const whole = await sendRaw(
    port,
    rawRequest('POST /store/orders', [record, 'Transfer-Encoding: chunked'], '1;ext=x\r\n{\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n'),
  );
  expect([whole.status, whole.text]).toEqual([201, '{"id":1,"complete":false}']);
});

testListening('refuses a request with several Host headers or none', async (served) => {
  await refused(served, 'GET /pets HTTP/1.1\r\n\r\n', 400, 'invalid_request');
  await refused(served, 'GET /pets HTTP/1.0\r\n\r\n', 400, 'invalid_request');
  await refused(served, rawRequest('GET /pets', ['Host:']), 400, 'invalid_request');
  await refused(served, rawRequest('GET /pets', ['Host: localhost', 'Host: shop.example']), 400, 'invalid_request');
  await refused(served, rawRequest('GET /pets', ['Host: localhost', 'Host: localhost']), 400, 'invalid_request');
  await refused(served, rawRequest('GET /pets', ['Host: shop.example']), 421, 'misdirected_request');
  expect((await sendRaw(served.port, 'GET /pets HTTP/1.0\r\nHost: localhost\r\n\r\n')).status).toBe(200);
});

testListening('refuses a repeated single-value header and names it', async (served) => {
  const { port, expectUnchanged } = served;
  await expectUnchanged(async () => {
    for (const name of [
      'Idempotency-Key',
      'Authorization',
      'Content-Type',
      'Origin',
      'Sec-Fetch-Site',
      'Last-Event-ID',
      'Petstore-Note',
      'Petstore-Dry-Run',
      'Petstore-Actor',
      'Petstore-Import',
    ]) {
      for (const [one, other] of [
        ['a', 'b'],
        ['a', 'a'],
        ['', ''],
      ]) {
        const bytes = rawRequest(
          'POST /categories',
          [`${name}: ${one}`, 'X-Other: y', `${name.toLowerCase()}: ${other}`, 'Content-Length: 15'],
          '{"name":"Birds"}',
        );
        const { text } = await refused(served, bytes, 400, 'invalid_request');
        expect(text).toContain(`The request has more than one ${name.toLowerCase()} header.`);
      }
    }
  });
  // Conditions are lists, which may come in several fields (RFC 9110, 5.3).
  const listed = await sendRaw(
    port,
    rawRequest('GET /categories', ['If-None-Match: "1"', 'If-None-Match: *', 'Accept: text/html', 'Accept: application/json']),
  );
  expect(listed.status).toBe(304);
});

testListening('refuses a request target that is not a path', async (served) => {
  for (const path of ['/pets/%zz', '/pets/%', '/%c3%28', '/pets/%ff', '/pets?limit=%zz', '*', 'ftp://localhost/pets', 'http://localhost/pets/%zz']) {
    await refused(served, rawRequest(`GET ${path}`), 400, 'invalid_request');
  }
  await refused(served, 'CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n\r\n', 405, 'method_not_allowed');
  await refused(served, rawRequest('GET /store/../pets'), 404, 'not_found');
  await refused(served, rawRequest(`GET /pets?q=${'x'.repeat(9000)}`), 414, 'uri_too_long');
  const head = await openRawConnection(served.port);
  head.send(rawRequest('HEAD /pets/%zz'));
  expect([(await head.answer(true)).status]).toEqual([400]);
  await alive(served);
});

testListening('the host of an absolute target replaces the Host header', async (served) => {
  const { port } = served;
  for (const target of ['http://localhost/pets', 'HTTP://localhost:8080/pets', 'https://127.0.0.1/pets?limit=5']) {
    expect([target, (await sendRaw(port, rawRequest(`GET ${target}`, ['Host: shop.example']))).status]).toEqual([target, 200]);
  }
  for (const target of ['http://shop.example/pets', 'http://user@localhost/pets', 'http:///pets']) {
    await refused(
      served,
      rawRequest(`GET ${target}`),
      target === 'http:///pets' ? 400 : 421,
      target === 'http:///pets' ? 'invalid_request' : 'misdirected_request',
    );
  }
  await refused(served, 'GET http://localhost/pets HTTP/1.1\r\n\r\n', 400, 'invalid_request');
  await refused(served, rawRequest('GET http://localhost/nowhere'), 404, 'not_found');
});

testListening('OPTIONS * lists the methods of the whole server', async ({ port }) => {
  const { status, headers } = await sendRaw(port, rawRequest('OPTIONS *'));
  expect([status, headers['allow']?.split(', ').toSorted()]).toEqual([204, ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']]);
});

testListening('refuses a request with Expect: 100-continue by its headers, before the body is sent', async ({ port }) => {
  for (const [start, headers, code] of [
    ['POST /store/orders', [record, 'Content-Length: 99000000'], 'payload_too_large'],
    ['POST /store/orders', ['Content-Type: text/plain', 'Content-Length: 2'], 'unsupported_media_type'],
    ['POST /store/orders', [record, 'Content-Length: 2', 'Authorization: Bearer none'], 'invalid_token'],
    ['POST /store/orders', [record, 'Content-Length: 2', 'Origin: https://shop.example'], 'origin_not_allowed'],
    ['POST /store/imports', ['Content-Type: text/csv', 'Content-Length: 300000000'], 'payload_too_large'],
    ['POST /nowhere', [record, 'Content-Length: 2'], 'not_found'],
  ] as const) {
    const line = await openRawConnection(port);
    line.send(rawRequest(start, [...headers, 'Expect: 100-continue']));
    const answer = await line.answer();
    expect([start, answer.code, answer.headers['connection']]).toEqual([start, code, 'close']);
    await line.closed();
  }
});

testListening('an unknown Expect or Upgrade header is ignored', async (served) => {
  const { port } = served;
  expect((await sendRaw(port, rawRequest('GET /pets', ['Expect: magic']))).status).toBe(200);
  expect((await sendRaw(port, rawRequest('GET /pets', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x']))).status).toBe(200);
  expect((await sendRaw(port, rawRequest('GET /pets', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x']))).status).toBe(200);
  const line = await openRawConnection(port);
  line.send(rawRequest('POST /store/orders', [record, 'Content-Length: 2', 'Expect: 100-continue']));
  await line.until('HTTP/1.1 100 Continue\r\n\r\n');
  line.send('{}');
  expect((await line.answer()).status).toBe(201);
});

testListening('refuses headers of more than 16 KiB', async (served) => {
  const { headers } = await refused(served, rawRequest('GET /pets', [`X-Long: ${'x'.repeat(17 * 1024)}`]), 431, 'headers_too_large');
  expect(headers['connection']).toBe('close');
  const many = Array.from({ length: 1500 }, (_, index) => `X-${index}: ${'y'.repeat(8)}`);
  await refused(served, rawRequest('GET /pets', many), 431, 'headers_too_large');
  expect((await sendRaw(served.port, rawRequest('GET /pets', [`X-Long: ${'x'.repeat(12 * 1024)}`]))).status).toBe(200);
});

testListening('refuses a body that is too large at once, with and without Content-Length', async (served) => {
  const { port } = served;
  const declared = await openRawConnection(port);
  declared.send(rawRequest('POST /pets', [record, 'Content-Length: 99000000'], '{"name":"'));
  const answer = await declared.answer();
  expect([answer.status, answer.code, answer.headers['connection']]).toEqual([413, 'payload_too_large', 'close']);
  await declared.closed();
  const chunked = await openRawConnection(port);
  chunked.send(rawRequest('POST /pets', [record, 'Transfer-Encoding: chunked']));
  chunked.send(`${(2 * mebibyte).toString(16)}\r\n${'x'.repeat(2 * mebibyte)}\r\n`);
  expect((await chunked.answer()).code).toBe('payload_too_large');
  await chunked.closed();
  const whole = JSON.stringify({ name: 'x'.repeat(mebibyte - 11) });
  const large = await sendRaw(port, rawRequest('POST /categories', [record, `Content-Length: ${whole.length}`], whole));
  expect([whole.length, large.code]).toEqual([mebibyte, 'validation_failed']);
  await refused(served, rawRequest('POST /store/imports', ['Content-Type: text/csv', 'Content-Length: 300000000'], 'petId,'), 413, 'payload_too_large');
  await alive(served);
});

testListening('a refused body is not read to its end', async (served) => {
  const { port } = served;
  for (const [start, headers, status] of [
    ['POST /nowhere', [record], 404],
    ['DELETE /pets', [record], 405],
    ['POST /pets', ['Content-Type: text/plain'], 415],
    ['POST /pets?colour=red', [record], 400],
    ['POST /pets', [record, 'Origin: https://shop.example'], 403],
    ['POST /pets', [record, 'Authorization: Bearer x'], 401],
    ['PUT /pets/1/hold', [record], 400],
    ['GET /pets', [record], 400],
    ['GET /livez', [], 400],
  ] as const) {
    const line = await openRawConnection(port);
    line.send(rawRequest(start, [...headers, 'Transfer-Encoding: chunked'], '5\r\nhello\r\n'));
    const answer = await line.answer();
    expect([start, answer.status, answer.headers['connection']]).toEqual([start, status, 'close']);
    await line.closed();
  }
});

testListening('obeys a header after any number of others', async (served) => {
  const { port, pet, expectUnchanged } = served;
  await pet({ quantity: 3 });
  const others = Array.from({ length: 3000 }, () => 'X:');
  await expectUnchanged(async () => {
    await refused(served, rawRequest('DELETE /pets/1', [...others, 'If-Match: "999"']), 412, 'precondition_failed');
    const body = '{"delta":1}';
    const headers = [record, `Content-Length: ${body.length}`, ...others, 'Petstore-Dry-Run: true'];
    expect((await sendRaw(port, rawRequest('POST /store/inventory/1/adjustments', headers, body))).status).toBe(200);
  });
});

testListening('refuses an actor and a note that are not percent-encoded', async (served) => {
  await served.expectUnchanged(async () => {
    for (const header of ['Petstore-Actor: Jörg', 'Petstore-Note: für Jörg']) {
      const bytes = Buffer.from(rawRequest('POST /categories', [record, header, 'Content-Length: 16'], '{"name":"Birds"} '), 'utf8');
      const { status, text } = await sendRaw(served.port, bytes);
      expect([header, status, text.includes('percent-encoded')]).toEqual([header, 400, true]);
    }
  });
});

testListening('an empty Accept header accepts every type', async ({ port }) => {
  for (const accept of ['', ',', ' , ,']) expect([accept, (await sendRaw(port, rawRequest('GET /pets', [`Accept: ${accept}`]))).status]).toEqual([accept, 200]);
  expect((await sendRaw(port, rawRequest('GET /pets', ['Accept: ,text/html']))).status).toBe(406);
});

testListening('compares the coding identity without regard to case', async ({ port }) => {
  const body = '{"name":"Birds"}';
  const headers = [record, 'Content-Encoding: Identity', `Content-Length: ${body.length}`];
  expect((await sendRaw(port, rawRequest('POST /categories', headers, body))).status).toBe(201);
});
