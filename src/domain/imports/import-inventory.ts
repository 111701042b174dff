import { type StockPolicy, stalePolicies } from './stock-move.js';
import { importParameters, type ImportOptions } from './import-options.js';
import { importReport, type StockChange } from './import-report.js';
import type { RowError } from './row-error.js';
import { performs } from '../operation.js';
import * as v from 'valibot';

/** How a file of stock figures is to be imported. */
export interface StockImportOptions extends ImportOptions, Partial<StockPolicy> {
  /** Told what changed, or would in a dry run, bit by bit in the order of the file. */
  readonly onChanges?: ((changes: readonly StockChange[]) => unknown) | undefined;
  /** Told what is about to change, or would in a dry run; a refusal thrown from here leaves everything as it is. */
  readonly onPreview?: ((preview: StockPreview) => unknown) | undefined;
}

/** What an import of stock figures changes, for people to look at. */
export interface StockPreview {
  /** The first changes in the order of the pets. */
  readonly changes: readonly StockChange[];
  /** How many changes there are. */
  readonly total: number;
  /** Pets that drop to zero. */
  readonly toZero: number;
  /** The first rows that are refused, in the order of the file, and how many there are. */
  readonly errors: readonly RowError[];
  readonly rejected: number;
}

/** Applies a file of stock figures in one transaction; the shop performs it by `importStock`. */
export const importInventory = performs({
  id: 'importInventory',
  summary: 'Apply a file of stock figures',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports',
  status: 200,
  input: v.strictObject({
    ...importParameters,
    onStale: v.optional(v.picklist(stalePolicies, `must be one of ${stalePolicies.join(', ')}`), 'fail'),
    allowShortage: v.optional(v.boolean('must be true or false'), false),
  }),
  output: importReport,
});
