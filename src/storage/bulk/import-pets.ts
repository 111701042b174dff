import { takenText } from '../../domain/codes/add-code.js';
import { codeKey } from '../../domain/codes/code.js';
import { StoreError } from '../../domain/errors.js';
import { batchState } from '../../domain/imports/batch.js';
import { refusesAll } from '../../domain/imports/import-options.js';
import type { RowError } from '../../domain/imports/row-error.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportReport, RowResult } from '../../domain/imports/import-report.js';
import { baseName } from '../../domain/imports/file-name.js';
import { maximumCodeRows, type CodeDraft } from '../../domain/imports/code-row.js';
import { codesGivenTwice } from '../../domain/imports/plan-codes.js';
import { checkPetRow, maximumCategories, petRow, petRowColumns } from '../../domain/imports/pet-row.js';
import type { PetImportOptions } from '../../domain/imports/import-pets.js';
import { subjectOf } from '../../formats/fault.js';
import { openingQuantity } from '../../domain/pets/pet.js';
import { isOptional } from '../../domain/values/fields.js';
import { fold } from '../../domain/values/text.js';
import { openRows } from '../../formats/reader.js';
import type { Row } from '../../formats/rows.js';
import type { BulkPets } from './bulk-pets.js';
import type { StagedPet, StagedPets } from './bulk-port.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { codesTogether, insertCodes, tooManyCodes } from './batch-codes.js';
import { findEarlierImport, hashed, identifyFile, repeatedReport, type FileIdentity } from './earlier-import.js';
import { writeTransaction } from '../transactions.js';
import type { Caller } from '../../domain/caller.js';
import { createCategories, resolveCategories } from './pet-categories.js';
import { readAgain, refusedRows, rejectColumns, type ImportColumns, type RefusedRows } from './refused-rows.js';
import { storedFile, type StoredFile } from '../../formats/stored-file.js';
import { highestId } from '../tables/ids.js';
import { petNames } from '../tables/pet-table.js';
import { codesOf } from './stock-reading.js';
import { checkStillValid } from '../token-keeper.js';

const columns: ImportColumns = {
  columns: petRowColumns,
  required: petRowColumns.filter((column) => !isOptional(petRow.entries[column])),
  ignored: ['id', 'categoryId', ...rejectColumns],
  unknownColumns: 'ignore',
};

type Source = Omit<ImportFile, 'bytes'>;

function tooManyCategories(name = 'standard input'): StoreError {
  return new StoreError('validation_failed', `${subjectOf(name)} contains more than ${maximumCategories} categories.`, {
    advice: 'Split it into several files.',
  });
}

/** The codes of new pets, by the index of their rows; those that the file gives to two pets are refused, with their rows. */
interface NewCodes {
  readonly drafts: readonly (readonly [rowIndex: number, draft: CodeDraft])[];
  /** The rows that were staged before they were refused. */
  readonly staged: readonly number[];
}

function newCodes(drafts: NewCodes['drafts'], refused: RefusedRows): NewCodes {
  const errors = codesGivenTwice(drafts);
  for (const [rowIndex, error] of errors) refused.add({ rowIndex, error: { ...error, column: 'codes' } });
  return { drafts: drafts.filter(([rowIndex]) => !errors.has(rowIndex)), staged: [...errors.keys()].toSorted((left, right) => left - right) };
}

/** Reads a pet file; valid rows are staged, others refused. */
async function readFile(
  { bytes, ...source }: ImportFile,
  options: PetImportOptions,
  stage: BulkPets,
  refused: RefusedRows,
): Promise<{ readonly total: number; readonly sha256: string; readonly codes: NewCodes }> {
  const passing = hashed(bytes);
  const file = await openRows(passing.bytes, { ...source, ...columns, encoding: options.encoding, signal: options.signal });
  const named = new Set<string>();
  const codes: (readonly [number, CodeDraft])[] = [];
  let rowIndex = 0;
  for await (const rows of file.chunks()) {
    const good: StagedPet[] = [];
    for (const row of rows) {
      const checked = checkPetRow(row);
      if ('code' in checked) refused.add({ rowIndex, error: checked });
      else {
        const { name, category, status, quantity } = checked;
        if (!named.has(category)) {
          if (named.size === maximumCategories) throw tooManyCategories(source.name);
          // Copied: `category` may be a slice that keeps a much longer string in memory.
          named.add(Buffer.from(category).toString());
        }
        // Copied for the same reason.
        for (const { code, units } of checked.codes) codes.push([rowIndex, { line: checked.line, petId: rowIndex, code: Buffer.from(code).toString(), units }]);
        if (codes.length > maximumCodeRows) throw tooManyCodes(source.name);
        good.push({ draft: checked, rowIndex, folded: fold(name), hold: status === 'pending' ? 1 : 0, opening: openingQuantity(status, quantity) });
      }
      rowIndex += 1;
    }
    await stage.add(good);
  }
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  return { total: rowIndex, sha256: passing.sha256(), codes: newCodes(codes, refused) };
}

function* rowIndexesUpTo(total: number, wanted: (rowIndex: number) => boolean): Generator<number, void> {
  for (let rowIndex = 0; rowIndex < total; rowIndex += 1) if (wanted(rowIndex)) yield rowIndex;
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

interface Import {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly options: PetImportOptions;
  readonly total: number;
  readonly codes: NewCodes;
  readonly file: FileIdentity;
  readonly refused: RefusedRows;
}

/** Refuses the rows whose codes belong to pets of the shop; the first error of each row is kept. */
async function refuseTaken(queries: Queries, codes: NewCodes['drafts'], drafts: StagedPets, refused: RefusedRows): Promise<void> {
  const taken = new Map<number, RowError>();
  for (let from = 0; from < codes.length; from += codesTogether) {
    const some = codes.slice(from, from + codesTogether);
    const known = await codesOf(queries, [...new Set(some.map(([, { code }]) => codeKey(code)))].toSorted());
    const names = await petNames(queries, [...new Set([...known.values()].map(({ petId }) => petId))]);
    for (const [rowIndex, { line, code: value }] of some) {
      const found = known.get(codeKey(value));
      if (found === undefined || taken.has(rowIndex)) continue;
      taken.set(rowIndex, { line, column: 'codes', value, code: 'code_taken', message: takenText(found, names.get(found.petId) ?? '') });
    }
  }
  for (const [rowIndex, error] of taken) refused.addProvisional({ rowIndex, error });
  await drafts.remove(taken.keys());
}

/** The codes with the ids that their pets get: those of the rows that are left, one after the other. */
function codesOfCreated(codes: NewCodes['drafts'], isCreated: (rowIndex: number) => boolean, last: number): readonly CodeDraft[] {
  let [next, petId] = [0, last];
  return codes.flatMap(([rowIndex, draft]) => {
    for (; next <= rowIndex; next += 1) if (isCreated(next)) petId += 1;
    return isCreated(rowIndex) ? [{ ...draft, petId }] : [];
  });
}

/** Checks inside the write transaction which pets to create, and builds the report. */
async function decide({ engine, caller, options, total, codes, file, refused }: Import, queries: Queries, drafts: StagedPets) {
  // Refusals of an earlier attempt of this transaction no longer count.
  refused.clearProvisional();
  await checkStillValid(queries, caller);
  const tx = await writeTransaction(queries, { ...caller, source: 'import' }, { note: options.note });
  const { complete, wasApplied, batchId: earlier } = await findEarlierImport(queries, caller, file);
  if (complete) return { report: repeatedReport(complete, options), wasApplied, creation: undefined };
  const alreadyApplied = earlier === undefined ? 0 : await drafts.keepOnly(rowIndexesUpTo(total, (rowIndex) => !wasApplied(rowIndex)));
  await drafts.remove(codes.staged);
  const left = codes.drafts.filter(([rowIndex]) => earlier === undefined || !wasApplied(rowIndex));
  await refuseTaken(queries, left, drafts, refused);
  const resolution = await resolveCategories(tx, drafts, { create: options.createCategories === true, refused });
  const rejected = refused.count();
  const isRefused = refusesAll(options, rejected);
  const { pets, held } = await drafts.count();
  const applied = isRefused ? 0 : pets;
  const state = batchState(applied, rejected);
  const counts = { total, applied, unchanged: 0, rejected };
  // A new category has an entry too, and a pet on hold a second one.
  const entries = isRefused ? 0 : resolution.newCategories.size + pets + held;
  const errors = refused.first();
  const batchId = await tx.batches.insert(
    { ...file, state, mode: options.mode, fileName: baseName(options.fileName), ...counts, entries },
    errors,
    refused.rowIndexes().toText(),
  );
  const { inexactMatches, inexactCount } = resolution;
  const report: ImportReport = {
    batch: options.dryRun === true ? null : batchId,
    dryRun: options.dryRun === true,
    mode: options.mode,
    ...counts,
    alreadyApplied,
    ...(inexactCount > 0 && { takenFor: inexactMatches, takenForOmitted: inexactCount - inexactMatches.length }),
    errors,
    errorsOmitted: rejected - errors.length,
  };
  if (isRefused) return { report, wasApplied, creation: undefined };
  const isRefusedRow = refused.rowIndexes();
  const isCreated = (rowIndex: number): boolean => !isRefusedRow.has(rowIndex) && (earlier === undefined || !wasApplied(rowIndex));
  const stamp = { at: tx.now, actor: caller.actor, source: 'import', note: options.note } as const;
  const next = (inside: Queries, last: number): Promise<void> => insertCodes(inside, codesOfCreated(left, isCreated, last), { engine, batchId, stamp });
  return { report, wasApplied, creation: { batchId, categories: await createCategories(tx, resolution, batchId), next } };
}

/** Imports a pet file: read and staged without a lock on the shop, created in one short transaction. */
export async function importPetFile(engine: Engine, caller: Caller, { bytes, ...source }: ImportFile, options: PetImportOptions): Promise<ImportReport> {
  const kept = options.onRejected || options.onRow ? storedFile() : undefined;
  const refused = refusedRows();
  const stage = await engine.bulkPets();
  try {
    const read = await readFile({ ...source, bytes: kept ? kept.tee(bytes) : bytes }, options, stage, refused);
    const known = identifyFile('pets', read.sha256, { ...options, map: source.map }, { key: options.key, caller });
    const run: Import = { engine, caller, options, total: read.total, codes: read.codes, file: known, refused };
    options.signal?.throwIfAborted();
    let report: ImportReport | undefined;
    let created: Created | undefined;
    await stage.create(
      async (queries, drafts) => {
        const { creation, wasApplied, ...decided } = await decide(run, queries, drafts);
        report = decided.report;
        created = creation && { wasApplied, lastIdBefore: await highestId(queries, 'pets') };
        return creation;
      },
      { dryRun: options.dryRun },
    );
    if (report === undefined) throw new Error('The import ended without a report.');
    if (kept && !report.earlier) await reportRows(kept, source, refused, created, options);
    return report;
  } finally {
    await stage.close();
    refused.close();
    kept?.close();
  }
}
