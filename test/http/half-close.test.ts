import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { LogEntry, ServerDependencies } from '../../src/http/server/server-options.js';
import { serve } from '../../src/http/server/server.js';
import { testListening, options, type Answer } from '../support/server.js';
import { sendRaw, rawRequest, openRawConnection, type RawConnection } from '../support/raw-connection.js';

const csv = 'Content-Type: text/csv';
const record = 'Content-Type: application/json';
const file = 'petId,delta\n1,1\n';
const chunked = `${file.length.toString(16)}\r\n${file}\r\n0\r\n\r\n`;

/** Sends bytes, then half-closes the connection: its FIN follows the last byte, and it still reads. */
async function halfClose(port: number, bytes: string): Promise<RawConnection> {
  const line = await openRawConnection(port);
  line.socket.end(bytes);
  return line;
}

/** The final answer, after any number of 102 Processing. */
async function finalAnswer(line: RawConnection): Promise<Answer> {
  const answer = await line.answer();
  return answer.status === 102 ? finalAnswer(line) : answer;
}

/** Starts a server whose searches take `searchMs`. */
async function slowServer(dependencies: ServerDependencies, searchMs: number): Promise<number> {
  const shopOf: ServerDependencies['shopOf'] = (...sender) => {
    const shop = dependencies.shopOf(...sender);
    return { ...shop, call: async (operation, ...rest) => (operation.id === 'listPets' && (await sleep(searchMs)), shop.call(operation, ...rest)) };
  };
  const { address, stop } = await serve({ ...dependencies, shopOf }, options());
  onTestFinished(stop);
  return Number(new URL(address).port);
}

testListening('a client that half-closes its connection after the request is answered', async ({ port, pet }) => {
  await pet({ quantity: 1 });
  for (const [bytes, status] of [
    [rawRequest('GET /pets'), 200],
    [rawRequest('GET /pets/9'), 404],
    ['GET /pets HTTP/1.0\r\nHost: localhost\r\n\r\n', 200],
    [rawRequest('POST /store/orders', [record, 'Content-Length: 11'], '{"petId":1}'), 201],
    [rawRequest('POST /store/imports', [csv, `Content-Length: ${file.length}`], file), 200],
    [rawRequest('POST /store/imports', [csv, 'Transfer-Encoding: chunked'], chunked), 200],
    [rawRequest('POST /store/imports', [csv, 'Content-Length: 6'], 'colour'), 422],
    [rawRequest('POST /store/imports/1/undo'), 200],
  ] as const) {
    const line = await halfClose(port, bytes);
    expect([bytes, (await finalAnswer(line)).status]).toEqual([bytes, status]);
    await line.closed();
  }
});

testListening('pipelined requests before a half-close are all answered', async ({ port, pet }) => {
  await pet({ quantity: 1 });
  const files = Array.from({ length: 30 }, (_, index) => `petId,delta\n1,${10 + index}\n`);
  const line = await halfClose(port, files.map((one) => rawRequest('POST /store/imports', [csv, `Content-Length: ${one.length}`], one)).join(''));
  for (let batch = 1; batch <= files.length; batch += 1) expect((await finalAnswer(line)).json()).toMatchObject({ batch, applied: 1 });
  await line.closed();
});

testListening('refuses a request that is cut short by a half-close, and changes nothing', async ({ port, expectUnchanged }) => {
  await expectUnchanged(async () => {
    const line = await halfClose(port, rawRequest('POST /store/imports', [csv, 'Content-Length: 999'], file));
    expect((await line.answer()).code).toBe('invalid_request');
    await line.closed();
  });
});

testListening('answers a half-closed client of a slow request, with 102 Processing until then', async ({ dependencies }) => {
  const port = await slowServer(dependencies, 1000);
  const line = await halfClose(port, rawRequest('GET /pets'));
  const seen: number[] = [];
  do seen.push((await line.answer()).status);
  while (seen.at(-1) === 102);
  expect(seen.slice(-2)).toEqual([102, 200]);
  // 1xx answers do not exist in HTTP/1.0 (RFC 9110, 15.2).
  const old = await halfClose(port, 'GET /pets HTTP/1.0\r\nHost: localhost\r\n\r\n');
  expect((await old.answer()).status).toBe(200);
});

testListening('detects that a client closes its connection while its request runs', async ({ dependencies, log }) => {
  const port = await slowServer(dependencies, 5000);
  const line = await openRawConnection(port);
  line.send(rawRequest('GET /pets', ['X-Request-Id: closed']));
  await sleep(100);
  line.close();
  const logged = (): LogEntry | undefined => log.find(({ id }) => id === 'closed');
  for (let waited = 0; logged() === undefined && waited < 2500; waited += 50) await sleep(50);
  expect(logged()).toMatchObject({ status: 499 });
});

testListening('an event stream continues after a half-close and ends soon after its client closes', async ({ port, dependencies, category }) => {
  const line = await halfClose(port, rawRequest('GET /store/events'));
  await line.until('retry: 1000\n\n');
  await category('Cats');
  await line.until('event: category.created');
  line.close();
  const { text } = await dependencies.tokens.create({ name: 'admin', scopes: ['admin'] });
  const open = async (): Promise<string | undefined> =>
    /^petstore_event_streams (\d+)$/m.exec((await sendRaw(port, rawRequest('GET /metrics', [`Authorization: Bearer ${text}`]))).text)?.[1];
  for (let waited = 0; (await open()) !== '0' && waited < 5000; waited += 100) await sleep(100);
  expect(await open()).toBe('0');
});
