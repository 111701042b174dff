import { type StockPolicy, stalePolicies } from './stock-move.js';
import { importParameters, type ImportOptions } from './import-options.js';
import { importReport, type StockChange, exampleReport } from './import-report.js';
import { type RowError, fileRefusals } from './row-error.js';
import { customOperation } from '../operation.js';
import { field, flag } from '../values/schemas.js';
import { stockRow } from './stock-row.js';
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
export const importInventory = customOperation({
  id: 'importInventory',
  summary: 'Apply a file of stock figures',
  description:
    'Applies a file of stock figures in one transaction: all of them, or with `mode=keep-going` the good ones. Rows either count (`quantity`) or adjust (`delta`); a row with `expected` is refused when another quantity is on hand. A JSON field that is present but null or empty is an error of its row. Bodies may have 256 MiB, also unpacked where they are gzipped, and 20,000,000 rows; where too many imports are open, the answer is 503 before the body is read.',
  tag: 'Store',
  stability: 'beta',
  method: 'POST',
  path: '/store/imports',
  status: 200,
  input: v.strictObject({
    ...importParameters,
    onStale: v.optional(
      field(
        v.picklist(stalePolicies, `must be one of ${stalePolicies.join(', ')}`),
        'What to do with a row that expects another quantity than is on hand: refuse it (`fail`), set what was counted (`keep-count`), or move what is on hand by the difference (`keep-difference`).',
      ),
      'fail',
    ),
    allowShortage: flag('Accepts a stock that does not cover what is reserved for open orders.'),
  }),
  output: importReport,
  refuses: [...fileRefusals, 'unknown_column', 'ambiguous_columns'],
  rows: {
    schema: stockRow,
    example: [
      { petId: 7, expected: 3, quantity: 5 },
      { petId: 8, expected: 1, quantity: 0 },
    ],
  },
  example: { answer: { ...exampleReport, notInFile: 3 } },
  cost: 'shop',
});
