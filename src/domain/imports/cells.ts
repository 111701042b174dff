import type { ErrorCode } from '../errors.js';
import type { RowError } from './row-error.js';

/** One row of a file as it was read: its physical line and the cells of the columns asked for, in their order. */
export interface FileRow {
  readonly line: number;
  readonly cells: readonly unknown[];
  /** Why the row could not be split into cells. */
  readonly problem?: string;
  /** Set for a JSON record, whose absent fields are undefined. */
  readonly isJson?: true;
}

const shownValue = 60;

function jsonText(cell: unknown): string {
  try {
    return JSON.stringify(cell) ?? '';
  } catch {
    // Lists within lists can go deeper than the stack.
    return Array.isArray(cell) ? '[…]' : '{…}';
  }
}

/** A cell as a message shows it. */
export function cellText(cell: unknown): string {
  const text = typeof cell === 'string' ? cell : jsonText(cell);
  return text.length > shownValue ? `${text.slice(0, shownValue)}…` : text;
}

/** Whether nothing stands in a cell. */
export function isBlank(cell: unknown): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/**
 * Whether a cell of an optional column was left out: a field that a JSON record lacks, or a blank cell of CSV or TSV, which
 * cannot say so otherwise. A field that is present but null or empty is a value, and a wrong one.
 */
export function isLeftOut(cell: unknown, { isJson }: FileRow): boolean {
  return isJson === true ? cell === undefined : isBlank(cell);
}

/**
 * The integer in a cell, or undefined when there is none: in text files ASCII digits with an optional minus, in JSON
 * a number without a fraction. "1e3", "1,000", "1.0" and full-width digits are none; "+5" is one only where a change
 * is asked for, because among counted figures it is a change somebody put in the wrong column.
 */
export function integerIn(cell: unknown, plus: 'plus' | 'no plus' = 'no plus'): number | undefined {
  if (typeof cell === 'number') return Number.isInteger(cell) ? cell : undefined;
  const pattern = plus === 'plus' ? /^[+-]?[0-9]{1,30}$/ : /^-?[0-9]{1,30}$/;
  if (typeof cell !== 'string' || !pattern.test(cell.trim())) return undefined;
  // "-0" is 0.
  return Number(cell.trim()) + 0;
}

/** The report of a bad cell, or of one that is not there: a JSON record may lack it. */
export function cellError(line: number, column: string, cell: unknown, code: ErrorCode, reason: string): RowError {
  if (cell === undefined) return { line, column, code, message: `${column} is missing.` };
  const value = cellText(cell);
  return { line, column, value, code, message: `${column} "${value}" ${reason}.` };
}

/** The report of a row that could not be split into cells. */
export function malformedRow(line: number, problem: string): RowError {
  return { line, code: 'malformed_row', message: `The row ${problem}.` };
}
