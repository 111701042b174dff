import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

// How long a refused client may go on sending.
const lingerMs = 1000;

/**
 * Destroys the connection of a refused client after a moment in which the client may go on sending. Destroying it at once would reset
 * the connection, and the client would lose the answer (RFC 9112, 9.6).
 */
export function destroyAfterLinger(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Closes the connection of a refused request after its answer, and until then reads the rest of its body without parsing it. */
export function closeAfterAnswer(message: IncomingMessage): void {
  const { socket } = message;
  // Node calls this after the last answer of a connection.
  socket.destroySoon = () => {
    destroyAfterLinger(socket);
    socket.end();
    socket.resume();
    // Once it is read again: with a listener of our own Node takes the connection from its parser; without one the rest is read and dropped.
    setImmediate(() => void socket.on('data', () => undefined).removeAllListeners('data'));
  };
}
