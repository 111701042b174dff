import { type ImportMode, importMode } from './batch.js';
import type { RowResult } from './import-report.js';
import { flag, field, optional } from '../values/schemas.js';
import type { RowError } from './row-error.js';
import type { OriginalRow } from './import-file.js';
import { quantityNumber } from '../values/numbers.js';
import { filePathText, noteText } from '../values/text.js';
import * as v from 'valibot';

/** The encodings of text that an import reads. Files that are called Latin-1 are read as windows-1252, as the WHATWG Encoding Standard says. */
export const encodings = ['utf-8', 'utf-16', 'latin1', 'windows-1252'] as const;

/** The encoding of a file of text. */
export type Encoding = (typeof encodings)[number];

/** Signals that an import is no longer wanted. AbortSignal implements it. */
export interface StopSignal {
  readonly throwIfAborted: () => void;
  readonly addEventListener?: (event: 'abort', listener: () => void) => void;
}

/** Options of an import. */
export interface ImportOptions {
  readonly mode: ImportMode;
  readonly dryRun?: boolean;
  /** Refuse the whole file if more rows than this are refused. */
  readonly maxErrors?: number | undefined;
  /** The idempotency key of the sender. Default, where a repeated import would do harm: the digest of the file, for all senders. */
  readonly key?: string | undefined;
  readonly note?: string | undefined;
  /** The name of the file, of which the last part is stored; undefined for standard input. */
  readonly fileName?: string | undefined;
  /** The encoding of the file. Default: UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** Stops the import, unless it is being written already. */
  readonly signal?: StopSignal | undefined;
  /** Called with each refused row, in the order of the file, and the row as in the file. */
  readonly onRejected?: ((error: RowError, row: OriginalRow | undefined) => unknown) | undefined;
  /** Called with the result of each row, in the order of the file; only with refused rows if the whole file was refused or applied before. */
  readonly onRow?: ((result: RowResult) => unknown) | undefined;
  /** Called with the unknown columns that are ignored. */
  readonly onIgnored?: ((columns: readonly string[]) => void) | undefined;
}

/** The parameters that all import operations share. */
export const importParameters = {
  dryRun: flag('Checks everything and changes nothing; returns what would happen.'),
  mode: v.optional(field(importMode, 'Whether an invalid row refuses the whole file (`atomic`), or only itself (`keep-going`).'), 'atomic'),
  maxErrors: optional(quantityNumber, 'With `mode=keep-going`: refuses the whole file if more rows than this are invalid.'),
  note: optional(noteText, 'A note for the ledger.'),
  fileName: optional(filePathText, 'The name of the file, for the list of imports; its folders are removed.'),
  encoding: v.optional(
    field(
      v.picklist(encodings, `must be one of ${encodings.join(', ')}`),
      'The encoding of the file. `utf-16` is recognised by its byte order mark, or else by its first character; `latin1` is read as `windows-1252`.',
    ),
    'utf-8',
  ),
};

/** Whether an import with this number of refused rows is refused as a whole. */
export function refusesAll({ mode, maxErrors }: ImportOptions, rejected: number): boolean {
  if (rejected === 0) return false;
  return mode === 'atomic' || (maxErrors !== undefined && rejected > maxErrors);
}
