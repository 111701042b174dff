import type { Caller } from '../../domain/caller.js';
import { codeKey } from '../../domain/codes/code.js';
import { checkCodeRow, codePetCells, codeRowColumns, codeWarning, maximumCodeRows, type CodeDraft } from '../../domain/imports/code-row.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import { refusesAll, type ImportOptions } from '../../domain/imports/import-options.js';
import type { ImportReport } from '../../domain/imports/import-report.js';
import { codesGivenTwice, planCode } from '../../domain/imports/plan-codes.js';
import { openRows } from '../../formats/reader.js';
import { storedFile } from '../../formats/stored-file.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { checkStillValid } from '../token-keeper.js';
import { writeTransaction } from '../transactions.js';
import { inBlocks, insertCodes, shopCodesOf, tooMany } from './batch-codes.js';
import {
  findEarlierImport,
  hashed,
  identifyFile,
  noEarlierImport,
  recordBatch,
  repeatedReport,
  reportOf,
  rowWarnings,
  type ReadImport,
} from './earlier-import.js';
import { readAgain, refusedRows, rejectColumns, type ImportColumns, type RefusedRows } from './refused-rows.js';
import { petLookUps, petReader, type PetLookUps } from './stock-reading.js';

const columns: ImportColumns = {
  columns: codeRowColumns,
  required: [['petId', 'name'], 'code'],
  ignored: rejectColumns,
  unknownColumns: 'ignore',
};

/** A file of codes that was read: its valid rows by index, and what to check about them. */
interface ReadFile {
  readonly total: number;
  /** Rows without a code, which change nothing. */
  readonly blank: number;
  readonly sha256: string;
  readonly drafts: ReadonlyMap<number, CodeDraft>;
  readonly warnings: ReturnType<typeof rowWarnings>;
  readonly lookUps: PetLookUps;
}

/** Reads a file of codes. Names and codes of pets are looked up here; whether the pets exist is checked with the lock. */
async function readFile(engine: Engine, caller: Caller, { bytes, ...source }: ImportFile, options: ImportOptions, refused: RefusedRows): Promise<ReadFile> {
  const passing = hashed(bytes);
  const file = await openRows(passing.bytes, { ...source, ...columns, encoding: options.encoding, signal: options.signal });
  const drafts = new Map<number, CodeDraft>();
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
        // Copied: the code may be a slice that keeps a block of the file in memory.
        drafts.set(total, { ...checked, code: Buffer.from(checked.code).toString() });
        warnings.add(codeWarning(checked, options));
      }
      total += 1;
    }
    if (total > maximumCodeRows) throw tooMany(maximumCodeRows, 'codes', source.name);
  }
  if (file.unknown.length > 0) options.onIgnored?.(file.unknown);
  codesGivenTwice(drafts, (rowIndex, error) => {
    refused.add({ rowIndex, error });
    drafts.delete(rowIndex);
  });
  return { total, blank, sha256: passing.sha256(), drafts, warnings, lookUps };
}

interface Import extends ReadImport {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly read: ReadFile;
}

/** The codes to add, in the order of the file, and the rows whose codes their pets have already; the others are refused. */
async function plan(queries: Queries, drafts: readonly (readonly [number, CodeDraft])[], refused: RefusedRows) {
  const added: CodeDraft[] = [];
  const addedTo = new Map<number, number>();
  const seen = new Set<string>();
  let unchanged = 0;
  for (const some of inBlocks(drafts)) {
    const known = await shopCodesOf(
      queries,
      some.map(([, draft]) => draft),
      addedTo,
    );
    for (const [rowIndex, draft] of some) {
      const key = codeKey(draft.code);
      const outcome = seen.has(key) ? 'unchanged' : planCode(draft, known);
      if (outcome === 'added') {
        added.push(draft);
        seen.add(key);
        addedTo.set(draft.petId, (addedTo.get(draft.petId) ?? 0) + 1);
      } else if (outcome === 'unchanged') unchanged += 1;
      else refused.addProvisional({ rowIndex, error: outcome });
    }
  }
  return { added, unchanged };
}

/** Checks and adds the codes inside the write transaction, and builds the report. */
async function apply(run: Import, queries: Queries): Promise<ImportReport> {
  const { engine, caller, options, read, file, refused } = run;
  // Refusals of an earlier attempt of this transaction no longer count.
  refused.clearProvisional();
  await checkStillValid(queries, caller);
  const tx = writeTransaction(queries, { ...caller, source: 'import' }, { note: options.note });
  // A repeated file changes nothing, so only one with a key is remembered.
  const earlier = options.key === undefined ? noEarlierImport : await findEarlierImport(queries, caller, file);
  if (earlier.complete) return repeatedReport(earlier.complete, options);
  const isLeft = ([rowIndex]: readonly [number, CodeDraft]): boolean => earlier.batchId === undefined || !earlier.wasApplied(rowIndex);
  const left = [...read.drafts].filter(isLeft);
  await read.lookUps.refuseMoved(queries, (petIds) => left.find(([, { petId }]) => petIds.has(petId))?.[1].petId);
  const { added, unchanged } = await plan(queries, left, refused);
  const rows = { applied: added.length, unchanged: unchanged + read.blank, alreadyApplied: read.drafts.size - left.length, entries: added.length };
  const errors = refused.first();
  const batchId = await recordBatch(tx, run, rows, errors);
  if (!refusesAll(options, refused.count())) await insertCodes(queries, inBlocks(added), { engine, batchId });
  return reportOf(run, rows, batchId, errors, read.warnings.inReport());
}

/** Imports a file of codes: read without a lock on the shop, checked and added in one write transaction. */
export async function importCodeFile(engine: Engine, caller: Caller, { bytes, ...source }: ImportFile, options: ImportOptions): Promise<ImportReport> {
  const kept = options.onRejected ? storedFile() : undefined;
  const refused = refusedRows();
  try {
    const read = await readFile(engine, caller, { ...source, bytes: kept ? kept.tee(bytes) : bytes }, options, refused);
    const file = identifyFile('codes', read.sha256, { ...options, map: source.map }, { key: options.key, caller });
    options.signal?.throwIfAborted();
    const run: Import = { engine, caller, options, total: read.total, read, file, refused };
    const report = await engine.write((queries) => apply(run, queries), { dryRun: options.dryRun });
    if (kept && !report.earlier) await readAgain(kept, source, { ...columns, encoding: options.encoding, refused, onRejected: options.onRejected });
    return report;
  } finally {
    refused.close();
    kept?.close();
  }
}
