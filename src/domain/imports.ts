import * as v from 'valibot';
import type { ErrorCode } from './errors.js';
import type { Sender } from './keys.js';
import { idNumber, notFound, quantityNumber, wholeNumber } from './numbers.js';
import { lists, reads, type Page } from './operation.js';
import { page, pageParameters, type Slice } from './page.js';
import { noteText } from './text.js';
import { dateTimeText } from './time.js';

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

/** Whether one bad row refuses the whole file, or only itself. */
export const importMode = v.picklist(['atomic', 'keep-going'], 'must be atomic or keep-going');
/** Whether one bad row refuses the whole file, or only itself. */
export type ImportMode = v.InferOutput<typeof importMode>;

/** One bulk import, as it is kept. */
export const batch = v.object({
  id: idNumber,
  kind: v.picklist(['stock', 'pets']),
  state: v.picklist(['applied', 'partial', 'refused', 'undone']),
  key: v.string(),
  sha256: v.string(),
  actor: v.string(),
  at: dateTimeText,
  mode: importMode,
  note: v.optional(v.string()),
  total: wholeNumber,
  applied: wholeNumber,
  unchanged: wholeNumber,
  rejected: wholeNumber,
});
/** One bulk import, as it is kept. */
export type Batch = v.InferOutput<typeof batch>;

/** A bulk import with the errors of its rows, the first 1,000. */
export const batchDetails = v.object({ ...batch.entries, errors: v.array(rowError) });
/** A bulk import with the errors of its rows, the first 1,000. */
export interface BatchDetails extends Batch {
  readonly errors: readonly RowError[];
}

/** A row that was refused, by its place among the rows of its file, from 0: rows of a JSON file can share a line. */
export interface RefusedRow {
  readonly place: number;
  readonly error: RowError;
}

/** What an import is known by when it comes again. */
export interface BatchKey extends Pick<Batch, 'kind' | 'key'> {
  /** Who chose the key; undefined where it is the digest of the file, which is the same whoever sends it. */
  readonly sender: Sender | undefined;
}

/** The bulk imports, for reading. */
export interface BatchReader {
  get(id: number): Promise<BatchDetails | undefined>;
  list(slice: Slice<'id'>): Promise<readonly Batch[]>;
  count(bound?: number): Promise<number>;
  /** The latest batch whose rows were applied under a key: any batch of its sender, or those of this kind where nobody chose the key. */
  applied(known: BatchKey): Promise<Batch | undefined>;
  /** The places of the rows a batch refused, such as "3-5,9". */
  refusedRows(id: number): Promise<string>;
}

/** The bulk imports. */
export interface BatchWriter extends BatchReader {
  insert(draft: Omit<Batch, 'id' | 'at' | 'actor' | 'note'> & BatchKey, errors: readonly RowError[], refusedRows: string): Promise<number>;
  /** Marks a batch as undone. */
  markUndone(id: number): Promise<void>;
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

/** A file to import: its bytes, and what to know to read them. */
export interface ImportFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The file's name; undefined is standard input. */
  readonly name?: string | undefined;
  readonly format?: 'csv' | 'tsv' | 'ndjson' | 'json' | undefined;
  readonly delimiter?: string | undefined;
  /** What each of their headers is called here. */
  readonly map: ReadonlyMap<string, string>;
  /** The most bytes it may have, unpacked; `maximumFileBytes` unless told otherwise. */
  readonly maximumBytes?: number | undefined;
}

/** A row as the file had it: its cells under the file's header, or a JSON record. */
export interface OriginalRow {
  readonly format: 'csv' | 'tsv' | 'ndjson' | 'json';
  readonly header: readonly string[];
  readonly original: readonly string[] | Readonly<Record<string, unknown>>;
}

/** How an import is asked for. */
export interface ImportOptions {
  readonly mode: ImportMode;
  readonly dryRun?: boolean;
  /** Refuse everything as soon as more rows than this are refused. */
  readonly maxErrors?: number | undefined;
  /** The idempotency key of the sender; without one the file's own digest serves, for all senders, where a repeat would do harm. */
  readonly key?: string | undefined;
  readonly note?: string | undefined;
  /** Stops the import when nobody waits for it any more, unless it is being written already. */
  readonly signal?: StopSignal | undefined;
  /** Told of each refused row, in the order of the file, with the row as the file had it. */
  readonly onRejected?: ((error: RowError, row: OriginalRow | undefined) => unknown) | undefined;
  /** Told what became of each row, in the order of the file, unless all of it came to nothing or was applied before: then of refused rows alone. */
  readonly onRow?: ((result: RowResult) => unknown) | undefined;
  /** Told of the columns that are not read because nobody knows them. */
  readonly onIgnored?: ((columns: readonly string[]) => void) | undefined;
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

/** The parameters of every import over the contract. */
export const importParameters = {
  dryRun: v.optional(v.boolean('must be true or false'), false),
  mode: v.optional(importMode, 'atomic'),
  maxErrors: v.optional(quantityNumber),
  note: v.optional(noteText),
};

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

/** What became of a batch that brought in `done` rows (applied, or as they should be already) and refused some. */
export function batchState(done: number, rejected: number): 'applied' | 'partial' | 'refused' {
  if (rejected === 0) return 'applied';
  return done > 0 ? 'partial' : 'refused';
}

/** Whether an import must leave everything as it was, given how many rows were refused. */
export function refusesAll({ mode, maxErrors }: ImportOptions, rejected: number): boolean {
  if (rejected === 0) return false;
  return mode === 'atomic' || (maxErrors !== undefined && rejected > maxErrors);
}

/** Lists bulk imports. */
export const listBatches = lists({
  id: 'listBatches',
  summary: 'List bulk imports',
  tag: 'Store',
  stability: 'beta',
  path: '/store/imports',
  input: v.strictObject(pageParameters(['id'])),
  output: batch,
  run: (tx, asked): Promise<Page<Batch>> =>
    page(
      'batches',
      asked,
      {},
      {
        keys: { id: 'id' },
        list: (slice: Slice<'id'>) => tx.batches.list(slice),
        position: ({ id }) => ({ key: id, id }),
        total: () => tx.batches.count(),
      },
    ),
});

/** Reads one bulk import with its row errors. */
export const getBatch = reads({
  id: 'getBatch',
  summary: 'Read a bulk import with its row errors',
  tag: 'Store',
  stability: 'beta',
  path: '/store/imports/{batchId}',
  input: v.strictObject({ batchId: idNumber }),
  output: batchDetails,
  run: async (tx, { batchId }) => {
    const found = await tx.batches.get(batchId);
    if (found === undefined) throw notFound('batch', batchId);
    return found;
  },
});
