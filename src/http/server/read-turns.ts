import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from './client-key.js';
import { fairTurns } from './fair-turns.js';

// In one turn of the event loop. The last body of a turn hands over all that it has.
const chunksEachTurn = 256;
const requestsEachTurn = 2500;
const connectionsEachTurn = 2;
// Node accepts one connection in each turn of the event loop: between costly turns it can accept this many.
const pauseBetween = 16;

interface ChunkedBody {
  readonly request: IncomingMessage;
  /** Returns the number of chunks that it had. */
  readonly handOver: () => number;
}

/** Lets connections that send more than the event loop takes at once be read in turns. */
export interface ReadTurns {
  readonly open: (socket: Socket) => void;
  /** Sees to a request, before anything of its body is read. */
  readonly begin: (request: IncomingMessage) => void;
  /** Whether a connection must not be read before its turn. */
  readonly isWaiting: (socket: Socket) => boolean;
}

/** Keeps the chunks of a body, calls `onChunk` with their number, and returns a function that hands them over as one and returns their number. */
function joinChunks(request: IncomingMessage, onChunk: (count: number) => void): () => number {
  const push = request.push.bind(request);
  let arrived = Buffer.alloc(0);
  let size = 0;
  let chunks = 0;
  const handOver = (): number => {
    const count = chunks;
    const bytes = arrived.subarray(0, size);
    arrived = Buffer.alloc(0);
    size = 0;
    chunks = 0;
    if (count > 0) push(bytes);
    return count;
  };
  // Node stops to read the connection when this returns false, and reads it again when the body wants more than it was handed over.
  request.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) {
      handOver();
      return push(null);
    }
    if (size + chunk.length > arrived.length) arrived = Buffer.concat([arrived.subarray(0, size)], 2 * (size + chunk.length));
    size += chunk.copy(arrived, size);
    chunks += 1;
    onChunk(chunks);
    return false;
  };
  return handOver;
}

/**
 * Lets connections be read in turns, by address, when a client sends its body in many chunks, or clients send thousands of requests at
 * once. Node parses all chunks of 64 KB at once, up to 32 times in succession, and calls the reader of the body for each of them: clients
 * that send a chunk for each byte would keep the event loop busy for minutes. So a connection is not read again before its turn, in
 * which its body gets what has arrived as one chunk. And with the first body of many chunks all connections of its address wait for
 * their turns: they may be about to send the same. Node also parses the thousand requests in 64 KB of every connection that is
 * readable: those of thousands of connections took 3 GB. So beyond a number of requests all connections wait for their turns.
 * `resume` reads one again.
 */
export function readTurns(resume: (socket: Socket) => void): ReadTurns {
  /** The open connections, with their addresses. */
  const open = new Map<Socket, string>();
  const bodies = fairTurns<string, ChunkedBody>(({ request }) => !request.destroyed);
  const waiting = new WeakSet<Socket>();
  const paused = fairTurns<string, Socket>(({ destroyed }) => !destroyed);
  // The connections whose turn it is: they are read once before they are paused again.
  const allowed = new Set<Socket>();
  // Addresses with many chunks, until nothing waits; their new connections wait for a turn, too.
  const busy = new Set<string>();
  let requestsOfTurn = 0;
  let next: NodeJS.Immediate | undefined;
  let pause = 0;
  const schedule = (): void => void (next ??= setImmediate(takeTurns));
  const takeTurns = (): void => {
    next = undefined;
    if (busy.size > 0) pause = (pause + 1) % pauseBetween;
    if (pause > 0) return schedule();
    allowed.clear();
    for (let socket = paused.take(); socket !== undefined; socket = allowed.size < connectionsEachTurn ? paused.take() : undefined) {
      waiting.delete(socket);
      allowed.add(socket);
      resume(socket);
    }
    for (let chunks = 0; chunks < chunksEachTurn && !bodies.isEmpty();) chunks += bodies.take()?.handOver() ?? 0;
    if (!bodies.isEmpty() || !paused.isEmpty() || allowed.size > 0) schedule();
    else busy.clear();
  };
  const awaitTurn = (socket: Socket, address: string): void => {
    waiting.add(socket.pause());
    paused.add(address, socket);
  };
  /** Lets the open connections wait; with `addresses` only theirs. */
  const pauseAll = (addresses?: ReadonlySet<string>): void => {
    for (const [socket, address] of open) if (addresses?.has(address) !== false && !socket.isPaused() && !allowed.has(socket)) awaitTurn(socket, address);
    schedule();
  };
  return {
    open: (socket) => {
      const address = clientKey({ ip: socket.remoteAddress });
      open.set(socket, address);
      // In the next tick, because Node begins to read it in this one.
      if (busy.has(address)) queueMicrotask(() => awaitTurn(socket, address));
      socket.once('close', () => open.delete(socket));
    },
    begin: (request) => {
      if (requestsOfTurn === 0) setImmediate(() => (requestsOfTurn = 0));
      requestsOfTurn += 1;
      if (requestsOfTurn === requestsEachTurn) pauseAll();
      if (request.headers['transfer-encoding'] === undefined) return;
      const address = open.get(request.socket) ?? '';
      const handOver = joinChunks(request, (chunks) => {
        if (chunks === 1) bodies.add(address, { request, handOver });
        if (chunks === chunksEachTurn) pauseAll(busy.add(address));
        schedule();
      });
    },
    isWaiting: (socket) => waiting.has(socket),
  };
}
