import { stripVTControlCharacters } from 'node:util';
import { type Io, type Output, withOutputs } from '../io.js';

/** Whether texts need more lines than the terminal has, and some more that may scroll away; one line is left for the prompt of the shell. */
function outgrows(texts: Iterable<string>, { rows = Infinity, columns }: Output, scrolled = 0): boolean {
  let lines = 1;
  for (const text of texts) {
    for (const line of text.split('\n').slice(0, -1)) lines += Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
    if (lines > rows + scrolled) return true;
  }
  return false;
}

/** The same Io, with a pager for tables longer than the terminal. */
export function pagedThrough(io: Io, pager: string | undefined): Io {
  if (pager === undefined || !io.stdout.isTerminal || io.stdout.rows === undefined) return io;
  const { stdout, environment } = io;
  const show = async (all: Iterable<string>): Promise<void> => {
    const texts = [...all];
    if (outgrows(texts, stdout)) {
      const { page } = await import('./pager.js');
      if (await page(texts, pager, environment)) return;
    }
    for (const text of texts) await stdout.write(text);
  };
  // Not a copy: the getters of a terminal answer its present size.
  return withOutputs(io, { stdout: Object.create(stdout, { show: { value: show } }) as Output });
}

/** A help that is longer than the terminal by a few lines is read more easily without a pager. */
const scrolledLines = 4;

/** Writes a text; at a terminal in the pager if it is much longer than the terminal. `pagerOf` is called only then. */
export async function writePaged(io: Io, text: string, pagerOf: () => string | undefined): Promise<void> {
  const { stdout } = io.stdout.isTerminal && outgrows([text], io.stdout, scrolledLines) ? pagedThrough(io, pagerOf()) : io;
  await (stdout.show ? stdout.show([text]) : stdout.write(text));
}
