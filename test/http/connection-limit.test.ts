import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { requestQueue } from '../../src/http/server/connections.js';
import { openRawConnection, rawRequest, type RawConnection } from '../support/raw-connection.js';

/** A server with at most three connections. It answers /now at once, and /later when `answer` is called. */
async function smallServer(): Promise<{ readonly connect: () => Promise<RawConnection>; readonly answer: () => void; readonly servedCount: () => number }> {
  const later: ServerResponse[] = [];
  const queue = requestQueue(
    ({ url }, response) => {
      if (url === '/later') later.push(response);
      else response.end('now');
    },
    () => undefined,
    3,
  );
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
