import type { Socket } from 'node:net';

// After this many requests in one turn of the event loop each other connection is read in a later turn of its own.
const maximumEachTurn = 2500;

/**
 * Bounds the requests that are read in one turn of the event loop: thousands of connections may be readable at once, each with the
 * thousand requests that Node finds in 64 KB, which took 3 GB.
 */
export interface InboundTurns<Connection> {
  /** Counts a request that was read. */
  readonly count: () => void;
  /** Forgets a connection that was closed. */
  readonly forget: (connection: Connection) => void;
}

/** The turns of the open connections of a server; `resume` reads one again, unless it is paused for another reason. */
export function inboundTurns<Connection extends { readonly socket: Socket }>(
  open: Iterable<Connection>,
  resume: (connection: Connection) => void,
): InboundTurns<Connection> {
  const unread = new Set<Connection>();
  let countOfTurn = 0;
  const readNext = (): void => {
    const [connection] = unread;
    if (connection === undefined) return;
    unread.delete(connection);
    resume(connection);
    setImmediate(readNext);
  };
  const count = (): void => {
    if (countOfTurn === 0) setImmediate(() => (countOfTurn = 0));
    countOfTurn += 1;
    if (countOfTurn !== maximumEachTurn) return;
    if (unread.size === 0) setImmediate(readNext);
    for (const connection of open) {
      if (connection.socket.isPaused()) continue;
      connection.socket.pause();
      unread.add(connection);
    }
  };
  return { count, forget: (connection) => void unread.delete(connection) };
}
