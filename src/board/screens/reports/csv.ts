import { after } from '../../state/clock.js';

const keepMs = 60_000;

/** A cell by RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe. */
function cellText(cell: unknown): string {
  if (typeof cell === 'number') return String(cell);
  const text = typeof cell === 'string' ? cell : '';
  const inert = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Rows as CSV: the names of their fields, then a line for each. */
export function csvText<Row extends object>(fields: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return [fields, ...rows.map((row) => fields.map((field) => row[field]))].map((cells) => `${cells.map(cellText).join(',')}\n`).join('');
}

/** Gives a text to the browser as a file to save. */
export function saveFile(fileName: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = fileName;
  link.click();
  after(keepMs, () => URL.revokeObjectURL(link.href));
}
