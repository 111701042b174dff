import { after } from '../../state/clock.js';
import { guardCell } from '../../../formats/spreadsheet.js';
import { csvLine } from '../../state/csv.js';

const keepMs = 60_000;

/** A field of a row as a cell. A text that a spreadsheet would run as a formula gets an apostrophe. */
function cellOf(value: unknown): string | number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? guardCell(value) : '';
}

/** Rows as CSV: the names of their fields, then a line for each. */
export function csvText<Row extends object>(fields: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return [fields, ...rows.map((row) => fields.map((field) => cellOf(row[field])))].map((cells) => `${csvLine(cells)}\n`).join('');
}

/** Saves a text as a file, as a download of the browser. */
export function saveFile(fileName: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = fileName;
  link.click();
  after(keepMs, () => URL.revokeObjectURL(link.href));
}
