/** The column that tells which rows of a file have guarded cells; `guardedMark` stands in it. */
export const guardedColumn = 'guarded';
/** What stands in the column of guarded rows. */
export const guardedMark = 'yes';

/*
 * What spreadsheets take for a formula (OWASP, "CSV Injection"), full-width signs too. Apostrophes ahead of one count, so
 * that a cell that had an apostrophe of its own gets a second one and `unguard` gives it back unchanged.
 */
const formulaCell = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
// Where a spreadsheet splits cells at ";" or tabs, as it does by default in many countries, a cell begins after each.
const formulaWithin = /[;\t\r\n]'*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const separator = /[;\t\r\n]/;

/** A cell that no spreadsheet runs as a formula: an apostrophe stands ahead of each. */
export function guard(cell: string): string {
  const within = separator.test(cell) ? cell.replaceAll(formulaWithin, (lead) => `${lead[0]}'${lead.slice(1)}`) : cell;
  return formulaCell.test(within) ? `'${within}` : within;
}

/** A guarded cell as it was; any other cell unchanged, but for apostrophes ahead of formulas. */
export function unguard(cell: string): string {
  const whole = cell.startsWith("'") && formulaCell.test(cell) ? cell.slice(1) : cell;
  return separator.test(whole) ? whole.replaceAll(formulaWithin, (lead) => (lead[1] === "'" ? `${lead[0]}${lead.slice(2)}` : lead)) : whole;
}
