import { record, field, optional } from '../values/schemas.js';
import type { ErrorCode } from '../errors.js';
import { wholeNumber } from '../values/numbers.js';
import * as v from 'valibot';

/** The most row errors in a batch and a report; the others are only counted. */
export const keptErrors = 1000;

/** The error of one row of a file; `line` is the physical line where the row starts. */
export const rowError = record('RowError', 'Why one row of a file was refused.', {
  line: field(wholeNumber, 'Line of the file, counted from 1.'),
  petId: optional(wholeNumber, 'ID of the animal.'),
  column: optional(v.string(), 'The column that is wrong.'),
  value: optional(v.string(), 'The value in that column.'),
  code: field(v.string(), 'Machine-readable error code.'),
  message: field(v.string(), 'Human-readable description.'),
});

/** The error of one row of a file. */
export type RowError = Omit<v.InferOutput<typeof rowError>, 'code'> & { readonly code: ErrorCode };

/** What to check about a row that was not refused. */
export const rowWarning = v.object({ line: wholeNumber, value: v.string(), message: v.string() });

/** What to check about a row that was not refused. */
export type RowWarning = v.InferOutput<typeof rowWarning>;

/** The row error in the examples of the OpenAPI document. */
export const exampleRowError: RowError = { line: 3, petId: 99, column: 'petId', value: '99', code: 'unknown_pet', message: 'There is no pet 99.' };

/** A refused row and its index in the file, from 0; the line is not enough, because rows of a JSON file can share one. */
export interface RefusedRow {
  readonly rowIndex: number;
  readonly error: RowError;
}

/** The error codes of an import: of a file that cannot be read, and of refused rows. */
export const fileRefusals = [
  'import_refused',
  'not_utf8',
  'malformed_csv',
  'malformed_json',
  'empty_file',
  'missing_column',
  'duplicate_column',
] as const satisfies readonly ErrorCode[];
