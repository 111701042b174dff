import type { Environment } from '../../settings/setting-table.js';
import { runLine } from '../run-line.js';

const ignore = (): void => undefined;

/** Shows a text in a pager until it is closed; false when there is no such pager. */
export async function page(text: string, line: string, environment: Environment): Promise<boolean> {
  const ended = await runLine(line, {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...environment },
    onStarted: ({ stdin }) => {
      // A pager may be closed before it has read everything.
      stdin?.on('error', ignore);
      // The text goes through a pipe, never into the command line.
      stdin?.end(text);
    },
  });
  return ended !== undefined;
}
