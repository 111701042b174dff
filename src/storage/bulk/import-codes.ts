import type { Caller } from '../../domain/caller.js';
import { codeKey } from '../../domain/codes/code.js';
import { checkCodeRow, codePetCells, codeRowColumns, codeWarning, type CodeDraft } from '../../domain/imports/code-row.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import { refusesAll, type ImportOptions } from '../../domain/imports/import-options.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import { planCode } from '../../domain/imports/plan-codes.js';
import { openRows } from '../../formats/reader.js';
import { storedFile } from '../../formats/stored-file.js';
import type { Engine } from '../engine.js';
import type { Queries, WriteQueries } from '../queries.js';
import { insertCodes, shopCodesOf } from './batch-codes.js';
import { beginImport, hashed, identifyFile, recordBatch, repeatedReport, reportOf, rowWarnings, updateStatistics, type ReadImport } from './import-batch.js';
import { readAgain, refusedRows, rejectColumns, type ImportColumns } from './refused-rows.js';
import { rowSet } from './row-set.js';
import { petLookUps, petReader, type PetLookUps } from './pet-look-ups.js';
import { storedCodes, type StoredCode } from './stored-codes.js';

const columns: ImportColumns = {
  columns: codeRowColumns,
  required: [['petId', 'name'], 'code'],
  ignored: rejectColumns,
  unknownColumns: 'ignore',
};

/** A file of codes that was read. */
interface ReadFile {
  readonly total: number;
  /** Rows without a code, which change nothing. */
  readonly blank: number;
  readonly sha256: string;
  readonly warnings: ReturnType<typeof rowWarnings>;
  readonly lookUps: PetLookUps;
}

/** Reads a file of codes. Names and codes of pets are looked up here; whether the pets exist is checked with the lock. */
async function readFile(
  { engine, caller, options, codes, refused }: Pick<Import, 'engine' | 'caller' | 'options' | 'codes' | 'refused'>,
  { bytes, ...source }: ImportFile,
): Promise<ReadFile> {
  const passing = hashed(bytes);
  const file = await openRows(passing.bytes, { ...source, ...columns, encoding: options.encoding, signal: options.signal });
  const warnings = rowWarnings();
  const lookUps = petLookUps(engine);
  let [total, blank] = [0, 0];
  for await (const rows of file.chunks()) {
    const readPet = await petReader(lookUps.read, caller, rows, codePetCells);
    for (const row of rows) {
      const checked = checkCodeRow(row, readPet);
      if (checked === undefined) blank += 1;
      else if ('message' in checked) refused.add({ rowIndex: total, error: checked });
      else {
        codes.add(total, [checked]);
        warnings.add(codeWarning(checked, options));
      }
      total += 1;
    }
  }
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  codes.refuseGivenTwice((rowIndex, error) => refused.add({ rowIndex, error }));
  return { total, blank, sha256: passing.sha256(), warnings, lookUps };
}

interface Import extends ReadImport {
  readonly codes: ReturnType<typeof storedCodes>;
  readonly read: ReadFile;
}

/** The codes of some rows in blocks, in the order of the file. */
function* codesIn({ codes }: Pick<Import, 'codes'>, isWanted: (rowIndex: number) => boolean): Generator<readonly StoredCode[], void> {
  for (const block of codes.blocks()) yield block.filter(([rowIndex]) => isWanted(rowIndex));
}

function* draftsOf(blocks: Iterable<readonly StoredCode[]>): Generator<readonly CodeDraft[], void> {
  for (const block of blocks) yield block.map(([, draft]) => draft);
}

function firstAmong(blocks: Iterable<readonly CodeDraft[]>, petIds: ReadonlySet<number>): number | undefined {
  for (const block of blocks) {
    const found = block.find(({ petId }) => petIds.has(petId));
    if (found !== undefined) return found.petId;
  }
  return undefined;
}

/** The rows whose codes are added, and the number of those whose codes their pets have already; the others are refused. */
async function plan(queries: Queries, { codes, refused }: Import, blocks: Iterable<readonly StoredCode[]>) {
  const added = rowSet();
  const addedTo = new Map<number, number>();
  /** The added codes that may follow again. */
  const seen = new Set<string>();
  let unchanged = 0;
  for (const some of blocks) {
    const known = await shopCodesOf(
      queries,
      some.map(([, draft]) => draft),
      addedTo,
    );
    for (const [rowIndex, draft] of some) {
      const key = codeKey(draft.code);
      const outcome = seen.has(key) ? 'unchanged' : planCode(draft, known);
      if (outcome === 'added') {
        added.add(rowIndex);
        if (codes.mayRepeat(draft.code)) seen.add(key);
        addedTo.set(draft.petId, (addedTo.get(draft.petId) ?? 0) + 1);
      } else if (outcome === 'unchanged') unchanged += 1;
      else refused.addProvisional({ rowIndex, error: outcome });
    }
  }
  return { added, unchanged };
}

/** Checks and adds the codes inside the write transaction, and builds the report. */
async function apply(run: Import, queries: WriteQueries): Promise<ImportReport> {
  const { engine, options, read, refused, total } = run;
  // Refusals of an earlier attempt of this transaction no longer count.
  refused.clearProvisional();
  const { tx, earlier } = await beginImport(run, queries);
  if (earlier.complete) return repeatedReport(earlier.complete, options);
  const isLeft = (rowIndex: number): boolean => !refused.has(rowIndex) && !earlier.wasApplied(rowIndex);
  await read.lookUps.refuseMoved(queries, (petIds) => firstAmong(draftsOf(codesIn(run, isLeft)), petIds));
  const { added, unchanged } = await plan(queries, run, codesIn(run, isLeft));
  const applied = added.size();
  const alreadyApplied = total - read.blank - refused.count() - applied - unchanged;
  const rows = { applied, unchanged: unchanged + read.blank, alreadyApplied, entries: applied };
  const errors = refused.first();
  const batchId = await recordBatch(tx, run, rows, errors);
  if (!refusesAll(options, refused.count())) await insertCodes(queries, draftsOf(codesIn(run, added.has)), { engine, batchId });
  return reportOf(run, rows, batchId, errors, read.warnings.inReport());
}

/** Imports a file of codes: read without a lock on the shop, checked and added in one write transaction. */
export async function importCodeFile(engine: Engine, caller: Caller, { bytes, ...source }: ImportFile, options: ImportOptions): Promise<ImportReport> {
  const kept = options.onRejected ? storedFile() : undefined;
  const refused = refusedRows();
  const codes = storedCodes(source.name);
  try {
    const read = await readFile({ engine, caller, options, codes, refused }, { ...source, bytes: kept ? kept.tee(bytes) : bytes });
    const file = identifyFile('codes', read.sha256, { ...options, map: source.map }, { key: options.key, caller });
    options.signal?.throwIfAborted();
    // A repeated file changes nothing, so only one with a key is remembered.
    const run: Import = { engine, caller, options, appliesOnce: options.key !== undefined, total: read.total, codes, read, file, refused };
    const report = await engine.write((queries) => apply(run, queries), { dryRun: options.dryRun });
    await updateStatistics(engine, report);
    if (kept && !report.earlier) await readAgain(kept, source, { ...columns, encoding: options.encoding, refused, onRejected: options.onRejected });
    return report;
  } finally {
    for (const one of [codes, refused, kept]) one?.close();
  }
}
