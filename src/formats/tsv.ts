/** The characters that TSV cells escape, and their escapes (those of PostgreSQL's COPY text format). */
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const characters: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(escapes).map(([character, escape]) => [escape, character]));

/** A text as a TSV cell. */
export function escapeTsv(text: string): string {
  return /[\t\n\r\\]/.test(text) ? text.replaceAll(/[\t\n\r\\]/g, (character) => escapes[character] ?? character) : text;
}

/** The text of a TSV cell; an unknown escape stays as it is. */
export function unescapeTsv(cell: string): string {
  return cell.replaceAll(/\\[tnr\\]/g, (escape) => characters[escape] ?? escape);
}
