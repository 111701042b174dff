import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Environment } from '../../settings/settings.js';

/** The characters for which git runs a pager with the shell (run-command.c). */
const forShell = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** Starts a pager: directly if its command line is plain words, otherwise with the shell. The texts go through a pipe, never into the command line. */
function started(line: string, environment: Environment): ChildProcess {
  const options = { stdio: ['pipe', 'inherit', 'inherit'] as ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', LV: '-c', ...environment } };
  const [file = '', ...args] = line.trim().split(/\s+/);
  return [file, ...args].some((word) => forShell.test(word)) ? spawn(line, { ...options, shell: true }) : spawn(file, args, options);
}

const ignore = (): void => undefined;

/** The exit code of a shell for a command that does not exist (POSIX). */
const notFound = 127;

/** Shows texts in a pager until it is closed; false when there is no such pager. */
export async function page(texts: Iterable<string>, line: string, environment: Environment): Promise<boolean> {
  // Ctrl-C is for the pager. If petstore ended first, the pager could not reset the terminal.
  process.on('SIGINT', ignore);
  try {
    const child = started(line, environment);
    // A pager may be closed before it has read everything.
    child.stdin?.on('error', ignore);
    if (child.stdin) Readable.from(texts).pipe(child.stdin);
    const [status]: readonly unknown[] = await once(child, 'close');
    return status !== notFound;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return false;
    throw error;
  } finally {
    process.off('SIGINT', ignore);
  }
}
