import { once } from 'node:events';
import { chmodSync, lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { StoreError } from '../../domain/errors.js';
import { system } from '../../system.js';
import type { ServerDependencies } from './server-options.js';

/** Removes the socket file of a killed server; a socket in use stays. Refuses other files, too long paths and a system without sockets with `usage`. */
export async function removeStaleSocket(path: string, { socketPathBytes } = system): Promise<void> {
  const bytes = Buffer.byteLength(path);
  if (socketPathBytes === undefined)
    throw new StoreError('usage', 'This system has no Unix sockets.', { advice: 'Serve at a port: petstore serve --port 8080' });
  if (bytes > socketPathBytes)
    throw new StoreError('usage', `The path of a socket has at most ${socketPathBytes} bytes, and ${path} has ${bytes}.`, {
      advice: 'Choose a shorter path with --socket.',
    });
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isSocket()) throw new StoreError('usage', `${path} exists and is not a socket.`, { advice: 'Choose another path with --socket.' });
  const connection = connect(path);
  try {
    await once(connection, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') unlinkSync(path);
  } finally {
    connection.destroy();
  }
}

/** Listens at a Unix socket with mode 0600 from the moment it exists, whatever the umask. */
export async function listenPrivately<T>(path: string, setUmask: ServerDependencies['setUmask'], listen: () => Promise<T>): Promise<T> {
  const before = setUmask(0o077);
  try {
    return await listen();
  } finally {
    setUmask(before);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) chmodSync(path, 0o600);
  }
}

/** What the system lacks at the moment, or a name server that does not answer. */
const passingCodes = ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EAI_AGAIN'];

/** The refusal for an address: `usage` where it cannot be used, `overloaded` where the system cannot listen at any; other errors unchanged. */
export function listenError(error: unknown, where: string): unknown {
  const { code, syscall = '' } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new StoreError('usage', `Another program is already listening on ${where}.`, {
      advice: 'Choose another address with --port or --socket; --port 0 takes any free port.',
    });
  }
  if (code !== undefined && passingCodes.includes(code)) {
    return new StoreError('overloaded', `Cannot listen on ${where} at the moment (${code}).`, {
      advice: 'Try again when the system has files and memory left, and its name server answers.',
    });
  }
  if (['listen', 'bind', 'getaddrinfo'].includes(syscall)) {
    return new StoreError('usage', `Cannot listen on ${where} (${code}).`, { advice: 'Choose another address with --host and --port, or --socket.' });
  }
  return error;
}
