import fastify from 'fastify';
import { connect, type AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { streamedAnswer, type StreamedAnswer } from '../../src/http/server/streamed-answer.js';
import { rawRequest } from '../support/raw-connection.js';

test('writes nothing more while a client does not read, so that its connection times out', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  const opened = new Promise<{ readonly answer: StreamedAnswer; readonly response: ServerResponse }>((resolve) => {
    app.get('/', (_, reply) => resolve({ answer: streamedAnswer(reply, {}), response: reply.raw }));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
  onTestFinished(() => void client.destroy());
  client.write(rawRequest('GET /'));
  const { answer, response } = await opened;
  // More than the socket buffers of both ends hold.
  const writes = [answer.write('x'.repeat(20_000_000))];
  const { bytesWritten = 0 } = response.socket ?? {};
  writes.push(answer.write('more'));
  expect(response.socket?.bytesWritten).toBe(bytesWritten);
  client.resume();
  await Promise.all(writes);
  expect(response.socket?.bytesWritten).toBeGreaterThan(bytesWritten);
  answer.end();
});
