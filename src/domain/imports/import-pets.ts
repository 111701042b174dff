import * as v from 'valibot';
import { importParameters, type ImportOptions } from './import-options.js';
import { importReport } from './import-report.js';
import { performs } from '../operation.js';

/** How a file of pets is to be imported. */
export interface PetImportOptions extends ImportOptions {
  /** Create the categories that the file names and the shop lacks. */
  readonly createCategories?: boolean;
}

/** Creates the pets of a file in one transaction; the shop performs it by `importPets`. */
export const importPets = performs({
  id: 'importPets',
  summary: 'Create the pets of a file',
  tag: 'Pets',
  stability: 'beta',
  method: 'POST',
  path: '/pets/imports',
  status: 200,
  input: v.strictObject({ ...importParameters, createCategories: v.optional(v.boolean('must be true or false'), false) }),
  output: importReport,
});
