import type { ImportOptions } from '../../../domain/imports/import-options.js';
import type { ImportReport } from '../../../domain/imports/import-report.js';
import type { Command } from '../../command.js';
import { toggle, type FlagValues } from '../../flags.js';
import { importCommand, type ImportTask } from '../../import-command.js';
import { resultsWriter } from '../../output/pet-results.js';

const ownFlags = { createCategories: toggle({ long: 'create-categories', summary: 'create categories that do not exist yet' }) };

async function importPets(
  { context, shop, file }: ImportTask,
  options: ImportOptions,
  { createCategories }: FlagValues<typeof ownFlags>,
): Promise<ImportReport> {
  const { io, settings } = context;
  const results = resultsWriter(io.stdout, settings.format);
  const report = await shop.importPets(file, { ...options, createCategories: createCategories === true, onRow: results?.write });
  await results?.end();
  return report;
}

/** The command `pet import`. */
export const petImport: Command = importCommand({
  path: ['pet', 'import'],
  summary: 'create pets from a CSV, TSV, NDJSON or JSON file, or from standard input with -',
  flags: ownFlags,
  undoable: false,
  lists: true,
  run: importPets,
  examples: [
    'petstore pet import pets.csv',
    `petstore pet import pets.csv --map "Animal's Name=name" --map "Primary Breed=category" --create-categories`,
    'petstore pet import pets.csv --keep-going --rejects bad.csv',
    'petstore pet import pets.csv --format ids',
  ],
});
