import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { StoreError } from '../../domain/errors.js';
import { expectContinue } from './request-body.js';
import { requestQueue, type Exchange } from './connections.js';
import { connectionRefusal, writeRaw } from './errors.js';
import type { Patience } from './server-options.js';
import { maximumHeaders, type RequestIds } from './request-head.js';

/** Told of a refusal that was written below the routes: to bytes that are no request, or to one request too many. */
export type RawAnswered = (refusal: StoreError, id: string) => void;

/** The HTTP server of Node with the limits of this server; `serve` gets the requests of a connection one at a time. */
export function nodeServer(serve: RequestListener, { headers, keepAlive, write }: Patience, ids: RequestIds, rawAnswered: RawAnswered): Server {
  const refuse = (refusal: StoreError, socket: Socket, refused?: Exchange, isServed = false): void => {
    const id = refused === undefined ? ids.next() : ids.of(refused.request);
    writeRaw(refusal, id, socket);
    if (refused) refused.response.statusCode = refusal.status;
    // One that is served has its line of the log and its count when its response closes.
    if (!isServed || refused === undefined) rawAnswered(refusal, id);
  };
  const queue = requestQueue(serve, (refusal, exchange) => refuse(refusal, exchange.request.socket, exchange));
  const server = createServer(
    {
      headersTimeout: headers,
      keepAliveTimeout: keepAlive,
      // Bodies have limits and deadlines of their own (body.ts).
      requestTimeout: 0,
      connectionsCheckingInterval: 500,
      requireHostHeader: false,
      maxHeaderSize: maximumHeaders,
    },
    queue.add,
  );
  server.setTimeout(write, queue.timeout);
  server.on('checkContinue', (request, response) => {
    expectContinue(request, response);
    queue.add(request, response);
  });
  // Without a listener Node answers 417. Ignores an unknown Expect header (RFC 9110, 10.1.1).
  server.on('checkExpectation', queue.add);
  // CONNECT asks for a tunnel. Node hands over the connection without its own listeners; an 'error' without one ends the process.
  server.on('connect', (_, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('timeout', () => queue.timeout(socket));
    socket.resume();
    queue.end(socket, () => refuse(new StoreError('method_not_allowed', 'This server opens no tunnels.'), socket));
  });
  server.on('clientError', (error: Error & { readonly code?: string; readonly reason?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      // Reads what still comes after a last answer: a connection closed on its sender would be reset, and the answer lost.
      if (!socket.writableEnded) socket.destroy();
      return;
    }
    queue.end(socket, (broken, isServed) => refuse(connectionRefusal(error), socket, broken, isServed));
  });
  return server;
}
