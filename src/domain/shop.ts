import type { CallOptions, Call } from './call.js';
import type { ImportFile } from './imports/import-file.js';
import type { ImportOptions } from './imports/import-options.js';
import type { ImportReport } from './imports/import-report.js';
import type { LedgerPosition } from './ledger/ledger-position.js';
import type { NamedEntry } from './ledger/named-entry.js';
import type { Operation } from './operation.js';
import type { PetImportOptions } from './imports/import-pets.js';
import type { UndoReport } from './imports/undo-batch.js';
import type { StockImportOptions } from './imports/import-inventory.js';
import type { SessionKeeper } from './sessions/session-keeper.js';
import type { HookKeeper } from './hooks/hook-keeper.js';
import type { TokenKeeper } from './tokens/token-keeper.js';

/** A client of a server, which shares the shop with others. */
export interface Client {
  /** Identifies the client; the same for all its requests. */
  readonly key: string;
  /** Whether the client has disconnected. */
  readonly isGone: () => boolean;
}

/** Options of an undo. */
export interface UndoOptions extends Pick<CallOptions, 'dryRun' | 'note' | 'key' | 'onReplay' | 'ifMatch' | 'ifNoneMatch'> {
  readonly allowShortage?: boolean;
}

/** A shop, local or on a server: the interface that CLI and HTTP use. */
export interface Shop {
  readonly call: Call;
  /** Runs one operation for several inputs in one transaction, all or none. */
  readonly callEach: <RawInput, Input, Output>(
    operation: Operation<RawInput, Input, Output>,
    inputs: readonly RawInput[],
    options?: CallOptions,
  ) => Promise<readonly Output[]>;
  /** Runs several reads on one snapshot of the data. */
  readonly snapshot: <T>(work: (call: Call) => Promise<T>) => Promise<T>;
  /** Creates the pets of a file in one transaction. */
  readonly importPets: (file: ImportFile, options: PetImportOptions) => Promise<ImportReport>;
  /** Adds the codes of a file in one transaction. */
  readonly importCodes: (file: ImportFile, options: ImportOptions) => Promise<ImportReport>;
  /** Applies a stock file in one transaction. */
  readonly importStock: (file: ImportFile, options: StockImportOptions) => Promise<ImportReport>;
  /** Undoes a whole bulk import; later changes are kept. */
  readonly undoBatch: (batchId: number, options: UndoOptions) => Promise<UndoReport>;
  /** The access tokens of the shop. */
  readonly tokens: TokenKeeper;
  /** The sessions of web pages. */
  readonly sessions: SessionKeeper;
  /** What only the owner does with webhooks. */
  readonly hooks: HookKeeper;
  /** The ledger entries after a position, or from now on, as they are written. Ends when the reader stops iterating; refuses with `cursor_expired` when the ledger no longer has the last entry. */
  readonly follow: (after?: LedgerPosition) => AsyncIterable<readonly NamedEntry[]>;
  /** A number that every change of the shop changes, also one of another process; undefined where only reading tells. */
  readonly changeMark: () => number | undefined;
  /** The address of the shop for display, without a password. */
  readonly where: string;
  readonly close: () => Promise<void>;
}
