import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StoreError } from '../../domain/errors.js';
import { probeHalfClosed } from './half-close.js';
import { destroyAfterLinger } from './linger.js';

// A waiting request takes about 3 KB: at most 30 MB for all of a server.
const maximumWaiting = 10_000;
// With this many waiting requests a connection is no longer read.
const pauseReadingAt = 16;

/** A server holds at most this many connections. Each takes a file descriptor, and about 4 KB while it has no request. */
export const maximumConnections = 4000;

/** A request and its response. */
export interface QueuedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  current: QueuedRequest | undefined;
  readonly waiting: QueuedRequest[];
  /** Writes the last answer of the connection, after all answers before it. */
  writeLast: (() => void) | undefined;
}

/** Serves the requests of each connection in order, one at a time. */
export interface RequestQueue {
  /**
   * Counts a new connection. Beyond the limit, the connection that has been without a request for the longest time is closed;
   * the new one, if all others are being served.
   */
  readonly open: (socket: Socket) => void;
  /** Serves a request when its turn comes. */
  readonly add: RequestListener;
  /**
   * Closes a connection after an invalid request. Answers to earlier requests come first; then `writeLast` answers the
   * request whose body is broken, which may already be served, or the bytes that are not a request (`undefined`).
   */
  readonly end: (socket: Socket, writeLast: (broken: QueuedRequest | undefined, isServed: boolean) => void) => void;
  /** Destroys an idle connection, and one whose client reads nothing; for the `timeout` event of a server. */
  readonly timeout: (socket: Socket) => void;
}

/** The state that all connections of a server share. */
interface Shared {
  readonly serve: RequestListener;
  readonly open: Set<Socket>;
  /** The open connections that are not being served, in the order in which they became idle. */
  readonly idle: Set<Socket>;
  waitingCount: number;
}

function drop(shared: Shared, { waiting }: Connection): void {
  shared.waitingCount -= waiting.length;
  waiting.length = 0;
}

function writeLast(socket: Socket, connection: Connection): void {
  if (!socket.writable) return;
  connection.writeLast?.();
  destroyAfterLinger(socket);
}

/** Pauses reading a connection with many waiting requests; in setImmediate, because Node resumes it after each answer. */
function pauseReading(socket: Socket, connection: Connection): void {
  const mustPause = (): boolean => connection.writeLast !== undefined || connection.waiting.length >= pauseReadingAt;
  if (mustPause()) setImmediate(() => mustPause() && socket.pause());
}

function openConnection({ open, idle }: Shared, maximum: number, socket: Socket): void {
  const forget = (one: Socket): void => {
    open.delete(one);
    idle.delete(one);
  };
  open.add(socket);
  idle.add(socket);
  socket.once('close', () => forget(socket));
  if (open.size <= maximum) return;
  const [longest = socket] = idle;
  forget(longest);
  longest.destroy();
}

function begin(shared: Shared, socket: Socket, connection: Connection, queued: QueuedRequest): void {
  connection.current = queued;
  shared.idle.delete(socket);
  queued.response.once('close', () => next(shared, socket, connection));
  shared.serve(queued.request, queued.response);
}

function next(shared: Shared, socket: Socket, connection: Connection): void {
  connection.current = undefined;
  // Requests after an answer with `Connection: close` must not be processed (RFC 9112, 9.6).
  if (!socket.writable) return drop(shared, connection);
  const queued = connection.waiting.shift();
  if (queued === undefined) {
    if (shared.open.has(socket)) shared.idle.add(socket);
    if (connection.writeLast) writeLast(socket, connection);
    return;
  }
  shared.waitingCount -= 1;
  begin(shared, socket, connection, queued);
  if (connection.writeLast === undefined && connection.waiting.length < pauseReadingAt) socket.resume();
  else pauseReading(socket, connection);
}

/** Removes the newest request from the queue if its body is incomplete; undefined otherwise. */
function takeBroken(shared: Shared, { current, waiting }: Connection): QueuedRequest | undefined {
  const newest = waiting.at(-1) ?? current;
  if (newest === undefined || newest.request.complete) return undefined;
  if (newest !== current) {
    waiting.pop();
    shared.waitingCount -= 1;
  }
  return newest;
}

/**
 * Serves the requests of each connection one at a time. Node emits all requests it finds in 64 KB at once; served
 * together, thousands of answers would stay in memory until the client reads. `refuse` answers a request beyond the limit
 * with `overloaded`, as the last of its connection.
 */
export function requestQueue(serve: RequestListener, refuse: (refusal: StoreError, queued: QueuedRequest) => void, maximum = maximumConnections): RequestQueue {
  const connections = new WeakMap<Socket, Connection>();
  const shared: Shared = { serve, open: new Set(), idle: new Set(), waitingCount: 0 };
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket);
    if (known) return known;
    const connection: Connection = { current: undefined, waiting: [], writeLast: undefined };
    connections.set(socket, connection);
    socket.once('close', () => drop(shared, connection));
    probeHalfClosed(socket, () => connection.current?.response);
    return connection;
  };
  return {
    open: (socket) => openConnection(shared, maximum, socket),
    add: (request, response) => {
      const { socket } = request;
      const connection = connectionOf(socket);
      const queued = { request, response };
      if (connection.current === undefined && connection.writeLast === undefined) return begin(shared, socket, connection, queued);
      if (connection.writeLast === undefined && shared.waitingCount < maximumWaiting) {
        connection.waiting.push(queued);
        shared.waitingCount += 1;
      } else {
        const refusal = new StoreError('overloaded', `${maximumWaiting} pipelined requests are waiting on this server; read responses before sending more.`);
        connection.writeLast ??= () => refuse(refusal, queued);
      }
      pauseReading(socket, connection);
    },
    end: (socket, write) => {
      const connection = connectionOf(socket);
      if (connection.writeLast !== undefined) return;
      const { current } = connection;
      const broken = takeBroken(shared, connection);
      if (broken?.response.headersSent === true) {
        // The rest of the body will not arrive. A refusal is already being sent; any other answer cannot be completed.
        if (!broken.response.writableEnded) socket.destroy();
        return;
      }
      connection.writeLast = () => write(broken, broken === current);
      if (current === undefined || current === broken) writeLast(socket, connection);
    },
    timeout: (socket) => {
      const connection = connections.get(socket);
      // Without a request so far the headers timeout applies.
      if (connection === undefined) return;
      if (connection.current === undefined || socket.writableLength > 0) socket.destroy();
    },
  };
}
