import { flag } from '../values/schemas.js';
import { fileRefusals } from './row-error.js';
import { petRow } from './pet-row.js';
import { exampleReport, importReport } from './import-report.js';
import { importParameters, type ImportOptions } from './import-options.js';
import { customOperation } from '../operation.js';
import * as v from 'valibot';

/** How a file of pets is to be imported. */
export interface PetImportOptions extends ImportOptions {
  /** Create the categories that the file names and the shop lacks. */
  readonly createCategories?: boolean;
}

/** Creates the pets of a file in one transaction; the shop performs it by `importPets`. */
export const importPets = customOperation({
  id: 'importPets',
  summary: 'Create the pets of a file',
  description:
    'Creates the pets of a file in one transaction: all of them, or with `mode=keep-going` the good ones. The same file or the same `Idempotency-Key` again creates nothing twice. Bodies may have 256 MiB, also unpacked where they are gzipped, and 20,000,000 rows; where too many imports are open, the answer is 503 before the body is read.',
  tag: 'Pets',
  stability: 'beta',
  method: 'POST',
  path: '/pets/imports',
  status: 200,
  input: v.strictObject({ ...importParameters, createCategories: flag('Creates the categories that the file names and the shop lacks.') }),
  output: importReport,
  refuses: [...fileRefusals],
  rows: {
    schema: petRow,
    example: [
      { name: 'Rex', category: 'Dogs', status: 'available', quantity: 3 },
      { name: 'Luna', category: 'Cats', status: 'pending', quantity: 1 },
    ],
  },
  example: { answer: exampleReport },
  cost: 'shop',
});
