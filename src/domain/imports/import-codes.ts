import { customOperation } from '../operation.js';
import { codeRow, exampleCodeRows } from './code-row.js';
import { importParameters } from './import-options.js';
import { exampleReport, importReport } from './import-report.js';
import { fileRefusals } from './row-error.js';
import * as v from 'valibot';

/** Adds the codes of a file to pets in one transaction. Performed by `Shop.importCodes`. */
export const importCodes = customOperation({
  id: 'importCodes',
  summary: 'Add the codes of a file',
  description:
    'Adds the codes of a file to pets in one transaction: all rows, or with `mode=keep-going` the valid ones. Each row names the pet by its id in the column `petId`, or without one by its unique name in the column `name`, for which a token needs `pets:read` too. A code that the pet has already changes nothing, nor does a row without one; one of another pet is refused with `code_taken`, and one that the file gives to two pets with `duplicate_row`. Codes that a spreadsheet has rounded are refused; `warnings` names those that may have lost leading zeros or have a wrong check digit. The limits are 256 MiB, also after gzip decompression, and 1,000,000 rows. If too many imports are open, the response is 503 before the body is read.',
  tag: 'Codes',
  stability: 'beta',
  method: 'POST',
  path: '/codes/imports',
  status: 200,
  input: v.strictObject(importParameters),
  output: importReport,
  refuses: [...fileRefusals, 'validation_failed'],
  rows: { schema: codeRow, example: exampleCodeRows },
  example: { answer: exampleReport },
  cost: 'shop',
});
