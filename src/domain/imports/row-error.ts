import { record, field, optional } from '../values/schemas.js';
import type { ErrorCode } from '../errors.js';
import { wholeNumber } from '../values/numbers.js';
import * as v from 'valibot';

/** How many row errors a batch and a report keep; the rest are counted. */
export const keptErrors = 1000;

/** What is wrong with one row of a file; `line` is a physical line. */
export const rowError = record('RowError', 'Why one row of a file was refused.', {
  line: field(wholeNumber, 'Line of the file, from 1, counted as an editor does.'),
  petId: optional(wholeNumber, 'ID of the animal.'),
  column: optional(v.string(), 'The column that is wrong.'),
  value: optional(v.string(), 'What stands there.'),
  code: field(v.string(), 'Machine-readable error code.'),
  message: field(v.string(), 'Human-readable description.'),
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

/** The row error of the document's examples. */
export const exampleRowError: RowError = { line: 3, petId: 99, column: 'petId', value: '99', code: 'unknown_pet', message: 'There is no pet 99.' };

/** A row that was refused, by its index among the rows of its file, from 0: rows of a JSON file can share a line. */
export interface RefusedRow {
  readonly rowIndex: number;
  readonly error: RowError;
}

/** The refusals of a file none of whose rows can be read, and of an import whose rows are refused. */
export const fileRefusals = [
  'import_refused',
  'not_utf8',
  'malformed_csv',
  'malformed_json',
  'empty_file',
  'missing_column',
  'duplicate_column',
] as const satisfies readonly ErrorCode[];
