import { record, optional, field } from '../values/schemas.js';
import { importMode } from './batch.js';
import { rowError, rowWarning, type RowError } from './row-error.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** The most warnings in a report; the others are only counted. */
export const keptWarnings = 100;

/** The report of an import in the contract; a dry run has no `batch`. */
export const importReport = record('ImportReport', 'What an import did, or would do in a dry run.', {
  batch: optional(idNumber, 'ID of the import; absent in a dry run.'),
  dryRun: field(v.boolean(), 'Whether this was a dry run, which changes nothing.'),
  mode: importMode,
  total: field(wholeNumber, 'Number of rows.'),
  applied: field(wholeNumber, 'Number of rows that changed the shop.'),
  unchanged: field(wholeNumber, 'Number of rows that changed nothing.'),
  rejected: field(wholeNumber, 'Number of rows that were refused.'),
  alreadyApplied: field(wholeNumber, 'Number of rows that an earlier import of the same file applied already.'),
  earlier: optional(
    v.object({ actor: v.string(), at: dateTimeText, undone: v.optional(v.boolean()) }),
    'Who applied the same file before, and when. If present, nothing was applied again.',
  ),
  conflictsOnly: optional(v.boolean(), 'True if rows were refused, and all of them for a conflict with the shop, not for an error in the row itself.'),
  notInFile: optional(wholeNumber, 'Number of pets that are not in the file.'),
  multiplied: optional(wholeNumber, 'Number of rows whose number was multiplied by the units of a code, such as a carton; absent if there are none.'),
  warnings: optional(
    v.array(rowWarning),
    'What to check about rows that were not refused, such as a category that was found in another spelling; the first 100, absent if there is nothing.',
  ),
  warningsOmitted: optional(wholeNumber, 'Number of warnings that are not listed.'),
  errors: field(v.array(rowError), 'The errors of the rows, the first 1,000.'),
  errorsOmitted: field(wholeNumber, 'Number of row errors that are not listed.'),
});

/** What an import did, or would do in a dry run, whose batch is null. */
export type ImportReport = Omit<v.InferOutput<typeof importReport>, 'batch' | 'errors'> & {
  readonly batch: number | null;
  readonly errors: readonly RowError[];
};

/** The import report in the examples of the OpenAPI document. */
export const exampleReport: ImportReport = {
  batch: 41,
  dryRun: false,
  mode: 'atomic',
  total: 2,
  applied: 2,
  unchanged: 0,
  rejected: 0,
  alreadyApplied: 0,
  errors: [],
  errorsOmitted: 0,
};

/** The result of one row. */
export interface RowResult {
  readonly line: number;
  /** The pet that was counted or created; in a dry run, the id that it would get. */
  readonly petId?: number;
  /** The name of the pet, if the row contains it. */
  readonly name?: string;
  readonly outcome: 'applied' | 'unchanged' | 'rejected' | 'already_applied';
  /** The quantities on hand before and after a row that was applied or changed nothing. */
  readonly before?: number;
  readonly after?: number;
  readonly error?: RowError;
}
