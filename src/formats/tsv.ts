/**
 * The characters that TSV cells escape, and their escapes (those of PostgreSQL's COPY text format). The backslash comes
 * first, for code that replaces them one after the other.
 */
export const tsvEscapes = [
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
] as const;

const escapeOf: ReadonlyMap<string, string> = new Map(tsvEscapes);
const characterOf: ReadonlyMap<string, string> = new Map(tsvEscapes.map(([character, escape]) => [escape, character]));

/** A text as a TSV cell. */
export function escapeTsv(text: string): string {
  return /[\t\n\r\\]/.test(text) ? text.replaceAll(/[\t\n\r\\]/g, (character) => escapeOf.get(character) ?? character) : text;
}

/** The text of a TSV cell; an unknown escape stays as it is. */
export function unescapeTsv(cell: string): string {
  return cell.replaceAll(/\\[tnr\\]/g, (escape) => characterOf.get(escape) ?? escape);
}
