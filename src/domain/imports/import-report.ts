import { record, optional, field } from '../values/schemas.js';
import { type Batch, importMode, type ImportMode } from './batch.js';
import { rowError, type RowError } from './row-error.js';
import type { Sender } from '../keys.js';
import { idNumber } from '../values/ids.js';
import { wholeNumber } from '../values/numbers.js';
import { dateTimeText } from '../values/time.js';
import * as v from 'valibot';

/** What an import is known by when it comes again. */
export interface BatchKey extends Pick<Batch, 'kind' | 'key'> {
  /** Who chose the key; undefined where it is the digest of the file, which is the same whoever sends it. */
  readonly sender: Sender | undefined;
}

/** The most rows of one file. */
export const maximumRows = 20_000_000;

/** The most bytes of one file, unpacked. */
export const maximumFileBytes = 4 * 1024 * 1024 * 1024;

/** Says that nobody waits for some work any more; an AbortSignal is one. */
export interface StopSignal {
  readonly throwIfAborted: () => void;
  readonly addEventListener?: (event: 'abort', hear: () => void) => void;
}

/** A change of a pet's quantity. */
export interface StockChange {
  readonly petId: number;
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** How many names that were taken for a category of another name a report lists; the rest are counted. */
export const keptCategoryNames = 100;

/** A name in a file of pets, and the category of another name that it was taken for. */
export const matchedName = v.object({ name: v.string(), category: v.string() });

/** A name in a file of pets, and the category of another name that it was taken for. */
export type MatchedName = v.InferOutput<typeof matchedName>;

/** What the contract shows of an import; `batch` is left out of a dry run. */
export const importReport = record('ImportReport', 'What an import did, or in a dry run would do.', {
  batch: optional(idNumber, 'ID under which the import is kept; a dry run is not.'),
  dryRun: field(v.boolean(), 'Whether nothing was kept.'),
  mode: importMode,
  total: field(wholeNumber, 'Number of rows.'),
  applied: field(wholeNumber, 'Number of rows that changed the shop.'),
  unchanged: field(wholeNumber, 'Number of rows that were so already.'),
  rejected: field(wholeNumber, 'Number of rows that were refused.'),
  alreadyApplied: field(wholeNumber, 'Number of rows that an earlier import of the same file applied.'),
  earlier: optional(
    v.object({ actor: v.string(), at: dateTimeText, undone: v.optional(v.boolean()) }),
    'Who applied the same file earlier, and when; then nothing was applied again.',
  ),
  conflictsOnly: optional(v.boolean(), 'True where rows were refused, and each of them for a conflict with the shop rather than a fault of its own.'),
  notInFile: optional(wholeNumber, 'Number of live pets that the file does not name.'),
  takenFor: optional(
    v.array(matchedName),
    'Names of the file that were taken for a category whose name differs but folds alike, such as `null` for `NULL`, the first 100; absent where there is none.',
  ),
  takenForOmitted: optional(wholeNumber, 'Number of such names that are not listed.'),
  errors: field(v.array(rowError), 'The errors of the rows, the first 1,000.'),
  errorsOmitted: field(wholeNumber, 'Number of row errors that are not listed.'),
});

/** What an import did, or would do. */
export interface ImportReport {
  /** The batch it is kept as; null for a dry run. */
  readonly batch: number | null;
  readonly dryRun: boolean;
  readonly mode: ImportMode;
  readonly total: number;
  readonly applied: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly alreadyApplied: number;
  /** Who applied the file earlier, and when; then nothing was applied again. */
  readonly earlier?: { readonly actor: string; readonly at: string; readonly undone?: true };
  /** Set where rows were refused, and each for a conflict with the shop rather than a fault of its own. */
  readonly conflictsOnly?: true;
  /** Live pets the file does not name; only for stock. */
  readonly notInFile?: number;
  /** The first names that were taken for a category of another name, which folds alike; only for pets. */
  readonly takenFor?: readonly MatchedName[];
  readonly takenForOmitted?: number;
  readonly errors: readonly RowError[];
  readonly errorsOmitted: number;
}

/** The report of the document's examples. */
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

/** What became of one row. */
export interface RowResult {
  readonly line: number;
  /** The pet it counted or created; in a dry run the id that would come next. */
  readonly petId?: number;
  /** The name of the pet, where the row gives one. */
  readonly name?: string;
  readonly outcome: 'applied' | 'unchanged' | 'rejected' | 'already_applied';
  /** The quantities before and after it, of a row that was applied or changed nothing. */
  readonly before?: number;
  readonly after?: number;
  readonly error?: RowError;
}
