import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readTurns } from '../../src/http/server/read-turns.js';
import { rawRequest } from '../support/raw-connection.js';

const bytesOfRead = 64 * 1024;
const chunk = '1\r\n \r\n';
const chunkedHead = rawRequest('POST /', ['Transfer-Encoding: chunked']);

interface Observed {
  readonly port: number;
  readonly sockets: Set<Socket>;
  /** The bodies of the requests in the order of their heads, in the parts in which they were read. */
  readonly bodies: Buffer[][];
}

/** A server that reads every body and answers at its end. */
async function readingServer(): Promise<Observed> {
  const turns = readTurns((socket) => void socket.resume());
  const sockets = new Set<Socket>();
  const bodies: Buffer[][] = [];
  const server = createServer((request: IncomingMessage, response) => {
    turns.begin(request);
    const parts: Buffer[] = [];
    bodies.push(parts);
    request.on('error', () => undefined).on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => response.end());
  });
  server.on('connection', (socket: Socket) => {
    turns.open(socket);
    sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets, bodies };
}

async function connected(port: number, localAddress?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress !== undefined && { localAddress }) });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket.on('error', () => undefined).resume();
}

/** The bytes that a server reads in each turn of the event loop, until a condition holds. */
async function readEachTurn({ sockets }: Observed, isDone: () => boolean): Promise<readonly number[]> {
  const read: number[] = [];
  let before = 0;
  while (!isDone()) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    read.push(now - before);
    before = now;
  }
  return read;
}

test('a body of many chunks is handed over whole, in few parts', async () => {
  const observed = await readingServer();
  const socket = await connected(observed.port);
  socket.write(`${chunkedHead}${chunk.repeat(50_000)}2\r\nab\r\n0\r\n\r\n`);
  await once(socket, 'data');
  const [parts = []] = observed.bodies;
  expect(Buffer.concat(parts).toString()).toBe(`${' '.repeat(50_000)}ab`);
  expect(parts.length).toBeLessThan(50);
});

test('of many connections that send a chunk for each byte, few are read in a turn, and another client is answered meanwhile', async () => {
  const observed = await readingServer();
  const sockets = await Promise.all(Array.from({ length: 20 }, () => connected(observed.port)));
  const other = await connected(observed.port, process.platform === 'linux' ? '127.0.0.2' : undefined);
  let isAnswered = false;
  other.once('data', () => (isAnswered = true));
  for (const socket of sockets) socket.write(`${chunkedHead}${chunk.repeat(200_000)}`);
  await readEachTurn(observed, () => observed.bodies.length > 0);
  other.write(rawRequest('GET /'));
  const read = await readEachTurn(observed, () => isAnswered);
  // One body that was handed over, two connections, and one that is new.
  expect(Math.max(...read.slice(1))).toBeLessThanOrEqual(4 * bytesOfRead);
  expect(read.reduce((sum, bytes) => sum + bytes)).toBeLessThan(20 * bytesOfRead);
});

test('connections of the same address are read and answered while a body arrives in many chunks', async () => {
  const observed = await readingServer();
  const [idle, sender] = [await connected(observed.port), await connected(observed.port)];
  const more = (): void => void (sender.destroyed || sender.write(chunk.repeat(10_000), more));
  sender.write(chunkedHead, more);
  await readEachTurn(observed, () => observed.bodies.length > 0);
  const late = await connected(observed.port);
  for (const socket of [idle, late]) {
    socket.write(rawRequest('GET /'));
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
  }
});
