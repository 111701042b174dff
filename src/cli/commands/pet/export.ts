import { petListing } from './pet-filter.js';
import { petColumns } from './pet-columns.js';
import { recordText } from '../../../domain/values/record-name.js';
import { petRowColumns } from '../../../domain/imports/pet-row.js';
import type { PetRow } from '../../../domain/pets/pet.js';
import type { Command } from '../../command.js';
import { listCommand } from '../../list-command.js';
import type { Columns } from '../../output/view.js';

/** The columns that an import reads: categories by an unambiguous name, and in JSON also category and quantity. */
const exportColumns: Columns<PetRow> = {
  ...petColumns,
  all: petColumns.all.map((column) => (column.name === 'category' ? { ...column, value: ({ category }) => recordText(category) } : column)),
  shown: [...new Set([...petColumns.shown, ...petRowColumns])],
  json: [...new Set([...petColumns.json, ...petRowColumns])],
};

/** The command `pet export`. */
export const petExport: Command = listCommand({
  ...petListing,
  path: ['pet', 'export'],
  summary: 'write all pets as CSV for "pet import", or in another --format',
  columns: exportColumns,
  exports: true,
  readsTexts: true,
  examples: ['petstore pet export', 'petstore pet export --spreadsheet', 'petstore pet export --category Dogs --format ndjson'],
});
