function csvCell(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180), without its end. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(csvCell).join(',');
}

/** A cell that spreadsheets run as a formula (OWASP, "CSV Injection"); apostrophes before it are part of it. */
const formulaCell = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
// Spreadsheets that split at ";" or tabs start a cell after each of them.
const formulaWithin = /[;\t\r\n]'*(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const plainNumber = /^[+-]?[0-9]+(\.[0-9]+)?$/;

/** A text with an apostrophe before every part that a spreadsheet would run as a formula, as `petstore … --spreadsheet` writes it. */
export function guardedCell(text: string): string {
  if (plainNumber.test(text)) return text;
  const within = text.replaceAll(formulaWithin, (lead) => `${lead[0]}'${lead.slice(1)}`);
  return formulaCell.test(within) ? `'${within}` : within;
}
