import { guard } from '../../formats/spreadsheet.js';

function csvCell(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180), without its end. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(csvCell).join(',');
}

const plainNumber = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** A cell that no spreadsheet runs as a formula, as `petstore … --spreadsheet` writes it. A number needs no guard. */
export function guardedCell(text: string): string {
  return plainNumber.test(text) ? text : guard(text);
}
