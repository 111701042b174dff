import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { StoreError } from '../domain/errors.js';
import { system } from '../system.js';
import { quoted } from './hint.js';
import type { TokenSource } from './settings.js';
import { tokenOf } from './setting-values.js';

const maximumFileBytes = 4096;
const commandTimeoutMs = 120_000;

/** Whether other users can read a file; false where there is none, and where files have no modes. */
export function isReadByOthers(path: string): boolean {
  return system.hasFileModes && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/** How to make a file private. */
export const privateFileAdvice = (path: string): string => `chmod 600 ${quoted(path)}`;

function readTokenFile(path: string, name: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreError('usage', `${name}, ${path}, does not exist.`);
  if (!found.isFile() || found.size > maximumFileBytes) throw new StoreError('usage', `${name}, ${path}, is not a token file.`);
  if (isReadByOthers(path)) throw new StoreError('usage', `${name}, ${path}, can be read by other users.`, { advice: privateFileAdvice(path) });
  return readFileSync(path, 'utf8');
}

/** The output of a command line. Its standard input and error stay on the terminal, for password prompts. */
function runTokenCommand(line: string, name: string): string {
  const { status, signal, error, stdout } = spawnSync(line, {
    shell: true,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
    timeout: commandTimeoutMs,
  });
  if (status === 0) return stdout;
  throw new StoreError('unauthenticated', `${name} ended with ${error?.message ?? signal ?? status}.`, {
    advice: 'Run it yourself to see why; it is in the file that "petstore config path" shows.',
  });
}

/** Reads the token of a profile from its file or command. Refuses a file that other users can read, or that holds no token, with `usage`; a failed command with `unauthenticated`. */
export function readToken({ profile, file, command }: TokenSource): string {
  const name = `The token ${file === undefined ? 'command' : 'file'} of the profile ${profile}`;
  const token = tokenOf(file === undefined ? runTokenCommand(command ?? '', name) : readTokenFile(file, name), name);
  if (token === undefined) throw new StoreError('usage', `${name} contains no token.`);
  return token;
}
