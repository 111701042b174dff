import { stripVTControlCharacters } from 'node:util';
import type { Io, Output } from '../io.js';

/** Whether texts take more lines of a terminal than it shows, counting one for the prompt that follows. */
function outgrows(texts: Iterable<string>, { rows = Infinity, columns }: Output): boolean {
  let lines = 1;
  for (const text of texts) {
    for (const line of text.split('\n').slice(0, -1)) lines += Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns));
    if (lines > rows) return true;
  }
  return false;
}

/** The same texts, to be read more than once although each is drawn only once. */
function kept(texts: Iterable<string>): Iterable<string> {
  const source = texts[Symbol.iterator]();
  const drawn: string[] = [];
  return {
    *[Symbol.iterator]() {
      for (let index = 0; ; index += 1) {
        if (index === drawn.length) {
          const next = source.next();
          if (next.done === true) return;
          drawn.push(next.value);
        }
        yield drawn[index] ?? '';
      }
    },
  };
}

/** The same world, in which what outgrows the screen goes through a pager. */
export function pagedThrough(io: Io, pager: string | undefined): Io {
  if (pager === undefined || !io.stdout.isTerminal || io.stdout.rows === undefined) return io;
  const { stdout, environment } = io;
  const show = async (all: Iterable<string>): Promise<void> => {
    const texts = kept(all);
    if (outgrows(texts, stdout)) {
      const { page } = await import('./pager.js');
      if (await page(texts, pager, environment)) return;
    }
    for (const text of texts) await stdout.write(text);
  };
  const paged: Output = { write: stdout.write, isTerminal: true, columns: stdout.columns, ...(stdout.stream && { stream: stdout.stream }), show };
  // The other streams are made when they are first used.
  return Object.create(io, { stdout: { value: paged } }) as Io;
}
