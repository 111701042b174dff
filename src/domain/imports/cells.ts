import type { ErrorCode } from '../errors.js';
import { shortened } from '../values/text.js';
import type { RowError } from './row-error.js';

/** One row of a file: its physical line, and the cells of the requested columns in their order. */
export interface FileRow {
  readonly line: number;
  readonly cells: readonly unknown[];
  /** Why the row could not be split into cells. */
  readonly problem?: string;
  /** Set for a JSON record; its missing fields are undefined. */
  readonly isJson?: true;
}

function jsonText(cell: unknown): string {
  try {
    return JSON.stringify(cell) ?? '';
  } catch {
    // Deeply nested arrays exceed the call stack.
    return Array.isArray(cell) ? '[…]' : '{…}';
  }
}

/** The text of a cell for a message, at most 60 characters. */
export function cellText(cell: unknown): string {
  return shortened(typeof cell === 'string' ? cell : jsonText(cell));
}

/** Whether a cell is missing, null or only white space. */
export function isBlank(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/**
 * Whether an optional cell was left out: a missing field of a JSON record, or a blank cell of CSV or TSV. A JSON field
 * that is present but null or empty is not left out: it is an invalid value.
 */
export function isLeftOut(cell: unknown, { isJson }: FileRow): boolean {
  return isJson === true ? cell === undefined : isBlank(cell);
}

/**
 * The integer in a cell, or undefined if the cell is not one: in text files ASCII digits with an optional minus sign, in
 * JSON a number without a fraction. "1e3", "1,000", "1.0" and full-width digits are not integers. "+5" is accepted only
 * for a change: in a column of counts it is probably a change in the wrong column.
 */
export function integerIn(cell: unknown, plus: 'plus' | 'no plus' = 'no plus'): number | undefined {
  if (typeof cell === 'number') return Number.isInteger(cell) ? cell : undefined;
  const pattern = plus === 'plus' ? /^[+-]?[0-9]{1,30}$/ : /^-?[0-9]{1,30}$/;
  if (typeof cell !== 'string' || !pattern.test(cell.trim())) return undefined;
  // "-0" is 0.
  return Number(cell.trim()) + 0;
}

/** A cell of a file, and where it is. */
export interface CellAt {
  readonly line: number;
  readonly column: string;
  readonly cell: unknown;
}

/** The error of an invalid or missing cell; `reason` ends the sentence about its value, such as "is not a whole number". */
export function cellError({ line, column, cell }: CellAt, code: ErrorCode, reason: string): RowError {
  if (cell === undefined) return { line, column, code, message: `${column} is missing.` };
  const value = cellText(cell);
  return { line, column, value, code, message: `${column} "${value}" ${reason}.` };
}

/** The error of a row that could not be split into cells. */
export function malformedRow(line: number, problem: string): RowError {
  return { line, code: 'malformed_row', message: `The row ${problem}.` };
}
