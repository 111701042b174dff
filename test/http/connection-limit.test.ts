import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { requestQueue } from '../../src/http/server/connections.js';
import { writeRaw } from '../../src/http/server/errors.js';
import { openRawConnection, rawRequest, type RawConnection } from '../support/raw-connection.js';

interface SmallServer {
  readonly connect: () => Promise<RawConnection>;
  /** Answers the first request for /later. */
  readonly answer: () => void;
  /** The number of requests for /later that are not answered. */
  readonly servedCount: () => number;
}

/** A server with at most three connections, unless told otherwise. It answers /later when `answer` is called, anything else at once; `onRead` sees the path of the first request of each idle connection, `onServe` each request. */
async function smallServer({ maximum = 3, onRead = (_path: string): void => undefined, onServe = (): void => undefined } = {}): Promise<SmallServer> {
  const later: ServerResponse[] = [];
  const queue = requestQueue({
    serve: ({ url }, response) => {
      onServe();
      if (url === '/later') later.push(response);
      else response.end('now');
    },
    refuse: (refusal, { request }) => writeRaw(refusal, 'refused', request.socket),
    isProbe: ({ url = '' }) => {
      onRead(url);
      return url === '/probe';
    },
    maximum,
  });
  const server = createServer(queue.add);
  server.on('connection', queue.open);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    connect: () => openRawConnection(port),
    answer: () => later.shift()?.end('later'),
    servedCount: () => later.length,
  };
}

const ask = async (connection: RawConnection, path: string): Promise<string> => {
  connection.send(rawRequest(`GET ${path}`));
  return (await connection.answer()).text;
};

test('a connection beyond the limit closes the one that has been without a request for the longest time', async () => {
  const { connect } = await smallServer();
  const [first, second, third] = [await connect(), await connect(), await connect()];
  expect(await ask(first, '/now')).toBe('now');
  const fourth = await connect();
  await second.closed();
  for (const open of [first, third, fourth]) expect(await ask(open, '/now')).toBe('now');
});

test('a connection that is being served is not closed; beyond the limit a new one is', async () => {
  const { connect, answer, servedCount } = await smallServer();
  const busy = [await connect(), await connect(), await connect()];
  const answers = busy.map((one) => ask(one, '/later'));
  await expect.poll(servedCount).toBe(3);
  const refused = await connect();
  await refused.closed();
  for (const _ of busy) answer();
  expect(await Promise.all(answers)).toEqual(['later', 'later', 'later']);
  await connect();
  await busy[0]?.closed();
});

test('the event loop goes on while the pipelined requests of a connection are served', async () => {
  let served = 0;
  let servedInFirstTurn = 0;
  const { connect } = await smallServer({
    onServe: () => {
      served += 1;
      if (served === 1) setImmediate(() => (servedInFirstTurn = served));
    },
  });
  const line = await connect();
  line.send(rawRequest('GET /now').repeat(200));
  await expect.poll(() => served).toBe(200);
  expect(servedInFirstTurn).toBe(1);
});

test('of one address 2500 requests wait; its other connections are served meanwhile', async () => {
  const { connect, answer, servedCount } = await smallServer({ maximum: 10 });
  const [waiting, exceeding, idle] = [await connect(), await connect(), await connect()];
  waiting.send(rawRequest('GET /later') + rawRequest('GET /now').repeat(1400));
  await expect.poll(servedCount).toBe(1);
  exceeding.send(rawRequest('GET /later') + rawRequest('GET /now').repeat(1400));
  await expect.poll(servedCount).toBe(2);
  for (const other of [idle, await connect()]) expect([await ask(other, '/probe'), await ask(other, '/now')]).toEqual(['now', 'now']);
  answer();
  answer();
  expect((await waiting.answer()).text).toBe('later');
  for (let count = 0; count < 1400; count += 1) expect((await waiting.answer()).text).toBe('now');
  expect((await exceeding.answer()).text).toBe('later');
  let last = await exceeding.answer();
  for (; last.text === 'now'; last = await exceeding.answer());
  expect([last.status, last.code]).toEqual([503, 'overloaded']);
  await exceeding.closed();
});

test('after 2500 requests in one turn of the event loop each other connection is read in a later turn', async () => {
  let readInTurn = 0;
  let mostReadInTurn = 0;
  const { connect } = await smallServer({
    maximum: 10,
    onRead: () => {
      if (readInTurn === 0) setImmediate(() => (readInTurn = 0));
      readInTurn += 1;
      mostReadInTurn = Math.max(mostReadInTurn, readInTurn);
    },
  });
  const lines = await Promise.all(Array.from({ length: 8 }, () => connect()));
  for (const line of lines) expect(await ask(line, '/now')).toBe('now');
  for (const line of lines) line.send(rawRequest('GET /now').repeat(625));
  for (const line of lines) expect((await line.answer()).text).toBe('now');
  expect(mostReadInTurn).toBeLessThanOrEqual(5);
});

test('a connection that waits to be read is not read before its turn when its request is answered', async () => {
  const read: string[] = [];
  const { connect, answer, servedCount } = await smallServer({
    maximum: 20,
    onRead: (path) => {
      read.push(path);
      // The fourth one brings the turn to 2500 requests.
      if (read.filter((one) => one === '/many').length === 4) setImmediate(answer);
    },
  });
  const [many, others] = [[], []] as [RawConnection[], RawConnection[]];
  for (let count = 0; count < 4; count += 1) many.push(await connect());
  for (let count = 0; count < 12; count += 1) others.push(await connect());
  const last = await connect();
  last.send(rawRequest('GET /later') + rawRequest('GET /now'));
  await expect.poll(servedCount).toBe(1);
  for (const line of many) line.send(rawRequest('GET /many').repeat(625));
  for (const line of others) line.send(rawRequest('GET /other'));
  last.send(rawRequest('GET /last'));
  for (const expected of ['later', 'now', 'now']) expect((await last.answer()).text).toBe(expected);
  expect(read.at(-1)).toBe('/last');
  expect(read.filter((path) => path === '/other').length).toBe(12);
});

test('of requests after the last answer of their connections 2500 are kept; beyond them a connection is closed at once', async () => {
  const { connect, answer, servedCount } = await smallServer({ maximum: 10 });
  const flood = rawRequest('GET /later') + rawRequest('GET /now').repeat(1200);
  // Two fill the queue of the address. The next two are refused a request, and those after it are kept.
  const kept = [];
  for (let count = 1; count <= 4; count += 1) {
    const line = await connect();
    line.send(flood);
    await expect.poll(servedCount).toBe(count);
    kept.push(line);
  }
  const beyond = await connect();
  beyond.send(flood);
  await beyond.closed();
  for (const line of kept) {
    answer();
    expect((await line.answer()).text).toBe('later');
  }
});
