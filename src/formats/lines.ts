/** The most characters one row may have (1 MiB of plain text), so that no file can fill the memory. */
export const maximumRowLength = 1024 * 1024;

/** How many line ends a text has: LF, CRLF or a lone CR, each one physical line. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    if (text[at + 1] !== '\n') count += 1;
  }
  return count;
}

/** The place behind the last complete line end, 0 when there is none; a CR at the very end may yet become a CRLF. */
export function lastLineEnd(text: string): number {
  const feed = text.lastIndexOf('\n');
  const carriage = text.length > 1 ? text.lastIndexOf('\r', text.length - 2) : -1;
  return Math.max(feed, carriage) + 1;
}

/** The physical lines of a text without their ends; the last one is empty when the text ends with a line end. */
export function splitLines(text: string): readonly string[] {
  // A pattern costs several times a plain split, so files without CR do without.
  return text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
}
