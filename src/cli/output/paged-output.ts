import { stripVTControlCharacters } from 'node:util';
import { type Io, type Output, withOutputs } from '../io.js';

/** Whether a text needs more lines than the terminal has, and some more that may scroll away; one line is left for the prompt of the shell. */
function outgrows(text: string, { rows = Infinity, columns }: Output, scrolled = 0): boolean {
  const lines = text.split('\n').slice(0, -1);
  if (lines.length >= rows + scrolled) return true;
  const shown = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)), 1);
  return shown > rows + scrolled;
}

/** The same Io, with a pager for texts longer than the terminal. */
export function pagedThrough(io: Io, pager: string | undefined): Io {
  if (pager === undefined || !io.stdout.isTerminal || io.stdout.rows === undefined) return io;
  const { stdout, environment } = io;
  const show = async (text: string): Promise<void> => {
    if (outgrows(text, stdout)) {
      const { runLine } = await import('../run-line.js');
      const ended = await runLine(pager, {
        stdio: ['pipe', 'inherit', 'inherit'],
        env: { LESS: 'FRX', LV: '-c', ...environment },
        onStarted: ({ stdin }) => {
          // A pager may be closed before it has read everything.
          stdin?.on('error', () => undefined);
          // The text goes through a pipe, never into the command line.
          stdin?.end(text);
        },
      });
      // Without such a program the text is written as it is.
      if (ended !== undefined) return;
    }
    await stdout.write(text);
  };
  // Not a copy: the getters of a terminal answer its present size.
  return withOutputs(io, { stdout: Object.create(stdout, { show: { value: show } }) as Output });
}

/** A help that is longer than the terminal by a few lines is read more easily without a pager. */
const scrolledLines = 4;

/** Writes a text; at a terminal in the pager if it is much longer than the terminal. `pagerOf` is called only then. */
export async function writePaged(io: Io, text: string, pagerOf: () => string | undefined): Promise<void> {
  const { stdout } = io.stdout.isTerminal && outgrows(text, io.stdout, scrolledLines) ? pagedThrough(io, pagerOf()) : io;
  await (stdout.show ?? stdout.write)(text);
}
