import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Environment } from '../../settings/settings.js';

/** What only a shell understands, as git has it. */
const forShell = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

/** A command line of plain words is started as it is; any other is for the shell. Only the line stands there: what is shown goes in by the pipe. */
function started(line: string, environment: Environment): ChildProcess {
  const options = { stdio: ['pipe', 'inherit', 'inherit'] as ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', LV: '-c', ...environment } };
  const [file = '', ...args] = line.trim().split(/\s+/);
  return [file, ...args].some((word) => forShell.test(word)) ? spawn(line, { ...options, shell: true }) : spawn(file, args, options);
}

const stay = (): void => undefined;

const notFound = 127;

/** Shows texts through a pager until people close it; false where there is no such pager. */
export async function page(texts: Iterable<string>, line: string, environment: Environment): Promise<boolean> {
  // Ctrl-C is for the pager: ending before it would leave the terminal as it has set it.
  process.on('SIGINT', stay);
  try {
    const child = started(line, environment);
    // A pager may be closed before it has read everything.
    child.stdin?.on('error', () => undefined);
    if (child.stdin) Readable.from(texts).pipe(child.stdin);
    const [status]: readonly unknown[] = await once(child, 'close');
    return status !== notFound;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') return false;
    throw error;
  } finally {
    process.off('SIGINT', stay);
  }
}
