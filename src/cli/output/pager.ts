import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Environment } from '../../settings/settings.js';
import { spawnLine } from '../spawn-line.js';

const ignore = (): void => undefined;

/** The exit code of a shell for a command that does not exist (POSIX). */
const notFound = 127;

/** Shows texts in a pager until it is closed; false when there is no such pager. */
export async function page(texts: Iterable<string>, line: string, environment: Environment): Promise<boolean> {
  // Ctrl-C is for the pager. If petstore ended first, the pager could not reset the terminal.
  process.on('SIGINT', ignore);
  try {
    // The texts go through a pipe, never into the command line.
    const child = spawnLine(line, [], { stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', LV: '-c', ...environment } });
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
