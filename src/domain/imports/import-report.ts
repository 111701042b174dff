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
export const takenName = v.object({ name: v.string(), category: v.string() });

/** A name in a file of pets, and the category of another name that it was taken for. */
export type TakenName = v.InferOutput<typeof takenName>;

/** What the contract shows of an import; `batch` is left out of a dry run. */
export const importReport = v.object({
  batch: v.optional(idNumber),
  dryRun: v.boolean(),
  mode: importMode,
  total: wholeNumber,
  applied: wholeNumber,
  unchanged: wholeNumber,
  rejected: wholeNumber,
  alreadyApplied: wholeNumber,
  earlier: v.optional(v.object({ actor: v.string(), at: dateTimeText, undone: v.optional(v.boolean()) })),
  conflictsOnly: v.optional(v.boolean()),
  notInFile: v.optional(wholeNumber),
  takenFor: v.optional(v.array(takenName)),
  takenForOmitted: v.optional(wholeNumber),
  errors: v.array(rowError),
  errorsOmitted: wholeNumber,
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
  readonly takenFor?: readonly TakenName[];
  readonly takenForOmitted?: number;
  readonly errors: readonly RowError[];
  readonly errorsOmitted: number;
}

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
