import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { testListening, type ListeningShop } from '../support/server.js';
import { rawRequest, openRawConnection } from '../support/raw-connection.js';

const record = 'Content-Type: application/json';

function order(quantity: number): string {
  const body = JSON.stringify({ quantity });
  return rawRequest('POST /store/orders', [record, `Content-Length: ${body.length}`, `X-Request-Id: order-${quantity}`], body);
}

/** Waits until the log has this many request entries and returns them. */
async function logged({ log }: Pick<ListeningShop, 'log'>, count: number): Promise<ListeningShop['log']> {
  const found = (): ListeningShop['log'] => log.filter(({ msg }) => msg === 'request');
  await expect.poll(() => found().length).toBeGreaterThanOrEqual(count);
  return found();
}

testListening('invalid bytes after a request are answered after that request', async (served) => {
  const { port } = served;
  const broken: readonly (readonly [bytes: string, status: number, code: string])[] = [
    ['garbage', 400, 'invalid_request'],
    ['garbage\r\n\r\n', 400, 'invalid_request'],
    ['GET /pets HTTP/9.9\r\nHost: localhost\r\n\r\n', 400, 'invalid_request'],
    [rawRequest('POST /store/orders', [record, 'Content-Length: x']), 400, 'invalid_request'],
    [rawRequest('POST /store/orders', [record, 'Transfer-Encoding: chunked'], 'zz\r\n'), 400, 'invalid_request'],
    [rawRequest('GET /pets', [`X-Long: ${'x'.repeat(17 * 1024)}`]), 431, 'headers_too_large'],
  ];
  for (const [index, [bytes, status, code]] of broken.entries()) {
    const line = await openRawConnection(port);
    line.send(`${order(index + 1)}${rawRequest('GET /pets')}${bytes}`);
    const placed = await line.answer();
    expect([bytes, placed.status, placed.headers['x-request-id']]).toEqual([bytes, 201, `order-${index + 1}`]);
    expect((await line.answer()).status).toBe(200);
    const last = await line.answer();
    expect([bytes, last.status, last.code, last.headers['connection']]).toEqual([bytes, status, code, 'close']);
    await line.closed();
    const lines = await logged(served, 3 * (index + 1));
    expect(lines.slice(-3).map((one) => one['status'])).toEqual([201, 200, status]);
    expect(lines.at(-1)).toMatchObject({ id: last.headers['x-request-id'], code });
  }
  const { text } = await fetch(`${served.address}/metrics`).then(async (response) => ({ text: await response.text() }));
  expect(text).toContain('petstore_http_requests_total{method="",route="",status="400"} 5');
});

testListening('refuses CONNECT after the answers to earlier requests', async ({ port }) => {
  const line = await openRawConnection(port);
  line.send(`${order(1)}${rawRequest('GET /pets')}CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`);
  const placed = await line.answer();
  expect([placed.status, placed.headers['x-request-id']]).toEqual([201, 'order-1']);
  expect((await line.answer()).status).toBe(200);
  const last = await line.answer();
  expect([last.status, last.code, last.headers['connection']]).toEqual([405, 'method_not_allowed', 'close']);
  await line.closed();
});

testListening('a client that sends CONNECT and resets the connection does not end the server', async ({ address, port }) => {
  for (let count = 0; count < 20; count += 1) {
    const line = await openRawConnection(port);
    line.send(`CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n${'x'.repeat(100_000)}`);
    await expect.poll(() => line.socket.writableLength).toBe(0);
    line.socket.resetAndDestroy();
  }
  expect((await fetch(`${address}/livez`)).status).toBe(200);
});

testListening('the log and the metrics contain the duration of a request', async (served) => {
  expect((await fetch(`${served.address}/pets`)).status).toBe(200);
  const [line] = await logged(served, 1);
  expect(line?.['ms']).toBeGreaterThan(0);
  const text = await (await fetch(`${served.address}/metrics`)).text();
  const [, seconds] = /^petstore_http_request_duration_seconds_sum\{method="GET",route="\/pets"\} (\S+)$/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThan(0);
});

testListening('an aborted upload and an invalid target are logged', async (served) => {
  const line = await openRawConnection(served.port);
  line.send(rawRequest('POST /store/orders', [record, 'Content-Length: 1000', 'Expect: 100-continue', 'X-Request-Id: broken-off']));
  await line.until('HTTP/1.1 100 Continue\r\n\r\n');
  line.socket.resetAndDestroy();
  expect((await logged(served, 1)).at(-1)).toMatchObject({ id: 'broken-off', method: 'POST', url: '/store/orders' });
  const other = await openRawConnection(served.port);
  other.send(rawRequest('GET /pets/%zz', ['X-Request-Id: no-path']));
  expect((await other.answer()).status).toBe(400);
  expect((await logged(served, 2)).at(-1)).toMatchObject({ id: 'no-path', status: 400, code: 'invalid_request' });
});

testListening('a request after an answer with Connection: close has no effect', async (served) => {
  const line = await openRawConnection(served.port);
  line.send(`${rawRequest('GET /pets', ['Connection: close'])}${order(1)}`);
  expect((await line.answer()).status).toBe(200);
  await line.closed();
  expect(await (await fetch(`${served.address}/store/orders`)).json()).toEqual([]);
});

testListening('many pipelined requests are answered in order', async (served) => {
  const line = await openRawConnection(served.port);
  const count = 300;
  line.send(Array.from({ length: count }, (_, index) => rawRequest('GET /livez', [`X-Request-Id: turn-${index}`])).join(''));
  for (let index = 0; index < count; index += 1) expect((await line.answer()).headers['x-request-id']).toBe(`turn-${index}`);
});

testListening(
  'disconnects a client that does not read its answers, for every kind of request',
  async ({ port, pet, address, log }) => {
    await pet();
    const rows = Array.from({ length: 500 }, (_, index) => `Guppy ${index},1\n`).join('');
    const headers = { 'content-type': 'text/csv' };
    expect((await fetch(`${address}/pets/imports`, { method: 'POST', headers, body: `name,category\n${rows}` })).status).toBe(200);
    const paths = ['/openapi.json', '/pets?limit=500'];
    for (const path of paths) {
      const socket = connect(port, '127.0.0.1').pause();
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      // More than the socket buffers of both ends hold.
      socket.write(rawRequest(`GET ${path}`).repeat(1000));
    }
    const cut = (): readonly unknown[] => log.filter((line) => line['cut'] === true).map(({ url }) => url);
    await expect.poll(() => cut().toSorted(), { timeout: 30_000 }).toEqual(paths);
    expect((await fetch(`${address}/livez`)).status).toBe(200);
  },
  { timeouts: { writeMs: 300 } },
);
