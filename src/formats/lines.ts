/** The maximum length of a row in characters, to bound the memory. */
export const maximumRowLength = 1024 * 1024;

/** The number of line ends (LF, CRLF or CR). */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n') count += 1;
  }
  return count;
}

/** The offset after the last complete line end, 0 without one. A CR at the very end is not complete: an LF may follow. */
export function lastLineEnd(text: string): number {
  const feed = text.lastIndexOf('\n');
  const carriage = text.length > 1 ? text.lastIndexOf('\r', text.length - 2) : -1;
  return Math.max(feed, carriage) + 1;
}

/** The physical lines without their ends; the last one is empty when the text ends with a line end. */
export function splitLines(text: string): readonly string[] {
  // Splitting at a string is several times faster than splitting at a regular expression.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}

/** Whole lines of a text, and the physical line of the first. */
export interface TextLines {
  readonly text: string;
  readonly line: number;
}

/** The first of some lines without its end, and those below it. */
export function firstLine({ text, line }: TextLines): { readonly content: string; readonly below: TextLines } {
  const end = /\r\n|\n|\r/.exec(text);
  if (end === null) return { content: text, below: { text: '', line: line + 1 } };
  return { content: text.slice(0, end.index), below: { text: text.slice(end.index + end[0].length), line: line + 1 } };
}

/** Divides a text at the ends that `endOf` finds, which may refuse it. Refuses with `tooLong` what has none within `maximumRowLength` after the last one. */
export async function* wholeLines(
  texts: AsyncIterable<string>,
  endOf: (pending: TextLines) => number,
  tooLong: (rest: TextLines) => Error,
): AsyncGenerator<TextLines, void> {
  let rest: TextLines = { text: '', line: 1 };
  for await (const text of texts) {
    const pending = { text: rest.text + text, line: rest.line };
    const end = endOf(pending);
    const whole = { ...pending, text: pending.text.slice(0, end) };
    rest = { text: pending.text.slice(end), line: pending.line + countLineEnds(whole.text) };
    if (rest.text.length > maximumRowLength) throw tooLong(rest);
    if (end > 0) yield whole;
  }
  if (rest.text !== '') yield rest;
}
