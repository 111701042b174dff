import type { TextLines } from './lines.js';

/** The columns of a file from which lines of numbers are read. */
export interface NumberColumns {
  /** The delimiter, as a character code. */
  readonly delimiter: number;
  /**
   * For each column of the file the index of its number, or how else the column is treated: `ignoredColumn`, or
   * `emptyColumn` for one that a line of numbers leaves empty.
   */
  readonly targets: readonly number[];
  /** The most digits of a number, at most 15, which are always exact. */
  readonly digits: number;
}

/** A column that may have any content. */
export const ignoredColumn = -1;
/** A column in which only an empty cell is read as part of a line of numbers. */
export const emptyColumn = -2;

const lineFeed = 10;
const carriageReturn = 13;
const minus = 45;
const zero = 48;
const nine = 57;

/** Whether a character can separate numbers. */
export function separatesNumbers(delimiter: string): boolean {
  return delimiter.length === 1 && !/[-+\w \r\n]/.test(delimiter);
}

/** Receives the lines. */
export interface NumberLineReader {
  /** The numbers of the present line, by their index; NaN for an empty cell. */
  readonly numbers: Float64Array;
  /** How many digits each of them has, leading zeros included. */
  readonly lengths: Uint8Array;
  /** Called for each line of numbers; refuses it with false. */
  readonly onNumbers: (line: number) => boolean;
  /** Called for each other line that is not empty, and for each that was refused. */
  readonly onOther: (content: string, line: number) => void;
}

/**
 * Reads lines without quotes and escapes straight into numbers, in a fifth of the time of splitting them into cells. A line
 * of numbers has the right number of cells, and where numbers are wanted ASCII digits with an optional minus sign, or an
 * empty cell.
 */
export function readNumberLines(
  { text, line: firstLine }: TextLines,
  { delimiter, targets, digits: mostDigits }: NumberColumns,
  { numbers, lengths, onNumbers, onOther }: NumberLineReader,
): void {
  let line = firstLine;
  for (let at = 0; at < text.length; line += 1) {
    const start = at;
    let column = 0;
    let isPlain = true;
    let code: number;
    for (; ; at += 1) {
      const target = targets[column] ?? ignoredColumn;
      const cell = at;
      code = text.charCodeAt(at);
      if (target >= 0) {
        const isNegative = code === minus;
        if (isNegative) code = text.charCodeAt(++at);
        const digits = at;
        let number = 0;
        for (; code >= zero && code <= nine; code = text.charCodeAt(++at)) number = number * 10 + code - zero;
        if (at - digits > mostDigits || (isNegative && at === digits)) isPlain = false;
        lengths[target] = at - digits;
        // Adding 0 makes 0 of −0.
        numbers[target] = at === digits ? Number.NaN : (isNegative ? -number : number) + 0;
      }
      const end = at;
      while (at < text.length && code !== delimiter && code !== lineFeed && code !== carriageReturn) code = text.charCodeAt(++at);
      if ((target >= 0 && at > end) || (target === emptyColumn && at > cell)) isPlain = false;
      column += 1;
      if (at === text.length || code !== delimiter) break;
    }
    const isRead = isPlain && column === targets.length && at > start && onNumbers(line);
    if (!isRead && at > start) onOther(text.slice(start, at), line);
    at += code === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1;
  }
}
