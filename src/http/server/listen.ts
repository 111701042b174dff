import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { StoreError } from '../../domain/errors.js';

// The size of sun_path without its closing NUL (unix(7), unix(4) on macOS); libuv cuts a longer path off without a word.
const socketPathBytes = platform() === 'darwin' ? 103 : 107;

/** Removes the socket of a server that was killed; one that somebody answers at stays. Refuses any other file, and a path that is too long, with `usage`. */
export async function removeLeftover(path: string): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (bytes > socketPathBytes)
    throw new StoreError(
      'usage',
      `The path of a socket has at most ${socketPathBytes} bytes, and ${path} has ${bytes}.`,
      'Choose a shorter path with --socket.',
    );
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new StoreError('usage', `${path} exists and is not a socket.`, 'Choose another path with --socket.');
  const connection = connect(path);
  try {
    await once(connection, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') unlinkSync(path);
  } finally {
    connection.destroy();
  }
}

/** Sets the file mode creation mask of the process, and answers the one before. */
export type SetUmask = (mask: number) => number;

/** Listens at a Unix socket that only its owner may use from the moment it exists, whatever the umask. */
export async function listenPrivately<T>(path: string, setUmask: SetUmask, listen: () => Promise<T>): Promise<T> {
  const before = setUmask(0o077);
  try {
    return await listen();
  } finally {
    setUmask(before);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) chmodSync(path, 0o600);
  }
}

/** What a failure to listen means to people; anything unexpected is passed on as it is. */
export function notListening(error: unknown, where: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StoreError('usage', `Another program listens at ${where} already.`, 'Choose another place with --port or --socket; port 0 is any that is free.');
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'ENOENT') {
    return new StoreError('usage', `This program cannot listen at ${where} (${code}).`, 'Choose another place with --host and --port, or with --socket.');
  }
  return error;
}

/**
 * Closes, whenever it is called, the connections on which nothing was asked, or nothing more: Node counts one on which
 * nobody ever asked anything as busy, and browsers open some in advance.
 */
export function unusedConnections(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    server.closeIdleConnections();
  };
}
