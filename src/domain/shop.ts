import type { Conditions } from './conditions.js';
import type { BatchDetails, ImportFile, ImportReport } from './imports.js';
import type { LedgerEntry } from './ledger.js';
import type { Lines, ListOperation, Operation } from './operation.js';
import type { PetImportOptions } from './pet-imports.js';
import type { StockImportOptions } from './stock-imports.js';
import type { TokenKeeper } from './tokens.js';

/** What a caller may say about one request besides its input. */
export interface CallOptions extends Conditions {
  /** Runs everything and keeps nothing. */
  readonly dryRun?: boolean | undefined;
  /** Repeats under the same key answer the first answer again and change nothing. */
  readonly key?: string | undefined;
  /** Goes into every ledger row of the request. */
  readonly note?: string | undefined;
  /** Told when the answer was replayed from an earlier request. */
  readonly onReplay?: () => void;
}

/** Who waits for an answer of a shop that serves many. */
export interface Client {
  /** The same for all requests of one client. */
  readonly key: string;
  /** Whether nobody waits for this answer any more. */
  readonly isGone: () => boolean;
}

/** Asks one operation of a shop, wherever it lives. */
export type Call = <Asked, Input, Output>(operation: Operation<Asked, Input, Output>, input: Asked, options?: CallOptions) => Promise<Output>;

/** Asks for a list as lines of TSV; undefined where the shop has no quicker way to them than its records. */
export type AskLines = <Asked, Input, Item>(
  operation: ListOperation<Asked, Input, Item>,
  input: Asked,
  columns: readonly string[],
  limit: number,
) => AsyncIterable<Lines> | undefined;

/** How an undo is asked for. */
export interface UndoOptions extends Pick<CallOptions, 'dryRun' | 'note' | 'key' | 'onReplay' | 'ifMatch' | 'ifNoneMatch'> {
  readonly allowShortage?: boolean;
}

/** What an undo took back. */
export interface UndoReport {
  readonly batch: BatchDetails;
  /** How many rows were taken back; those undone one by one before are not among them. */
  readonly rows: number;
}

/** A shop, wherever it lives: every door talks to this. */
export interface Shop {
  readonly call: Call;
  /** Asks one operation for several inputs in one transaction: all of them or none. */
  readonly callEach: <Asked, Input, Output>(
    operation: Operation<Asked, Input, Output>,
    inputs: readonly Asked[],
    options?: CallOptions,
  ) => Promise<readonly Output[]>;
  /** Runs several reads on one snapshot. */
  readonly snapshot: <T>(work: (call: Call, askLines: AskLines) => Promise<T>) => Promise<T>;
  /** Creates the pets of a file in one transaction. */
  readonly importPets: (file: ImportFile, options: PetImportOptions) => Promise<ImportReport>;
  /** Applies a file of stock figures in one transaction. */
  readonly importStock: (file: ImportFile, options: StockImportOptions) => Promise<ImportReport>;
  /** Takes a whole bulk import back, on top of what happened since. */
  readonly undoBatch: (batchId: number, options: UndoOptions) => Promise<UndoReport>;
  /** Who may ask from elsewhere. */
  readonly tokens: TokenKeeper;
  /** The entries of the ledger behind one, or from now on, as they are written; it goes on until its reader stops. */
  readonly follow: (after?: number) => AsyncIterable<readonly LedgerEntry[]>;
  /** Where the shop lives, as people write it. */
  readonly where: string;
  readonly close: () => Promise<void>;
}
