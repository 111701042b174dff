import { allowShortageParameter } from '../inventory/check-reserved.js';
import { petMatches } from './pet-cell.js';
import { stalePolicies, type StockChange, type StockPolicy } from './stock-change.js';
import { importParameters, type ImportOptions } from './import-options.js';
import { exampleReport, importReport } from './import-report.js';
import { type RowError, fileRefusals } from './row-error.js';
import { customOperation } from '../operation.js';
import { field, flag } from '../values/schemas.js';
import { stockRow } from './stock-row.js';
import * as v from 'valibot';

/** Options of a stock import. */
export interface StockImportOptions extends ImportOptions, Partial<StockPolicy> {
  /** How rows give their pet. Default: by the id in the column `petId`, or without one by a code. */
  readonly match?: (typeof petMatches)[number] | undefined;
  /** Ignore unknown columns instead of refusing the file. */
  readonly ignoreUnknown?: boolean | undefined;
  /** Called with the changes made (in a dry run: that would be made), in parts, in the order of the file. */
  readonly onChanges?: ((changes: readonly StockChange[]) => unknown) | undefined;
  /** Called before anything changes (in a dry run: would change); an error thrown from here stops the import. */
  readonly onPreview?: ((preview: StockPreview) => unknown) | undefined;
  /** The `ledgerId` of the preview that was confirmed, if it came from an earlier dry run of the same file. */
  readonly previewedAt?: number | undefined;
}

/** A preview of a stock import. */
export interface StockPreview {
  /** The first changes, by pet id. */
  readonly changes: readonly StockChange[];
  /** The number of changes. */
  readonly total: number;
  /** The number of pets whose stock becomes 0. */
  readonly toZero: number;
  /** The first refused rows, in the order of the file. */
  readonly errors: readonly RowError[];
  readonly rejected: number;
  /** The newest ledger entry when the pets of the codes or names were looked up; absent if the rows give ids. */
  readonly ledgerId?: number | undefined;
}

/** Applies a stock file in one transaction. Performed by `Shop.importStock`. */
export const importInventory = customOperation({
  id: 'importInventory',
  summary: 'Apply a stock file',
  description:
    'Applies a stock file in one transaction: all rows, or with `mode=keep-going` the valid ones. Rows either count (`quantity`) or adjust (`delta`). A row with `expected` is refused unless that quantity is on hand. A JSON field that is present but null or empty is an error of its row. The limits are 256 MiB, also after gzip decompression, and 20,000,000 rows. If too many imports are open, the response is 503 before the body is read.',
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
        'What to do with a row whose `expected` quantity is not on hand: refuse it (`fail`), set the counted quantity (`keep-count`), or change the stock by `quantity` − `expected` (`keep-difference`).',
      ),
      'fail',
    ),
    match: v.optional(
      field(
        v.picklist(petMatches, `must be one of ${petMatches.join(', ')}`),
        'Whether rows give the pet by its id in the column `petId` (or where that is empty by a code in the column `code`), by its unique name in the column `name`, or by a code in the column `code`. A cell such as `code:4006381333931`, `name:Rex` or `id:7` says itself what it is. Case and accents of names do not matter unless they tell two pets apart; for names a token needs `pets:read` too. A code that means several units multiplies `quantity` and `delta`, not `expected`.',
      ),
      'id',
    ),
    ignoreUnknown: flag('Ignores unknown columns instead of refusing the file with `unknown_column`.'),
    allowShortage: allowShortageParameter,
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
