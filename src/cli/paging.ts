import { stripVTControlCharacters } from 'node:util';
import type { Io, Output } from './io.js';

/** Whether a text takes more lines of a terminal than it shows, counting one for the prompt that follows. */
function outgrows(text: string, { rows = Infinity, columns }: Output): boolean {
  if (text.length < rows) return false;
  let lines = 1;
  for (const line of text.split('\n').slice(0, -1)) lines += Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
  return lines > rows;
}

/** The same world, in which what outgrows the screen goes through a pager. */
export function pagedThrough(io: Io, pager: string | undefined): Io {
  if (pager === undefined || !io.stdout.isTerminal || io.stdout.rows === undefined) return io;
  const { stdout, environment } = io;
  const show = async (text: string): Promise<void> => {
    if (!outgrows(text, stdout)) return stdout.write(text);
    const { page } = await import('./pager.js');
    if (!(await page(text, pager, environment))) await stdout.write(text);
  };
  const paged: Output = { write: stdout.write, isTerminal: true, columns: stdout.columns, ...(stdout.stream && { stream: stdout.stream }), show };
  // The other streams are made when they are first used.
  return Object.create(io, { stdout: { value: paged } }) as Io;
}
