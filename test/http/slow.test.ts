import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { getInventoryItem } from '../../src/domain/inventory/get-inventory-item.js';
import { testListening } from '../support/server.js';
import { expectAlive, sendRaw, rawRequest, openRawConnection } from '../support/raw-connection.js';

const record = 'Content-Type: application/json';
const csv = 'Content-Type: text/csv';
const shortTimeouts = { timeouts: { headersMs: 400, bodyMs: 400, keepAliveMs: 400 } };

/** Sends the same bytes repeatedly until the connection ends. */
function sendRepeatedly(line: Awaited<ReturnType<typeof openRawConnection>>, text: string): void {
  const timer = setInterval(() => line.send(text), 50);
  line.socket.on('close', () => clearInterval(timer));
}

testListening(
  'closes a connection whose headers do not arrive in time',
  async (served) => {
    const beginnings = [
      ['GET /pets HTTP/1.1\r\nHost: localhost\r\n', 'X-Slow: 1\r\n'],
      ['GET /pe', 't'],
      ['', ''],
    ] as const;
    const wait = async ([bytes, more]: (typeof beginnings)[number]): Promise<void> => {
      const line = await openRawConnection(served.port);
      if (bytes !== '') line.send(bytes);
      if (more !== '') sendRepeatedly(line, more);
      const { status, code, headers } = await line.answer();
      expect([bytes, status, code, headers['connection']]).toEqual([bytes, 408, 'request_timeout', 'close']);
      await line.closed();
    };
    await Promise.all(beginnings.map(wait));
    await expectAlive(served);
  },
  shortTimeouts,
);

testListening(
  'closes a connection whose body does not arrive in time, also when single bytes arrive',
  async (served) => {
    for (const headers of [
      [record, 'Content-Length: 1000'],
      [record, 'Transfer-Encoding: chunked'],
    ]) {
      const line = await openRawConnection(served.port);
      line.send(rawRequest('POST /store/orders', headers));
      sendRepeatedly(line, headers[1] === 'Content-Length: 1000' ? ' ' : '1\r\n \r\n');
      const { status, code, headers: answered } = await line.answer();
      expect([status, code, answered['connection']]).toEqual([408, 'request_timeout', 'close']);
      await line.closed();
    }
    await expectAlive(served);
  },
  shortTimeouts,
);

testListening(
  'closes an idle connection',
  async ({ port }) => {
    const line = await openRawConnection(port);
    line.send(rawRequest('GET /livez'));
    expect((await line.answer()).headers['connection']).toBe('keep-alive');
    await line.closed();
  },
  shortTimeouts,
);

testListening(
  'forty slow clients do not delay another client',
  async (served) => {
    const { port } = served;
    for (let index = 0; index < 40; index += 1) {
      const line = await openRawConnection(port);
      line.send(index % 2 === 0 ? 'GET /pets HTTP/1.1\r\nHost: local' : rawRequest('POST /store/orders', [record, 'Content-Length: 1000'], '{'));
    }
    for (let index = 0; index < 5; index += 1) await expectAlive(served);
    expect((await sendRaw(port, rawRequest('POST /store/orders', [record, 'Content-Length: 2'], '{}'))).status).toBe(201);
  },
  { timeouts: { stopMs: 200 } },
);

testListening(
  'a server stops although idle connections are open',
  async ({ port, stop }) => {
    const silent = [await openRawConnection(port), await openRawConnection(port)];
    const idle = await openRawConnection(port);
    idle.send(rawRequest('GET /livez'));
    expect((await idle.answer()).status).toBe(200);
    await stop();
    for (const line of [...silent, idle]) await line.closed();
  },
  { timeouts: { headersMs: 250_000, keepAliveMs: 250_000, stopMs: 250_000 } },
);

testListening(
  'an import may take longer than other bodies, but is refused and not applied when it pauses too long',
  async (served) => {
    const { port, pet, expectUnchanged } = served;
    await pet({ quantity: 3 });
    const slow = await openRawConnection(port);
    slow.send(rawRequest('POST /store/imports', [csv, 'Transfer-Encoding: chunked'], '10\r\npetId,quantity\n1\r\n'));
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 600));
      slow.send('1\r\n,\r\n'.replace(',', [',', '9', ' ', '\n'][turn] ?? ''));
    }
    slow.send('0\r\n\r\n');
    expect((await slow.answer()).json()).toMatchObject({ applied: 1 });
    await expectUnchanged(async () => {
      const pausing = await openRawConnection(port);
      pausing.send(rawRequest('POST /store/imports', [csv, 'Transfer-Encoding: chunked'], '12\r\npetId,quantity\n1,4\r\n'));
      const { status, code, headers } = await pausing.answer();
      expect([status, code, headers['connection']]).toEqual([408, 'request_timeout', 'close']);
      await pausing.closed();
    });
    await expectAlive(served);
  },
  // A loaded machine may send a byte a second late.
  { timeouts: { bodyMs: 2000 } },
);

testListening('answers an import that its first rows refuse before all of it is sent', async (served) => {
  const { port, pet } = served;
  await pet();
  for (const [bytes, code] of [
    ['petId,colour\n1,2\n', 'unknown_column'],
    ['petId,quantity\n"1,2\n\0', 'malformed_csv'],
    ['\u{ff}\u{fe}\n', 'not_utf8'],
  ] as const) {
    const line = await openRawConnection(port);
    const chunk = Buffer.from(bytes, 'latin1');
    const rest = Buffer.alloc(128 * 1024, '1,2\n');
    line.send(rawRequest('POST /store/imports', [csv, 'Transfer-Encoding: chunked']));
    line.send(Buffer.concat([Buffer.from(`${(chunk.length + rest.length).toString(16)}\r\n`), chunk, rest, Buffer.from('\r\n')]));
    const answer = await line.answer();
    expect([bytes, answer.status, answer.code, answer.headers['connection']]).toEqual([bytes, 422, code, 'close']);
    await line.closed();
  }
  await expectAlive(served);
});

/** What a client receives that continues to send after an answer, and how its connection ends. */
async function continueSending(
  port: number,
  head: string,
  more: (socket: Socket) => void,
): Promise<{ readonly heard: string; readonly faults: readonly string[] }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const faults: string[] = [];
  let heard = '';
  socket.on('data', (bytes) => void (heard += bytes.toString()));
  socket.on('error', (error: Error & { readonly code?: string }) => void faults.push(error.code ?? error.message));
  socket.write(head);
  more(socket);
  await new Promise((resolve) => socket.on('close', resolve));
  return { heard, faults };
}

testListening('a client that is refused while it sends receives the answer without a connection reset', async (served) => {
  const rest = Buffer.alloc(4 * 1024 * 1024, ' ');
  for (const [headers, code] of [
    [['Origin: https://elsewhere.example'], 'origin_not_allowed'],
    [['Authorization: Bearer none'], 'invalid_token'],
    [[], 'payload_too_large'],
  ] as const) {
    const head = rawRequest('POST /categories', [record, ...headers, `Content-Length: ${rest.length}`]);
    const { heard, faults } = await served.expectUnchanged(() => continueSending(served.port, head, (socket) => void socket.end(rest)));
    expect([code, faults, heard]).toEqual([code, [], expect.stringContaining(`"code":"${code}"`)]);
  }
  await expectAlive(served);
});

testListening('disconnects a refused client that does not stop sending', async (served) => {
  const began = performance.now();
  const { heard } = await continueSending(served.port, rawRequest('POST /categories', [record, `Content-Length: ${2 ** 40}`]), (socket) => {
    const timer = setInterval(() => socket.write(Buffer.alloc(1024, ' ')), 20);
    socket.on('close', () => clearInterval(timer));
  });
  expect(heard).toContain('"code":"payload_too_large"');
  expect(performance.now() - began).toBeLessThan(30_000);
  await expectAlive(served);
});

testListening('a client that disconnects during a request changes nothing, and the server continues', async (served) => {
  const { port, pet, expectUnchanged, call } = served;
  await pet({ quantity: 3 });
  const rows = '1,9\n'.repeat(1000);
  await expectUnchanged(async () => {
    for (const [url, headers, bytes] of [
      ['/store/imports', [csv, 'Transfer-Encoding: chunked'], `${(12 + rows.length).toString(16)}\r\npetId,delta\n${rows}\r\n`],
      ['/store/imports', [csv, 'Content-Length: 99999'], `petId,delta\n${rows}`],
      ['/pets/imports', [csv, 'Content-Length: 99999'], `name,category\n${'Rex,1\n'.repeat(1000)}`],
      ['/store/orders', [record, 'Content-Length: 99999'], '{"petId":1'],
      ['/store/orders', [record, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n'],
    ] as const) {
      const line = await openRawConnection(port);
      line.send(rawRequest(`POST ${url}`, [...headers, 'Expect: 100-continue'], bytes));
      // Says that the server has begun.
      await line.until('100 Continue');
      line.socket.resetAndDestroy();
    }
    await expectAlive(served);
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  // An aborted import does not use up its key: the same file, sent completely, is applied.
  const whole = `petId,delta\n${'1,1\n'.repeat(1000)}`;
  expect((await sendRaw(port, rawRequest('POST /store/imports', [csv, `Content-Length: ${whole.length}`], whole))).json()).toMatchObject({ applied: 1000 });
  expect((await call(getInventoryItem, { petId: 1 })).quantity).toBe(1003);
});

testListening(
  'refuses an import whose average rate is too low or that takes too long',
  async (served) => {
    const { port, expectUnchanged } = served;
    await expectUnchanged(async () => {
      const trickling = await openRawConnection(port);
      trickling.send(rawRequest('POST /store/imports', [csv, 'Transfer-Encoding: chunked'], '10\r\npetId,quantity\n1\r\n'));
      sendRepeatedly(trickling, '1\r\n1\r\n');
      const { status, code, text } = await trickling.answer();
      expect([status, code, text.includes('less than 16 KiB/s')]).toEqual([408, 'request_timeout', true]);
      await trickling.closed();
    });
    await expectAlive(served);
  },
  { timeouts: { bodyMs: 2000, slowUploadMs: 400 } },
);

testListening(
  'refuses the next import of a client with too many open imports before its body is read, and no other client',
  async (served) => {
    const { port, dependencies } = served;
    await served.pet({ quantity: 1 });
    const open = [];
    // A quarter of the 200 of all clients.
    for (let index = 0; index < 50; index += 1) {
      const line = await openRawConnection(port);
      line.send(rawRequest('POST /store/imports', [csv, 'Transfer-Encoding: chunked'], '10\r\npetId,quantity\n1\r\n'));
      open.push(line);
    }
    await expectAlive(served);
    const late = await openRawConnection(port);
    late.send(rawRequest('POST /store/imports', [csv, 'Content-Length: 100000']));
    const { status, code, headers } = await late.answer();
    expect([status, code, headers['retry-after']]).toEqual([503, 'overloaded', '1']);
    const { text } = await dependencies.tokens.create({ name: 'till', scopes: ['store:write'] });
    const file = 'petId,quantity\n1,5\n';
    const sent = [csv, `Authorization: Bearer ${text}`, `Content-Length: ${file.length}`];
    expect((await sendRaw(port, rawRequest('POST /store/imports', sent, file))).status).toBe(200);
  },
  { timeouts: { stopMs: 200 } },
);

testListening('reads a JSON body of a chunk for each byte', async ({ port }) => {
  const chunks = [...`${' '.repeat(50_000)}{"name":"Fish"}`].map((byte) => `1\r\n${byte}\r\n`).join('');
  const answer = await sendRaw(port, rawRequest('POST /categories', [record, 'Transfer-Encoding: chunked'], `${chunks}0\r\n\r\n`));
  expect([answer.status, answer.json()]).toEqual([201, { id: 1, name: 'Fish' }]);
});
