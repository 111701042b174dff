import type { Cell } from '../queries.js';
import type { ColumnType } from '../migrations/migration.js';

/** A PostgreSQL array literal. */
function arrayText(cells: readonly string[]): string {
  return `{${cells.join(',')}}`;
}

/** A text as an element of an array literal. */
function textCell(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Numbers as the text of an array. */
export function numbersText(values: readonly (number | null)[]): string {
  return arrayText(values.map((value) => String(value ?? 'NULL')));
}

/** The PostgreSQL type of the elements of an array. */
export const elementType: Readonly<Record<ColumnType, string>> = { number: 'BIGINT', text: 'TEXT' };

/** Values of one column as the text of an array; undefined becomes NULL. */
export function arrayOf(type: ColumnType, values: readonly (Cell | undefined)[]): string {
  if (type === 'number') return arrayText(values.map((value) => String(value ?? 'NULL')));
  return arrayText(values.map((value) => textCell(value === undefined || value === null ? null : String(value))));
}
