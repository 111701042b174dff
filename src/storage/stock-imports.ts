import { StoreError } from '../domain/errors.js';
import { refusesAll, keptErrors, type Batch, type ImportFile, type ImportReport, type OriginalRow, type RowResult } from '../domain/imports.js';
import { checkStockRow, stockColumns, type StockImportOptions } from '../domain/stock-imports.js';
import { openRows, type RowFile } from '../formats/reader.js';
import type { Bulk, Engine, Outcome, Queries } from './engine.js';
import { digested, earlierRun, keyOf, repeated, type EarlierRun, type ImportColumns } from './imports.js';
import { readingOf, writingOf, type Worker } from './local.js';
import { refusedRows, type RefusedRows } from './refused-rows.js';
import { sortedFigures, type SortedFigures } from './runs.js';
import { spool, type Spool } from './spool.js';
import { petNames } from './tables/pets.js';

const columns: ImportColumns = { columns: stockColumns, required: ['petId'], ignored: ['name', 'category', 'status', 'promised'], unknownColumns: 'refuse' };

/** A file of figures that was read to its end. */
interface ReadFile {
  readonly kind: 'count' | 'adjust';
  readonly total: number;
  readonly sha256: string;
  readonly figures: SortedFigures;
  readonly refused: RefusedRows;
  readonly notes: ReadonlyMap<number, string>;
}

/** Whether a file counts or adjusts; refuses one that does neither or both. */
function kindOf({ present, format }: RowFile, name = 'standard input'): 'count' | 'adjust' {
  const adjusts = present.includes('delta');
  const counts = present.includes('quantity');
  if (adjusts && counts) {
    throw new StoreError('ambiguous_columns', `${name} has both a quantity and a delta column; keep the one that is meant.`, 'petstore help import');
  }
  if (!adjusts && !counts) {
    const what = format === 'csv' || format === 'tsv' ? 'column' : 'field';
    throw new StoreError('missing_column', `${name} has neither a quantity nor a delta ${what}.`, 'petstore help import');
  }
  return adjusts ? 'adjust' : 'count';
}

async function readFile({ bytes, ...source }: ImportFile, options: StockImportOptions): Promise<ReadFile> {
  const passing = digested(bytes);
  const file = await openRows(passing.bytes, { ...source, ...columns });
  const kind = kindOf(file, source.name);
  const figures = sortedFigures();
  const refused = refusedRows(options.onRejected !== undefined || options.onRow !== undefined);
  const notes = new Map<number, string>();
  let place = 0;
  for await (const rows of file.chunks()) {
    for (const row of rows) {
      const checked = checkStockRow(kind, row);
      if ('code' in checked) refused.add({ place, error: checked });
      else {
        figures.add(checked.petId, checked.value, checked.expected, checked.line, place);
        if (checked.note !== undefined) notes.set(checked.line, checked.note);
      }
      place += 1;
    }
  }
  return { kind, total: place, sha256: passing.sha256(), figures, refused, notes };
}

/** Somebody else applied the file between the look for an earlier run and the write. */
class Overtaken extends Error {}

interface Import {
  readonly engine: Engine;
  readonly worker: Worker;
  readonly options: StockImportOptions;
  readonly read: ReadFile;
  readonly key: string;
  /** Whether what came in under the key before must not come in again. */
  readonly once: boolean;
}

function batchOf({ read, key, options }: Import, outcome: Outcome, refused: boolean): Omit<Batch, 'id' | 'at' | 'actor' | 'note'> {
  const rejected = read.refused.count();
  const applied = refused ? 0 : outcome.applied;
  const unchanged = refused ? 0 : outcome.unchanged;
  const nothing = refused || (applied + unchanged === 0 && rejected > 0);
  const state = nothing ? 'refused' : rejected > 0 ? 'partial' : 'applied';
  return { kind: 'stock', state, key, sha256: read.sha256, mode: options.mode, total: read.total, applied, unchanged, rejected };
}

/** Records the batch and answers its id, which may be that of a refused one. */
async function record(run: Import, queries: Queries, outcome: Outcome, earlier: EarlierRun): Promise<{ readonly batchId: number; readonly refused: boolean }> {
  const { worker, options, read, key, once } = run;
  const tx = await writingOf(queries, { ...worker, source: 'import' }, { note: options.note });
  if (once && (await earlierRun(tx, 'stock', key, read.sha256)).batchId !== earlier.batchId) throw new Overtaken();
  const refused = refusesAll(options, read.refused.count());
  const batchId = await tx.batches.insert(batchOf(run, outcome, refused), read.refused.first(), read.refused.places().toText());
  return { batchId, refused };
}

async function perform(run: Import, bulk: Bulk, outcomes: Map<number, boolean> | undefined): Promise<ImportReport> {
  const { engine, options, read, key, once } = run;
  const earlier = once ? await engine.read((queries) => earlierRun(readingOf(queries), 'stock', key, read.sha256)) : freshRun;
  if (earlier.done) return repeated(earlier.done, options);
  const staged = await bulk.stage({
    kind: read.kind,
    figures: read.figures,
    policy: { allowShortage: options.allowShortage === true, onStale: options.onStale ?? 'fail' },
    refused: read.refused,
    skip: earlier.skip,
    notes: read.notes,
    onMove: outcomes && ((place, changed) => void outcomes.set(place, changed)),
  });
  let batch: number | null = null;
  let outcome = staged;
  if (options.dryRun !== true) {
    if (refusesAll(options, read.refused.count())) {
      batch = (await engine.write((queries) => record(run, queries, staged, earlier))).batchId;
    } else {
      outcome = await bulk.apply(async (queries, latest) => {
        const recorded = await record(run, queries, latest, earlier);
        batch = recorded.batchId;
        return recorded.refused ? undefined : recorded.batchId;
      });
    }
  }
  return reportOf(run, outcome, batch);
}

const freshRun: EarlierRun = { done: undefined, skip: () => false, batchId: undefined };

async function reportOf({ engine, options, read }: Import, outcome: Outcome, batch: number | null): Promise<ImportReport> {
  const rejected = read.refused.count();
  const all = refusesAll(options, rejected);
  const { applied, unchanged } = outcome;
  const errors = read.refused.first();
  const names = await engine.read((queries) => petNames(queries, outcome.changes.map(({ petId }) => petId)));
  const live = await engine.read((queries) => readingOf(queries).pets.count({}));
  return {
    batch,
    dryRun: options.dryRun === true,
    mode: options.mode,
    total: read.total,
    applied: all ? 0 : applied,
    unchanged: all ? 0 : unchanged,
    rejected,
    alreadyApplied: read.total - applied - unchanged - rejected,
    notInFile: live - outcome.pets,
    errors,
    errorsOmitted: Math.max(0, rejected - keptErrors),
    changes: outcome.changes.map((change) => ({ ...change, name: names.get(change.petId) ?? '' })),
    toZero: outcome.toZero,
    conflictsOnly: read.refused.conflictsOnly(),
  };
}

/** Reads the file once more to tell what became of its rows, with the refused ones as the file has them. */
async function tell({ onRejected, onRow }: StockImportOptions, source: Omit<ImportFile, 'bytes'>, kept: Spool, read: ReadFile, outcomes: ReadonlyMap<number, boolean>, applied: boolean): Promise<void> {
  const file = await openRows(kept.again(), { ...source, ...columns });
  let place = 0;
  for await (const rows of file.chunks()) {
    for (const row of rows) {
      const error = read.refused.at(place);
      if (error) onRejected?.(error, { format: file.format, header: file.header, original: row.original } satisfies OriginalRow);
      const checked = onRow && checkStockRow(read.kind, row);
      const petId = checked && 'petId' in checked ? checked.petId : undefined;
      const changed = outcomes.get(place);
      const outcome: RowResult['outcome'] = changed === undefined ? 'already_applied' : changed ? 'applied' : 'unchanged';
      if (error || applied) onRow?.({ line: row.line, ...(petId !== undefined && { petId }), ...(error ? { outcome: 'rejected', error } : { outcome }) });
      place += 1;
    }
  }
}

/** Applies a file of stock figures: read and worked out without locking the shop, written in one short transaction. */
export async function importStockFile(engine: Engine, worker: Worker, { bytes, ...source }: ImportFile, options: StockImportOptions): Promise<ImportReport> {
  const kept = options.onRejected || options.onRow ? spool() : undefined;
  const read = await readFile({ ...source, bytes: kept ? kept.tee(bytes) : bytes }, options);
  // A counted quantity may be applied again at will; a change must not be.
  const once = read.kind === 'adjust' || options.key !== undefined;
  const run: Import = { engine, worker, options, read, key: keyOf(read.sha256, source.map, options.key), once };
  const outcomes = options.onRow && new Map<number, boolean>();
  const bulk = await engine.bulk();
  try {
    const report = await perform(run, bulk, outcomes).catch((error: unknown) => {
      if (error instanceof Overtaken) return perform(run, bulk, outcomes);
      throw error;
    });
    if (kept && !report.earlier) await tell(options, source, kept, read, outcomes ?? new Map<number, boolean>(), report.applied + report.unchanged > 0);
    return report;
  } finally {
    bulk.close();
    read.figures.close();
    kept?.close();
  }
}
