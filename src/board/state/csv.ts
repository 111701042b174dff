import { guardCell } from '../../formats/spreadsheet.js';

function csvCell(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180), without its end. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(csvCell).join(',');
}

/** A field of a row as a cell. A text that a spreadsheet would run as a formula gets an apostrophe. */
function cellOf(value: unknown): string | number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? guardCell(value) : '';
}

/** Rows as CSV: the names of their fields, then a line for each. */
export function csvText<Row extends object>(fields: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return [fields, ...rows.map((row) => fields.map((field) => cellOf(row[field])))].map((cells) => `${csvLine(cells)}\n`).join('');
}
