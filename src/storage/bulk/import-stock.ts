import { batchState } from '../../domain/imports/batch.js';
import type { BatchDraft } from '../../domain/imports/batch-table.js';
import { refusesAll } from '../../domain/imports/import-options.js';
import type { RowError } from '../../domain/imports/row-error.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportReport, RowResult } from '../../domain/imports/import-report.js';
import { baseName } from '../../domain/imports/file-name.js';
import { checkStockRow } from '../../domain/imports/stock-row.js';
import { withOrders, type StockChange } from '../../domain/imports/stock-change.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { Row } from '../../formats/reader.js';
import { confirmDurable } from './earlier-import.js';
import type { BulkOutcome } from './bulk-port.js';
import type { BulkStock } from './bulk-stock.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import { retry } from '../retry.js';
import { findEarlierImport, identifyFile, noEarlierImport, repeatedReport, type EarlierImport, type FileIdentity } from './earlier-import.js';
import { writeTransaction } from '../transactions.js';
import type { Caller } from '../../domain/caller.js';
import { readStockFile, type ReadFile, type RowStores } from './read-stock-file.js';
import { readAgain, refusedRows, type RefusedRows } from './refused-rows.js';
import { readingOf, stockPetReader } from './stock-reading.js';
import { rowChanges, type RowChange, type RowChanges } from './row-changes.js';
import { sortedStockRows } from './sorted-stock-rows.js';
import { storedFile, type StoredFile } from '../../formats/stored-file.js';
import { petNames } from '../tables/pet-table.js';
import { openOrdersOf } from '../tables/stock-table.js';
import { textFile } from './text-file.js';
import { checkStillValid } from '../token-keeper.js';

/** A concurrent import applied the same file between the check and the commit. */
class ConcurrentImportError extends Error {}

interface Import {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly options: StockImportOptions;
  readonly read: ReadFile;
  readonly file: FileIdentity;
  /** Whether rows that an earlier import of the file applied are not applied again. */
  readonly appliesOnce: boolean;
}

function batchOf({ read, file, options }: Import, outcome: BulkOutcome, refused: boolean): BatchDraft {
  const rejected = read.refused.count();
  const applied = refused ? 0 : outcome.applied;
  const unchanged = refused ? 0 : outcome.unchanged;
  const state = batchState(applied + unchanged, rejected);
  const entries = refused ? 0 : outcome.entries;
  return { ...file, state, mode: options.mode, fileName: baseName(options.fileName), total: read.total, applied, unchanged, rejected, entries };
}

/** The first errors; those of reserved units name the orders. */
async function firstErrors(queries: Queries, refused: RefusedRows): Promise<readonly RowError[]> {
  const errors = refused.first();
  const petIds = errors.flatMap(({ code, petId }) => (code === 'stock_reserved' && petId !== undefined ? [petId] : []));
  return withOrders(errors, await openOrdersOf(queries, [...new Set(petIds)]));
}

/** Records the batch, refused or not, and returns its id. */
async function record(
  run: Import,
  queries: Queries,
  outcome: BulkOutcome,
  earlier: EarlierImport,
): Promise<{ readonly batchId: number; readonly refused: boolean }> {
  const { caller, options, read, file, appliesOnce } = run;
  await checkStillValid(queries, caller);
  const tx = await writeTransaction(queries, { ...caller, source: 'import' }, { note: options.note });
  if (appliesOnce && (await findEarlierImport(queries, caller, file)).batchId !== earlier.batchId) throw new ConcurrentImportError();
  const refused = refusesAll(options, read.refused.count());
  const batchId = await tx.batches.insert(batchOf(run, outcome, refused), await firstErrors(queries, read.refused), read.refused.rowIndexes().toText());
  return { batchId, refused };
}

async function perform(run: Import, bulk: BulkStock, changes: RowChanges | undefined): Promise<ImportReport> {
  const { engine, caller, options, read, file, appliesOnce } = run;
  changes?.clear();
  const earlier = appliesOnce ? await engine.read((queries) => findEarlierImport(queries, caller, file)) : noEarlierImport;
  if (earlier.complete) {
    if (options.dryRun !== true) await confirmDurable(engine);
    return repeatedReport(earlier.complete, options);
  }
  const staged = await bulk.stage({
    kind: read.kind,
    stockRows: read.stockRows,
    policy: { allowShortage: options.allowShortage === true, onStale: options.onStale ?? 'fail' },
    refused: read.refused,
    wasApplied: earlier.batchId === undefined ? undefined : earlier.wasApplied,
    notes: read.notes,
    signal: options.signal,
    onChange: changes?.set,
  });
  const prepared = staged.applied + staged.unchanged + staged.alreadyApplied + read.refused.count();
  if (prepared !== read.total) throw new Error(`${read.total} rows were read, but ${prepared} of them were prepared.`);
  await preview(run, staged);
  options.signal?.throwIfAborted();
  let batch: number | null = null;
  let outcome = staged;
  if (options.dryRun !== true) {
    if (refusesAll(options, read.refused.count())) {
      batch = (await engine.write((queries) => record(run, queries, staged, earlier))).batchId;
    } else {
      outcome = await bulk.apply(async (queries, latest) => {
        const recorded = await record(run, queries, latest, earlier);
        batch = recorded.batchId;
        return recorded.refused ? undefined : { batchId: recorded.batchId };
      });
    }
  }
  return reportOf(run, outcome, batch);
}

/** Adds the names of the pets. */
async function withNames(engine: Engine, changes: BulkOutcome['changes']): Promise<readonly StockChange[]> {
  const ids = [...new Set(changes.map(({ petId }) => petId))];
  const names = await engine.read((queries) => petNames(queries, ids), { isRepeatable: true });
  return changes.map(({ petId, before, after }) => ({ petId, name: names.get(petId) ?? '', before, after }));
}

async function preview({ engine, options, read: { refused } }: Import, { changes, toZero, applied }: BulkOutcome): Promise<void> {
  if (options.onPreview === undefined) return;
  await options.onPreview({
    changes: await withNames(engine, changes),
    total: applied,
    toZero,
    errors: await engine.read((queries) => firstErrors(queries, refused)),
    rejected: refused.count(),
  });
}

async function reportOf({ engine, options, read }: Import, outcome: BulkOutcome, batch: number | null): Promise<ImportReport> {
  const rejected = read.refused.count();
  const all = refusesAll(options, rejected);
  const { applied, unchanged, alreadyApplied } = outcome;
  const errors = rejected === 0 ? [] : await engine.read((queries) => firstErrors(queries, read.refused));
  return {
    batch,
    dryRun: options.dryRun === true,
    mode: options.mode,
    total: read.total,
    applied: all ? 0 : applied,
    unchanged: all ? 0 : unchanged,
    rejected,
    alreadyApplied,
    notInFile: outcome.notInFile,
    ...(read.multiplied > 0 && { multiplied: read.multiplied }),
    ...(rejected > 0 && read.refused.conflictsOnly() && { conflictsOnly: true as const }),
    errors,
    errorsOmitted: rejected - errors.length,
  };
}

/** The result of one row. */
function resultOf({ line }: Row, petId: number | undefined, error: RowError | undefined, change: RowChange | undefined): RowResult {
  const outcome = change === undefined ? 'already_applied' : change.before === change.after ? 'unchanged' : 'applied';
  return { line, ...(petId !== undefined && { petId }), ...(error ? { outcome: 'rejected', error } : { outcome, ...change }) };
}

/** What is reported of each row: the changes of a file that was applied, and where it is read again. */
interface RowReport {
  readonly source: Omit<ImportFile, 'bytes'>;
  readonly kept: StoredFile;
  readonly rowChanges: RowChanges | undefined;
  /** False for a file that was refused as a whole. */
  readonly isApplied: boolean;
}

/** Reads the file a second time and reports each row, refused rows in their original form. */
async function reportRows({ engine, caller, options, read }: Import, { source, kept, rowChanges: stored, isApplied }: RowReport): Promise<void> {
  const { onRejected, onRow, onChanges } = options;
  const { refused } = read;
  await readAgain(kept, source, { ...readingOf(options), refused, onRejected }, async (rows, first) => {
    const changes: BulkOutcome['changes'][number][] = [];
    const readPetId = stored && (await stockPetReader(engine, caller, options, rows));
    for (const [index, row] of rows.entries()) {
      const error = refused.at(first + index);
      const checked = readPetId && checkStockRow(read.kind, row, readPetId);
      const petId = checked && 'petId' in checked ? checked.petId : undefined;
      const change = error ? undefined : stored?.at(first + index);
      if (error || isApplied) await onRow?.(resultOf(row, petId, error, change));
      if (isApplied && petId !== undefined && change && change.before !== change.after) changes.push({ petId, ...change });
    }
    if (onChanges && changes.length > 0) await onChanges(await withNames(engine, changes));
  });
}

/** Imports a stock file: read and evaluated without a lock on the shop, written in one short transaction. */
export async function importStockFile(engine: Engine, caller: Caller, { bytes, ...source }: ImportFile, options: StockImportOptions): Promise<ImportReport> {
  const reportsChanges = options.onRow !== undefined || options.onChanges !== undefined;
  const kept = options.onRejected || reportsChanges ? storedFile() : undefined;
  const rows: RowStores = {
    stockRows: sortedStockRows(),
    refused: refusedRows(),
    notes: textFile(),
  };
  const changes = reportsChanges ? rowChanges() : undefined;
  let bulk: BulkStock | undefined;
  try {
    const read = await readStockFile({ engine, caller }, { ...source, bytes: kept ? kept.tee(bytes) : bytes }, options, rows);
    // Repeating a count is harmless. A repeated adjustment changes the stock again, and so does a count that follows the stock; a
    // repeated count with expected quantities would be refused because of its own change.
    const appliesOnce = read.kind === 'adjust' || read.hasExpected || options.onStale === 'keep-difference' || options.key !== undefined;
    const known = identifyFile('stock', read.sha256, { ...options, match: read.match, map: source.map }, { key: options.key, caller });
    const run: Import = { engine, caller, options, read, file: known, appliesOnce };
    const opened = (bulk = await engine.bulkStock());
    const isContested = (error: unknown): boolean => error instanceof ConcurrentImportError;
    const report = await retry(() => perform(run, opened, changes), { deadlineMs: Infinity, isRetryable: isContested, firstMs: 1, longestMs: 1 });
    const isApplied = report.applied + report.unchanged > 0;
    if (kept && !report.earlier) await reportRows(run, { source, kept, rowChanges: changes, isApplied });
    return report;
  } finally {
    await bulk?.close();
    for (const one of [rows.stockRows, rows.refused, rows.notes, kept]) one?.close();
  }
}
