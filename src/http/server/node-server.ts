import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { StoreError } from '../../domain/errors.js';
import { deferContinue } from './request-body.js';
import { requestQueue, type QueuedRequest, type QueueOptions } from './connections.js';
import { connectionRefusal, writeRaw } from './errors.js';
import type { Timeouts } from './server-options.js';
import { maximumHeaderBytes } from './request-head.js';
import type { RequestIds } from './request-ids.js';

/** Called after a refusal was written to the bare connection: for an invalid request, or for one beyond the queue. */
export type OnRawRefusal = (refusal: StoreError, id: string) => void;

/** What a server is given. */
export interface NodeServerOptions extends Pick<QueueOptions, 'serve' | 'isProbe'> {
  readonly timeouts: Timeouts;
  readonly ids: RequestIds;
  readonly onRawRefusal: OnRawRefusal;
}

/** Node's HTTP server with the limits of this server; `serve` gets the requests of a connection one at a time. */
export function nodeServer({ serve, isProbe, timeouts: { headersMs, keepAliveMs, writeMs }, ids, onRawRefusal }: NodeServerOptions): Server {
  const refuse = (refusal: StoreError, socket: Socket, refused?: QueuedRequest, isServed = false): void => {
    const id = refused === undefined ? ids.next() : ids.of(refused.request);
    writeRaw(refusal, id, socket);
    if (refused) refused.response.statusCode = refusal.status;
    // A request that is being served is logged and counted when its response closes.
    if (!isServed || refused === undefined) onRawRefusal(refusal, id);
  };
  const queue = requestQueue({ serve, isProbe, refuse: (refusal, queued) => refuse(refusal, queued.request.socket, queued) });
  const server = createServer(
    {
      headersTimeout: headersMs,
      keepAliveTimeout: keepAliveMs,
      // Bodies have their own limits (request-body.ts).
      requestTimeout: 0,
      connectionsCheckingInterval: 500,
      requireHostHeader: false,
      maxHeaderSize: maximumHeaderBytes,
    },
    queue.add,
  );
  // Without limit, within `maximumHeaderBytes`: Node silently drops all headers after the first 2000, If-Match for example.
  server.maxHeadersCount = 0;
  server.on('connection', queue.open);
  server.setTimeout(writeMs, queue.timeout);
  server.closeIdleConnections = queue.closeIdle;
  server.on('checkContinue', (request, response) => {
    deferContinue(request, response);
    queue.add(request, response);
  });
  // Without a listener Node answers 417. Ignores an unknown Expect header (RFC 9110, 10.1.1).
  server.on('checkExpectation', queue.add);
  // Node hands over the connection of a CONNECT (RFC 9110, 9.3.6) without its listeners; an 'error' without one ends the process.
  server.on('connect', (_, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => queue.timeout(socket));
    socket.resume();
    queue.end(socket, () => refuse(new StoreError('method_not_allowed', 'CONNECT is not supported.'), socket));
  });
  server.on('clientError', (error: Error & { readonly code?: string; readonly reason?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      // After a last answer the rest of the request is still read: closing early resets the connection and loses the answer.
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    queue.end(socket, (broken, isServed) => refuse(connectionRefusal(error), socket, broken, isServed));
  });
  return server;
}
