import * as v from 'valibot';
import type { ErrorCode } from '../errors.js';
import { wholeNumber } from '../values/numbers.js';

/** How many row errors a batch and a report keep; the rest are counted. */
export const keptErrors = 1000;

/** What is wrong with one row of a file; `line` is a physical line. */
export const rowError = v.object({
  line: wholeNumber,
  petId: v.optional(wholeNumber),
  column: v.optional(v.string()),
  value: v.optional(v.string()),
  code: v.string(),
  message: v.string(),
});

/** What is wrong with one row of a file. */
export interface RowError {
  readonly line: number;
  readonly petId?: number;
  readonly column?: string;
  readonly value?: string;
  readonly code: ErrorCode;
  readonly message: string;
}

/** A row that was refused, by its index among the rows of its file, from 0: rows of a JSON file can share a line. */
export interface RefusedRow {
  readonly rowIndex: number;
  readonly error: RowError;
}
