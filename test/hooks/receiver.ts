import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver was sent. */
export interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The port of the sender. */
  readonly from: number | undefined;
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** The connections that are open. */
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

/** Starts a receiver that answers as it is told; 204 by default. */
export async function receiver(answer: (response: ServerResponse) => void = (response) => void response.writeHead(204).end()): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => void (body += chunk.toString()));
    request.on('end', () => {
      received.push({ path: request.url, headers: request.headers, body, from: request.socket.remotePort });
      answer(response);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('close', () => (connections -= 1));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, connections: () => connections, stop };
}
