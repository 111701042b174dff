import type { CallOptions, Call, ListLines } from './call.js';
import type { BatchDetails } from './imports/batch.js';
import type { ImportFile } from './imports/import-file.js';
import type { ImportReport } from './imports/import-report.js';
import type { LedgerEntry } from './ledger/ledger-entry.js';
import type { Operation } from './operation.js';
import type { PetImportOptions } from './imports/import-pets.js';
import type { StockImportOptions } from './imports/import-inventory.js';
import type { TokenKeeper } from './tokens/token-keeper.js';

/** Who waits for an answer of a shop that serves many. */
export interface Client {
  /** The same for all requests of one client. */
  readonly key: string;
  /** Whether nobody waits for this answer any more. */
  readonly isGone: () => boolean;
}

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
  readonly callEach: <RawInput, Input, Output>(
    operation: Operation<RawInput, Input, Output>,
    inputs: readonly RawInput[],
    options?: CallOptions,
  ) => Promise<readonly Output[]>;
  /** Runs several reads on one snapshot. */
  readonly snapshot: <T>(work: (call: Call, askLines: ListLines) => Promise<T>) => Promise<T>;
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
