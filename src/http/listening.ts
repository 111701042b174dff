import { once } from 'node:events';
import { statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { StoreError } from '../domain/errors.js';

/** Removes the socket of a server that was killed; one that somebody answers at stays. */
export async function removeLeftover(path: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const connection = connect(path);
  try {
    await once(connection, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') unlinkSync(path);
  } finally {
    connection.destroy();
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
