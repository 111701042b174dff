import { flag } from '../values/schemas.js';
import { fileRefusals } from './row-error.js';
import { examplePetRows, petRow } from './pet-row.js';
import { exampleReport, importReport } from './import-report.js';
import { importParameters, type ImportOptions } from './import-options.js';
import { customOperation } from '../operation.js';
import * as v from 'valibot';

/** Options of an import of pets. */
export interface PetImportOptions extends ImportOptions {
  /** Create categories in the file that do not exist yet. */
  readonly createCategories?: boolean;
}

/** Creates the pets of a file in one transaction. Performed by `Shop.importPets`. */
export const importPets = customOperation({
  id: 'importPets',
  summary: 'Create the pets of a file',
  description:
    'Creates the pets of a file in one transaction: all rows, or with `mode=keep-going` the valid ones. Sending the same file or the same `Idempotency-Key` again creates nothing twice. The limits are 256 MiB, also after gzip decompression, and 20,000,000 rows. If too many imports are open, the response is 503 before the body is read.',
  tag: 'Pets',
  stability: 'beta',
  method: 'POST',
  path: '/pets/imports',
  status: 200,
  input: v.strictObject({ ...importParameters, createCategories: flag('Creates categories in the file that do not exist yet.') }),
  output: importReport,
  refuses: [...fileRefusals],
  rows: { schema: petRow, example: examplePetRows },
  example: { answer: exampleReport },
  cost: 'shop',
});
