import type { ImportFile, ImportReport, OriginalRow, RowError } from '../domain/imports.js';
import { checkPetRow, importPets, petColumns, type PetDraft, type PetImportOptions } from '../domain/pet-imports.js';
import { openRows, type Row } from '../formats/reader.js';
import type { Engine } from './engine.js';
import { rejectColumns, digested, earlierRun, keyOf, repeated, type ImportColumns } from './imports.js';
import { writingOf, type Worker } from './local.js';

const columns: ImportColumns = {
  columns: petColumns,
  required: ['name', 'category'],
  ignored: ['id', 'categoryId', ...rejectColumns],
  unknownColumns: 'ignore',
};

/** Creates the pets of a file in one transaction. */
export async function importPetFile(engine: Engine, worker: Worker, { bytes, ...source }: ImportFile, options: PetImportOptions): Promise<ImportReport> {
  const passing = digested(bytes);
  const file = await openRows(passing.bytes, { ...source, ...columns });
  const checked: (PetDraft | RowError)[] = [];
  const originals: Row[] = [];
  for await (const rows of file.chunks()) {
    for (const row of rows) {
      checked.push(checkPetRow(row));
      if (options.onRejected) originals.push(row);
    }
  }
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  const sha256 = passing.sha256();
  const key = keyOf(sha256, source.map, options.key);
  const original = (place: number): OriginalRow | undefined => {
    const row = originals[place];
    return row && { format: file.format, header: file.header, original: row.original };
  };
  return engine.write(async (queries) => {
    const tx = await writingOf(queries, { ...worker, source: 'import' }, { note: options.note });
    const { done, skip } = await earlierRun(tx, 'pets', key, sha256);
    if (done) return repeated(done, options);
    return importPets(tx, checked, { key, sha256, alreadyApplied: skip, original }, options);
  }, options.dryRun !== true);
}
