function csvCell(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of CSV (RFC 4180), without its end. */
export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map(csvCell).join(',');
}
