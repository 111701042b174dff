import { StoreError } from '../../../domain/errors.js';
import { isLoopback, isLoopbackHost } from '../../contract/addresses.js';
import type { ServeOptions } from '../server-options.js';

const anyAddress = ['0.0.0.0', '::'];

function refuse(problem: string): never {
  throw new StoreError('usage', `--open shows the shop board in a browser on this machine, and ${problem}.`);
}

/** Refuses with `usage` options with which the owner could not sign in at this machine. */
export function checkOpen({ open, socket, host, board, stableOnly }: ServeOptions): void {
  if (!open) return;
  if (socket !== undefined) refuse('a browser cannot use --socket');
  if (!board) refuse('--no-board leaves it out');
  if (stableOnly) refuse('--stable-only leaves out the operations that it needs');
  if (!isLoopback(host) && !anyAddress.includes(host)) refuse(`signing in without HTTPS is only possible at localhost, not at ${host}`);
}

/** The address of the board for a browser on this machine; the code is in the fragment, which browsers do not send to servers. */
export function boardAddress(serverAddress: string, code: string): string {
  const url = new URL(`${serverAddress}/board/#code=${code}`);
  if (!isLoopbackHost(url.hostname)) url.hostname = url.hostname.startsWith('[') ? '[::1]' : '127.0.0.1';
  return url.href;
}
