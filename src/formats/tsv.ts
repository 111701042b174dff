/** The characters that TSV cells escape, and their escapes (those of PostgreSQL's COPY text format). */
const escapeOf: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
]);
const characterOf: ReadonlyMap<string, string> = new Map([...escapeOf].map(([character, escape]) => [escape, character]));

/** A text as a TSV cell. */
export function escapeTsv(text: string): string {
  return /[\t\n\r\\]/.test(text) ? text.replaceAll(/[\t\n\r\\]/g, (character) => escapeOf.get(character) ?? character) : text;
}

/** The text of a TSV cell; an unknown escape stays as it is. */
export function unescapeTsv(cell: string): string {
  return cell.replaceAll(/\\[tnr\\]/g, (escape) => characterOf.get(escape) ?? escape);
}
