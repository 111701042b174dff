import { Readable } from 'node:stream';
import type { Environment } from '../../settings/setting-table.js';
import { runLine } from '../run-line.js';

const ignore = (): void => undefined;

/** Shows texts in a pager until it is closed; false when there is no such pager. */
export async function page(texts: Iterable<string>, line: string, environment: Environment): Promise<boolean> {
  const ended = await runLine(line, {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...environment },
    onStarted: ({ stdin }) => {
      // A pager may be closed before it has read everything.
      stdin?.on('error', ignore);
      // The texts go through a pipe, never into the command line.
      if (stdin) Readable.from(texts).pipe(stdin);
    },
  });
  return ended !== undefined;
}
