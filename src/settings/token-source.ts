import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { StoreError } from '../domain/errors.js';
import { quoted } from '../domain/shell-word.js';
import type { TokenSource } from './settings.js';
import { tokenOf } from './setting-values.js';

const longestFile = 4096;
const patience = 120_000;

function contentOf(path: string, name: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new StoreError('usage', `${name}, ${path}, does not exist.`);
  if (!found.isFile() || found.size > longestFile) throw new StoreError('usage', `${name}, ${path}, is no file with a token in it.`);
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new StoreError('usage', `${name}, ${path}, may be read by others.`, `chmod 600 ${quoted(path)}`);
  return readFileSync(path, 'utf8');
}

/** What the command line prints; whatever it asks goes to the terminal. */
function outputOf(line: string, name: string): string {
  const { status, signal, error, stdout } = spawnSync(line, { shell: true, encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'], timeout: patience });
  if (status === 0) return stdout;
  throw new StoreError(
    'unauthenticated',
    `${name} ended with ${error?.message ?? signal ?? status}.`,
    'Run it by itself to see why; it stands in the file that "petstore config path" names.',
  );
}

/** The token that a profile names, from its file or its command; refuses a file that others may read with `usage`. */
export function tokenFrom({ profile, file, command }: TokenSource): string {
  const name = `The token ${file === undefined ? 'command' : 'file'} of the profile ${profile}`;
  const token = tokenOf(file === undefined ? outputOf(command ?? '', name) : contentOf(file, name), name);
  if (token === undefined) throw new StoreError('usage', `${name} gives no token.`);
  return token;
}
