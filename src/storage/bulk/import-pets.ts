import { codeTakenText } from '../../domain/codes/add-code.js';
import { codeKey } from '../../domain/codes/code.js';
import { refusesAll } from '../../domain/imports/import-options.js';
import { categoryError } from '../../domain/imports/resolve-category.js';
import type { RowError } from '../../domain/imports/row-error.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportReport, RowResult } from '../../domain/imports/import-report.js';
import { codeWarning, type CodeDraft } from '../../domain/imports/code-row.js';
import { checkPetRow, maximumCategories, petRow, petRowColumns } from '../../domain/imports/pet-row.js';
import type { PetImportOptions } from '../../domain/imports/import-pets.js';
import { openingQuantity } from '../../domain/pets/pet.js';
import { isOptional } from '../../domain/values/fields.js';
import { fold } from '../../domain/values/text.js';
import { openRows } from '../../formats/reader.js';
import type { Row } from '../../formats/rows.js';
import type { Engine } from '../engine.js';
import type { Queries, WriteQueries } from '../queries.js';
import { insertCodes } from './batch-codes.js';
import { beginImport, hashed, identifyFile, recordBatch, repeatedReport, reportOf, tooMany, updateStatistics, type ReadImport } from './import-batch.js';
import type { Caller } from '../../domain/caller.js';
import { createPets, importedCells, type StagedColumns, type StagedPet } from './new-pets.js';
import { storedCodes, type StoredCode } from './stored-codes.js';
import { categoryResolver, createCategories } from './pet-categories.js';
import { readAgain, refusedRows, rejectColumns, type ImportColumns, type RefusedRows } from './refused-rows.js';
import { blockOfNumbers, rowNumbers } from './row-changes.js';
import { rowSet } from './row-set.js';
import { rowFile, type RowFile } from './text-file.js';
import { storedFile, type StoredFile } from '../../formats/stored-file.js';
import { codesByKey } from '../tables/code-table.js';
import { highestId } from '../tables/ids.js';
import { petNames } from '../tables/pet-table.js';

const columns: ImportColumns = {
  columns: petRowColumns,
  required: petRowColumns.filter((column) => !isOptional(petRow.entries[column])),
  ignored: ['id', 'categoryId', ...rejectColumns],
  unknownColumns: 'ignore',
};

type Source = Omit<ImportFile, 'bytes'>;

/** Reads a pet file; valid rows are staged, others refused. */
async function readFile(
  { bytes, ...source }: ImportFile,
  options: PetImportOptions,
  { staged, codes, refused }: Pick<Import, 'staged' | 'codes' | 'refused'>,
): Promise<Pick<Import, 'total' | 'facts'> & { readonly sha256: string }> {
  const passing = hashed(bytes);
  const file = await openRows(passing.bytes, { ...source, ...columns, encoding: options.encoding, signal: options.signal });
  const spellings = new Map<string, number>();
  const [categories, lines, held] = [rowNumbers(blockOfNumbers), rowNumbers(blockOfNumbers), rowSet()];
  let rowIndex = 0;
  for await (const rows of file.chunks()) {
    const good: StagedPet[] = [];
    for (const row of rows) {
      const checked = checkPetRow(row);
      if ('code' in checked) refused.add({ rowIndex, error: checked });
      else {
        const { line, name, category, codes: codesOfPet, status, quantity } = checked;
        if (!spellings.has(category)) {
          if (spellings.size === maximumCategories) throw tooMany(maximumCategories, 'categories', source.name);
          // Copied: `category` may be a slice that keeps a much longer string in memory.
          spellings.set(Buffer.from(category).toString(), spellings.size + 1);
        }
        // The index of the row stands for the id of the pet until that is known.
        codes.add(
          rowIndex,
          codesOfPet.map((one) => ({ line, petId: rowIndex, ...one })),
        );
        categories.set(rowIndex, spellings.get(category) ?? 0);
        lines.set(rowIndex, line);
        if (status === 'pending') held.add(rowIndex);
        good.push({ rowIndex, folded: fold(name), opening: openingQuantity(status, quantity), cells: importedCells(checked) });
      }
      rowIndex += 1;
    }
    staged.add(good);
  }
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  codes.refuseGivenTwice((row, error) => refused.add({ rowIndex: row, error: { ...error, column: 'codes' } }), 'and each row becomes a pet of its own');
  return { total: rowIndex, sha256: passing.sha256(), facts: { spellings: [...spellings.keys()], categories, lines, held } };
}

/** The created pets: consecutive ids in file order, without those of the rows that an earlier import applied. */
interface Created {
  readonly lastIdBefore: number;
  readonly wasApplied: (rowIndex: number) => boolean;
}

function resultOf(row: Row, error: RowError | undefined, petId: number | undefined): RowResult {
  const { line } = row;
  const checked = checkPetRow(row);
  const named = 'name' in checked ? { line, name: checked.name } : { line };
  if (error) return { ...named, outcome: 'rejected', error };
  return petId === undefined ? { ...named, outcome: 'already_applied' } : { ...named, petId, outcome: 'applied' };
}

/** Reads the file a second time and reports each row, refused rows in their original form. */
async function reportRows(kept: StoredFile, source: Source, refused: RefusedRows, created: Created | undefined, options: PetImportOptions): Promise<void> {
  const { onRejected, onRow, encoding } = options;
  let petId = created?.lastIdBefore ?? 0;
  await readAgain(kept, source, { ...columns, encoding, refused, onRejected }, async (rows, first) => {
    for (const [index, row] of rows.entries()) {
      const error = refused.at(first + index);
      const isNew = error === undefined && created?.wasApplied(first + index) === false;
      if (isNew) petId += 1;
      if (error || created) await onRow?.(resultOf(row, error, isNew ? petId : undefined));
    }
  });
}

interface Import extends ReadImport {
  readonly options: PetImportOptions;
  readonly codes: ReturnType<typeof storedCodes>;
  readonly facts: StagedColumns;
  readonly staged: RowFile<StagedPet>;
}

/** Refuses the rows whose codes belong to pets of the shop; the first error of each row is kept. */
async function refuseTakenCodes(queries: Queries, codes: readonly StoredCode[], refused: RefusedRows): Promise<void> {
  const known = await codesByKey(queries, [...new Set(codes.map(([, { code }]) => codeKey(code)))].toSorted());
  const names = await petNames(queries, [...new Set([...known.values()].map(({ petId }) => petId))]);
  for (const [rowIndex, { line, code: value }] of codes) {
    const found = known.get(codeKey(value));
    if (found === undefined || refused.has(rowIndex)) continue;
    const message = codeTakenText(found, names.get(found.petId) ?? '');
    refused.addProvisional({ rowIndex, error: { line, column: 'codes', value, code: 'code_taken', message } });
  }
}

/** The codes of the pets that were created with consecutive ids. */
function* codesLeft(codes: Import['codes'], isLeft: (rowIndex: number) => boolean, lastIdBefore: number): Generator<readonly CodeDraft[], void> {
  let [petId, next] = [lastIdBefore, 0];
  for (const block of codes.blocks()) {
    yield block.flatMap(([rowIndex, draft]) => {
      for (; next <= rowIndex; next += 1) petId += Number(isLeft(next));
      return isLeft(rowIndex) ? [{ ...draft, petId }] : [];
    });
  }
}

/** Checks inside the write transaction which pets to create, creates them, and builds the report. */
async function apply(run: Import, queries: WriteQueries) {
  const { engine, caller, options, total, codes, facts, staged, refused } = run;
  // Refusals of an earlier attempt of this transaction no longer count.
  refused.clearProvisional();
  const { tx, earlier } = await beginImport(run, queries);
  const { complete, wasApplied } = earlier;
  if (complete) return { report: repeatedReport(complete, options), created: undefined };
  const isLeft = (rowIndex: number): boolean => !refused.has(rowIndex) && !wasApplied(rowIndex);
  const { resolution, problemOf } = categoryResolver(tx, { create: options.createCategories === true });
  for (const block of codes.blocks()) {
    const left = block.filter(([rowIndex]) => isLeft(rowIndex));
    await refuseTakenCodes(queries, left, refused);
    for (const [rowIndex, draft] of left) if (isLeft(rowIndex)) resolution.warnings.add(codeWarning(draft, options));
  }
  let [pets, held] = [0, 0];
  for (let rowIndex = 0; rowIndex < total; rowIndex += 1) {
    const category = facts.spellings[facts.categories.at(rowIndex) - 1];
    if (category === undefined || !isLeft(rowIndex)) continue;
    const line = facts.lines.at(rowIndex);
    const problem = await problemOf({ category, line });
    if (problem) {
      refused.addProvisional({ rowIndex, error: categoryError(line, category, problem) });
      continue;
    }
    pets += 1;
    if (facts.held.has(rowIndex)) held += 1;
  }
  // A new category has an entry too, and a pet on hold a second one.
  const rows = { applied: pets, unchanged: 0, alreadyApplied: total - pets - refused.count(), entries: resolution.newCategories.size + pets + held };
  const errors = refused.first();
  const batchId = await recordBatch(tx, run, rows, errors);
  const report = reportOf(run, rows, batchId, errors, resolution.warnings.inReport());
  if (refusesAll(options, refused.count())) return { report, created: undefined };
  const created: Created = { wasApplied, lastIdBefore: await highestId(queries, 'pets') };
  await createPets(queries, staged.blocks(), { engine, batchId, facts, isLeft, categories: await createCategories(tx, resolution, batchId) });
  const stamp = { at: tx.now, actor: caller.actor, source: 'import', note: options.note } as const;
  await insertCodes(queries, codesLeft(codes, isLeft, created.lastIdBefore), { engine, batchId, stamp });
  return { report, created };
}

/** Imports a pet file: read and staged without a lock on the shop, created in one short transaction. */
export async function importPetFile(engine: Engine, caller: Caller, { bytes, ...source }: ImportFile, options: PetImportOptions): Promise<ImportReport> {
  const kept = options.onRejected || options.onRow ? storedFile() : undefined;
  const refused = refusedRows();
  const staged = rowFile<StagedPet>();
  const codes = storedCodes(source.name);
  try {
    const { sha256, ...read } = await readFile({ ...source, bytes: kept ? kept.tee(bytes) : bytes }, options, { staged, codes, refused });
    const file = identifyFile('pets', sha256, { ...options, map: source.map }, { key: options.key, caller });
    const run: Import = { engine, caller, options, appliesOnce: true, ...read, file, staged, codes, refused };
    options.signal?.throwIfAborted();
    const { report, created } = await engine.write((queries) => apply(run, queries), { dryRun: options.dryRun });
    await updateStatistics(engine, report);
    if (kept && !report.earlier) await reportRows(kept, source, refused, created, options);
    return report;
  } finally {
    for (const one of [staged, codes, refused, kept]) one?.close();
  }
}
