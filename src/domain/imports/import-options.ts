import { type ImportMode, importMode } from './batch.js';
import type { StopSignal, RowResult } from './import-report.js';
import { flag, field, optional } from '../values/schemas.js';
import type { RowError } from './row-error.js';
import type { OriginalRow } from './import-file.js';
import { quantityNumber } from '../values/numbers.js';
import { noteText } from '../values/text.js';
import * as v from 'valibot';

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

/** The parameters of every import over the contract. */
export const importParameters = {
  dryRun: flag('Does everything and keeps nothing; answers what would happen.'),
  mode: v.optional(field(importMode, 'Whether one bad row refuses the whole file (`atomic`), or only itself (`keep-going`).'), 'atomic'),
  maxErrors: optional(quantityNumber, 'With `mode=keep-going`: refuses the whole file as soon as more rows than this are bad.'),
  note: optional(noteText, 'A note for the ledger.'),
};

/** Whether an import must leave everything as it was, given how many rows were refused. */
export function refusesAll({ mode, maxErrors }: ImportOptions, rejected: number): boolean {
  if (rejected === 0) return false;
  return mode === 'atomic' || (maxErrors !== undefined && rejected > maxErrors);
}
