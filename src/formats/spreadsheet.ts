/** The column that has `guardedMark` in every row with guarded cells. */
export const guardedColumn = 'guarded';
/** The value of that column in guarded rows. */
export const guardedMark = 'yes';

/**
 * A cell that spreadsheets run as a formula (OWASP, "CSV Injection"), full-width signs included. The pattern also matches
 * leading apostrophes: a cell that already has one gets a second one, which `unguard` removes.
 */
const formulaCell = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
// Spreadsheets that split at ";" or tabs, the default in many countries, start a cell after each of them.
const formulaWithin = /[;\t\r\n]'*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const separator = /[;\t\r\n]/;

/** Adds an apostrophe before every part of a cell that a spreadsheet would run as a formula. */
export function guard(cell: string): string {
  const within = separator.test(cell) ? cell.replaceAll(formulaWithin, (lead) => `${lead[0]}'${lead.slice(1)}`) : cell;
  return formulaCell.test(within) ? `'${within}` : within;
}

/** Reverses `guard`. Call it only for cells of guarded rows. */
export function unguard(cell: string): string {
  const whole = cell.startsWith("'") && formulaCell.test(cell) ? cell.slice(1) : cell;
  return separator.test(whole) ? whole.replaceAll(formulaWithin, (lead) => (lead[1] === "'" ? `${lead[0]}${lead.slice(2)}` : lead)) : whole;
}

const plainNumber = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** A cell that no spreadsheet runs as a formula. A number needs no guard. */
export function guardCell(text: string): string {
  return plainNumber.test(text) ? text : guard(text);
}

/** The columns of rows that were read from a file with this header, with the mark of guarded rows. */
export function guardedHeader(header: readonly string[]): readonly string[] {
  return header.includes(guardedColumn) ? header : [...header, guardedColumn];
}

/** The cells of `guardedHeader` for a row as it was read, also where the file has the mark itself. */
export function guardedCells(header: readonly string[], original: readonly string[]): readonly string[] {
  const columns = guardedHeader(header);
  const mark = columns.indexOf(guardedColumn);
  const marked = original[mark] === guardedMark;
  const cells = columns.map((_, index) => original[index] ?? '').map((cell) => (marked ? unguard(cell) : cell));
  const guarded = cells.map(guardCell);
  return guarded.with(mark, guarded.some((cell, index) => cell !== cells[index]) ? guardedMark : '');
}
