import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StoreError } from '../../domain/errors.js';

// One takes about 3 KB, so all waiting requests of a server together stay below 30 MB.
const maximumWaiting = 10_000;
// So many waiting requests stop the reading of their connection.
const pauseReadingAt = 16;
// How long the client of a connection that ends may go on sending before the connection is cut, in ms.
const lingerMs = 1000;

/** A request and the answer that is owed to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  current: Exchange | undefined;
  readonly waiting: Exchange[];
  /** Writes the last answer of the connection, once everything before it is answered. */
  writeLast: (() => void) | undefined;
}

/** The requests of every connection, each served when those before it on its connection are answered. */
export interface RequestQueue {
  /** Serves a request when its turn comes. */
  readonly add: RequestListener;
  /**
   * Ends a connection whose next bytes are no request. Answers that are owed come first; then `writeLast` answers the
   * request whose body broke, which may be served already, or the bytes that were none.
   */
  readonly end: (socket: Socket, writeLast: (broken: Exchange | undefined, isServed: boolean) => void) => void;
  /** Destroys a connection that is idle, or whose client reads nothing; for the `timeout` event of a server. */
  readonly timeout: (socket: Socket) => void;
}

/** What all connections of a server share. */
interface Shared {
  readonly serve: RequestListener;
  waitingCount: number;
}

function drop(shared: Shared, { waiting }: Connection): void {
  shared.waitingCount -= waiting.length;
  waiting.length = 0;
}

function writeLast(socket: Socket, connection: Connection): void {
  if (!socket.writable) return;
  connection.writeLast?.();
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cut));
}

/** Stops the reading of a connection that has enough to do. Node resumes it after each answer, but before any setImmediate. */
function pauseReading(socket: Socket, connection: Connection): void {
  const isNeeded = (): boolean => connection.writeLast !== undefined || connection.waiting.length >= pauseReadingAt;
  if (isNeeded()) setImmediate(() => isNeeded() && socket.pause());
}

function begin(shared: Shared, socket: Socket, connection: Connection, exchange: Exchange): void {
  connection.current = exchange;
  exchange.response.once('close', () => next(shared, socket, connection));
  shared.serve(exchange.request, exchange.response);
}

function next(shared: Shared, socket: Socket, connection: Connection): void {
  connection.current = undefined;
  // After an answer that closes the connection no request of it may take effect (RFC 9112, 9.6).
  if (!socket.writable) return drop(shared, connection);
  const exchange = connection.waiting.shift();
  if (exchange === undefined) {
    if (connection.writeLast) writeLast(socket, connection);
    return;
  }
  shared.waitingCount -= 1;
  begin(shared, socket, connection, exchange);
  if (connection.writeLast === undefined && connection.waiting.length < pauseReadingAt) socket.resume();
  else pauseReading(socket, connection);
}

/** Takes a request whose body broke off the queue; undefined where the newest request is whole. */
function takeBroken(shared: Shared, { current, waiting }: Connection): Exchange | undefined {
  const newest = waiting.at(-1) ?? current;
  if (newest === undefined || newest.request.complete) return undefined;
  if (newest !== current) {
    waiting.pop();
    shared.waitingCount -= 1;
  }
  return newest;
}

/**
 * Serves the requests of each connection one at a time. Node emits all requests that it finds in 64 KB at once; served
 * together, thousands of answers would be held in memory until their client reads. `refuse` answers a request for which
 * there is no room, as the last of its connection.
 */
export function requestQueue(serve: RequestListener, refuse: (refusal: StoreError, exchange: Exchange) => void): RequestQueue {
  const connections = new WeakMap<Socket, Connection>();
  const shared: Shared = { serve, waitingCount: 0 };
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known) return known;
    const connection: Connection = { current: undefined, waiting: [], writeLast: undefined };
    connections.set(socket, connection);
    socket.once('close', () => drop(shared, connection));
    return connection;
  };
  return {
    add: (request, response) => {
      const { socket } = request;
      const connection = connectionOf(socket);
      const exchange = { request, response };
      if (connection.current === undefined && connection.writeLast === undefined) return begin(shared, socket, connection, exchange);
      if (connection.writeLast === undefined && shared.waitingCount < maximumWaiting) {
        connection.waiting.push(exchange);
        shared.waitingCount += 1;
      } else {
        const refusal = new StoreError('overloaded', `${maximumWaiting} pipelined requests are waiting on this server; read answers before sending more.`);
        connection.writeLast ??= () => refuse(refusal, exchange);
      }
      pauseReading(socket, connection);
    },
    end: (socket, write) => {
      const connection = connectionOf(socket);
      if (connection.writeLast !== undefined) return;
      const { current } = connection;
      const broken = takeBroken(shared, connection);
      if (broken?.response.headersSent === true) {
        // The rest of the body will never come. A refusal is on its way already; anything else cannot be completed.
        if (!broken.response.writableEnded) socket.destroy();
        return;
      }
      connection.writeLast = () => write(broken, broken === current);
      if (current === undefined || current === broken) writeLast(socket, connection);
    },
    timeout: (socket) => {
      const connection = connections.get(socket);
      // One that has asked nothing yet is left to the timeout for headers.
      if (connection === undefined) return;
      if (connection.current === undefined || socket.writableLength > 0) socket.destroy();
    },
  };
}
