import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { StoreError } from '../../domain/errors.js';
import { clientKey } from './client-key.js';
import { fairTurns, type FairTurns } from './fair-turns.js';
import { destroyAfterLinger } from './linger.js';
import { readTurns, type ReadTurns } from './read-turns.js';

// A waiting request takes about 3 KB: at most 30 MB for all of a server.
const maximumWaiting = 10_000;
const maximumWaitingOfAddress = maximumWaiting / 4;
// With this many waiting requests a connection is no longer read.
const pauseReadingAt = 16;
// After this many requests the event loop reads connections and accepts new ones.
const servedEachTurn = 16;
// Of all connections: Node keeps a request after the last answer until its connection is closed.
const maximumAfterLast = 2500;

/** A server holds at most this many connections. Each takes a file descriptor, and about 4 KB while it has no request. */
export const maximumConnections = 4000;

/** A request and its response. */
export interface QueuedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Whether it has had no request so far. A busy server may not have read it yet when its timeout is over. */
  isNew: boolean;
  /** The request that is being served. */
  current: QueuedRequest | undefined;
  readonly waiting: QueuedRequest[];
  /** Writes the last answer of the connection, after all answers before it. */
  writeLast: (() => void) | undefined;
  /** The number of requests that were read after the one with the last answer. */
  afterLast: number;
}

/** Serves the requests of each connection in order, one at a time. Addresses take turns, and the connections of an address. */
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
  /** Closes the connections without a request, also those that never had one: Node counts these as busy, and browsers open some in advance. */
  readonly closeIdle: () => void;
  /** Destroys an idle connection, and one whose client reads nothing; for the `timeout` event of a server. */
  readonly timeout: (socket: Socket) => void;
}

/** The state that all connections of a server share. */
interface Shared {
  readonly serve: RequestListener;
  readonly open: Set<Connection>;
  /** The open connections without a request, in the order in which they became idle. */
  readonly idle: Set<Connection>;
  /** The number of waiting requests, by address. */
  readonly waiting: Map<string, number>;
  /** The connections whose next request may be served, by address. */
  readonly turns: FairTurns<string, Connection>;
  readonly reading: ReadTurns;
  waitingCount: number;
  afterLastCount: number;
}

function isWithoutRequest({ current, waiting }: Connection): boolean {
  return current === undefined && waiting.length === 0;
}

function countWaiting(shared: Shared, { address }: Connection, change: number): void {
  shared.waitingCount += change;
  const count = (shared.waiting.get(address) ?? 0) + change;
  if (count === 0) shared.waiting.delete(address);
  else shared.waiting.set(address, count);
}

function drop(shared: Shared, connection: Connection): void {
  countWaiting(shared, connection, -connection.waiting.length);
  connection.waiting.length = 0;
}

function writeLastAndClose(connection: Connection): void {
  const { socket } = connection;
  if (!socket.writable) return;
  connection.writeLast?.();
  destroyAfterLinger(socket);
}

function mustPause({ reading }: Shared, { socket, writeLast, waiting }: Connection): boolean {
  return writeLast !== undefined || waiting.length >= pauseReadingAt || reading.isWaiting(socket);
}

function resumeReading(shared: Shared, connection: Connection): void {
  if (!mustPause(shared, connection)) connection.socket.resume();
}

/** Pauses reading a connection with many waiting requests; after this tick, because Node resumes it in this tick after an answer. */
function pauseReading(shared: Shared, connection: Connection): void {
  if (mustPause(shared, connection)) queueMicrotask(() => mustPause(shared, connection) && connection.socket.pause());
}

function openConnection(shared: Shared, maximum: number, socket: Socket): Connection {
  const { open, idle, reading } = shared;
  const address = clientKey({ ip: socket.remoteAddress });
  const connection: Connection = { socket, address, isNew: true, current: undefined, waiting: [], writeLast: undefined, afterLast: 0 };
  const forget = (one: Connection): void => {
    open.delete(one);
    idle.delete(one);
  };
  open.add(connection);
  idle.add(connection);
  reading.open(socket);
  socket.once('close', () => {
    forget(connection);
    drop(shared, connection);
    shared.afterLastCount -= connection.afterLast;
  });
  if (open.size > maximum) {
    const [longest = connection] = idle;
    forget(longest);
    longest.socket.destroy();
  }
  return connection;
}

function begin(shared: Shared, connection: Connection, queued: QueuedRequest): void {
  connection.current = queued;
  queued.response.once('close', () => next(shared, connection));
  shared.serve(queued.request, queued.response);
}

function takeTurns(shared: Shared): void {
  for (let served = 0; served < servedEachTurn; served += 1) {
    const connection = shared.turns.take();
    const queued = connection?.waiting.shift();
    if (connection === undefined || queued === undefined) return;
    countWaiting(shared, connection, -1);
    begin(shared, connection, queued);
    resumeReading(shared, connection);
  }
  if (!shared.turns.isEmpty()) setImmediate(takeTurns, shared);
}

/** Serves the first waiting request of a connection in its turn. */
function awaitTurn(shared: Shared, connection: Connection): void {
  if (shared.turns.isEmpty()) setImmediate(takeTurns, shared);
  shared.turns.add(connection.address, connection);
}

function next(shared: Shared, connection: Connection): void {
  const { socket } = connection;
  connection.current = undefined;
  // Requests after an answer with `Connection: close` must not be processed (RFC 9112, 9.6).
  if (!socket.writable) return drop(shared, connection);
  pauseReading(shared, connection);
  if (connection.waiting.length > 0) return awaitTurn(shared, connection);
  shared.idle.add(connection);
  if (connection.writeLast) writeLastAndClose(connection);
}

/** Removes the newest request from the queue if its body is incomplete; undefined otherwise. */
function takeBroken(shared: Shared, connection: Connection): QueuedRequest | undefined {
  const { current, waiting } = connection;
  const newest = waiting.at(-1) ?? current;
  if (newest === undefined || newest.request.complete) return undefined;
  if (newest !== current) {
    waiting.pop();
    countWaiting(shared, connection, -1);
  }
  return newest;
}

/** The refusal of a request that is sent before the answers of earlier ones are read, when too many wait. */
function tooManyWaiting({ waitingCount, waiting }: Shared, { address }: Connection): StoreError | undefined {
  const isOfAddress = (waiting.get(address) ?? 0) >= maximumWaitingOfAddress;
  if (!isOfAddress && waitingCount < maximumWaiting) return undefined;
  const requests = isOfAddress ? `${maximumWaitingOfAddress} requests of your address` : `${maximumWaiting} requests on this server`;
  return new StoreError('overloaded', `${requests} are waiting; read responses before sending more.`);
}

/** Leaves out a request after the last answer of its connection; closes the connection at once where there are too many of them. */
function leaveOut(shared: Shared, connection: Connection): void {
  connection.afterLast += 1;
  shared.afterLastCount += 1;
  if (shared.afterLastCount > maximumAfterLast) connection.socket.destroy();
}

/** What a queue is given. */
export interface QueueOptions {
  readonly serve: RequestListener;
  /** Answers a request beyond the limit, as the last of its connection. */
  readonly refuse: (refusal: StoreError, queued: QueuedRequest) => void;
  /** Whether a request does not wait for requests of other connections. */
  readonly isProbe: (request: IncomingMessage) => boolean;
  readonly maximum?: number;
}

/**
 * Serves the requests of each connection one at a time. Node emits all requests it finds in 64 KB at once; served together, thousands
 * of answers would stay in memory until the client reads, and a request after one with `Connection: close` would be executed
 * (test/http/pipelining.test.ts, test/http/connection-limit.test.ts).
 */
export function requestQueue({ serve, refuse, isProbe, maximum = maximumConnections }: QueueOptions): RequestQueue {
  const connections = new WeakMap<Socket, Connection>();
  // The requests of a closed connection were dropped.
  const turns = fairTurns<string, Connection>(({ waiting }) => waiting.length > 0);
  const reading = readTurns((socket) => resumeReading(shared, connectionOf(socket)));
  const shared: Shared = { serve, open: new Set(), idle: new Set(), waiting: new Map(), turns, reading, waitingCount: 0, afterLastCount: 0 };
  const connectionOf = (socket: Socket): Connection => {
    const connection = connections.get(socket) ?? openConnection(shared, maximum, socket);
    connections.set(socket, connection);
    return connection;
  };
  return {
    open: connectionOf,
    add: (request, response) => {
      const connection = connectionOf(request.socket);
      reading.begin(request);
      if (connection.writeLast !== undefined) return leaveOut(shared, connection);
      const queued = { request, response };
      const isIdle = isWithoutRequest(connection);
      connection.isNew = false;
      if (isIdle) shared.idle.delete(connection);
      if (isIdle && isProbe(request)) return begin(shared, connection, queued);
      const refusal = isIdle ? undefined : tooManyWaiting(shared, connection);
      if (refusal) connection.writeLast = () => refuse(refusal, queued);
      else {
        connection.waiting.push(queued);
        countWaiting(shared, connection, 1);
        if (isIdle) awaitTurn(shared, connection);
      }
      if (refusal || connection.waiting.length === pauseReadingAt) pauseReading(shared, connection);
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
      const isServed = broken !== undefined && broken === current;
      connection.writeLast = () => write(broken, isServed);
      if (isServed || isWithoutRequest(connection)) writeLastAndClose(connection);
    },
    closeIdle: () => {
      for (const { socket } of shared.idle) socket.destroy();
    },
    timeout: (socket) => {
      const connection = connectionOf(socket);
      // Without a request so far the headers timeout applies.
      if (connection.isNew) return;
      if (isWithoutRequest(connection) || socket.writableLength > 0) socket.destroy();
    },
  };
}
