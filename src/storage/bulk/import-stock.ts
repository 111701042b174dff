import { refusesAll } from '../../domain/imports/import-options.js';
import type { RowError } from '../../domain/imports/row-error.js';
import type { ImportFile } from '../../domain/imports/import-file.js';
import type { ImportReport, RowResult } from '../../domain/imports/import-report.js';
import { checkStockRow } from '../../domain/imports/stock-row.js';
import { withOrders, type StockChange } from '../../domain/imports/stock-change.js';
import type { StockImportOptions } from '../../domain/imports/import-inventory.js';
import type { Row } from '../../formats/reader.js';
import type { BulkOutcome, BulkStockChange } from './stage-stock.js';
import { bulkStock, type BulkStock, type BulkStockWrite } from './bulk-stock.js';
import type { Engine } from '../engine.js';
import type { Queries } from '../queries.js';
import {
  beginImport,
  confirmDurable,
  earlierOf,
  identifyFile,
  recordBatch,
  repeatedReport,
  reportOf,
  updateStatistics,
  type EarlierImport,
  type ReadImport,
} from './import-batch.js';
import type { Caller } from '../../domain/caller.js';
import { readStockFile, type ReadFile, type RowStores } from './read-stock-file.js';
import { readAgain, refusedRows, type RefusedRows } from './refused-rows.js';
import { readingOf, stockPetReader } from './pet-look-ups.js';
import { rowChanges, type RowChange, type RowChanges } from './row-changes.js';
import { sortedStockRows, stockRowColumns, stockRowWidth, type SortedStockRows } from './sorted-stock-rows.js';
import { storedFile, type StoredFile } from '../../formats/stored-file.js';
import { petNames } from '../tables/pet-table.js';
import { openOrdersOf } from '../tables/stock-table.js';
import { textFile } from './text-file.js';

interface Import extends ReadImport {
  readonly options: StockImportOptions;
  readonly read: ReadFile;
}

const rowsPerRead = 1 << 11;

/** The first errors; those of reserved units name the orders. */
async function firstErrors(queries: Queries, refused: RefusedRows): Promise<readonly RowError[]> {
  const errors = refused.first();
  const petIds = errors.flatMap(({ code, petId }) => (code === 'stock_reserved' && petId !== undefined ? [petId] : []));
  return withOrders(errors, await openOrdersOf(queries, [...new Set(petIds)]));
}

/** The first pet of the rows that is one of these. */
function firstAmong(stockRows: SortedStockRows, petIds: ReadonlySet<number>): number | undefined {
  for (const block of stockRows.blocks(rowsPerRead)) {
    const found = block.find((petId, at) => at % stockRowWidth === stockRowColumns.petId && petIds.has(petId));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function refuseMoved({ lookUps, stockRows }: ReadFile, queries: Queries): Promise<void> {
  await lookUps.refuseMoved(queries, (petIds) => firstAmong(stockRows, petIds));
}

/** Records the batch, refused or not, and applies one that is not refused. */
async function apply(
  run: Import,
  { queries, evaluate, insert }: BulkStockWrite,
  changeAfter: (earlier: EarlierImport) => BulkStockChange,
): Promise<ImportReport> {
  const { options, read } = run;
  const { tx, earlier } = await beginImport(run, queries);
  if (earlier.complete) return repeatedReport(earlier.complete, options);
  await refuseMoved(read, queries);
  const outcome = await evaluate(changeAfter(earlier));
  const errors = await firstErrors(queries, read.refused);
  const batchId = await recordBatch(tx, run, outcome, errors);
  if (!refusesAll(options, read.refused.count())) await insert({ batchId });
  return stockReport(run, outcome, batchId, errors);
}

async function perform(run: Import, bulk: BulkStock, changes: RowChanges | undefined): Promise<ImportReport> {
  const { engine, options, read } = run;
  const changeOf = ({ batchId, wasApplied }: EarlierImport): BulkStockChange => {
    changes?.clear();
    const policy = { allowShortage: options.allowShortage === true, onStale: options.onStale ?? 'fail' } as const;
    const { kind, stockRows, refused, notes } = read;
    const applied = batchId === undefined ? undefined : wasApplied;
    return { kind, stockRows, refused, notes, policy, wasApplied: applied, signal: options.signal, onChange: changes?.set };
  };
  const earlier = await engine.read((queries) => earlierOf(run, queries));
  if (earlier.complete) {
    if (options.dryRun !== true) await confirmDurable(engine);
    return repeatedReport(earlier.complete, options);
  }
  const change = changeOf(earlier);
  const outcome = await bulk.evaluate(change);
  const prepared = outcome.applied + outcome.unchanged + outcome.alreadyApplied + read.refused.count();
  if (prepared !== read.total) throw new Error(`${read.total} rows were read, but ${prepared} of them were prepared.`);
  const errors = options.onPreview !== undefined || options.dryRun === true ? await engine.read((queries) => firstErrors(queries, read.refused)) : [];
  await preview(run, outcome, errors);
  options.signal?.throwIfAborted();
  if (options.dryRun === true) return stockReport(run, outcome, null, errors);
  // Not with the lock: a client may say that its preview was long ago.
  await engine.read((queries) => refuseMoved(read, queries));
  // The same change is not evaluated again, unless another import of the file was faster.
  return bulk.write((write) => apply(run, write, (now) => (now.batchId === earlier.batchId ? change : changeOf(now))));
}

/** Adds the names of the pets. */
async function withNames(engine: Engine, changes: BulkOutcome['changes']): Promise<readonly StockChange[]> {
  const ids = [...new Set(changes.map(({ petId }) => petId))];
  const names = await engine.read((queries) => petNames(queries, ids));
  return changes.map(({ petId, before, after }) => ({ petId, name: names.get(petId) ?? '', before, after }));
}

async function preview({ engine, options, read }: Import, { changes, toZero, applied }: BulkOutcome, errors: readonly RowError[]): Promise<void> {
  const { refused, lookUps } = read;
  await options.onPreview?.({
    changes: await withNames(engine, changes),
    total: applied,
    toZero,
    errors,
    rejected: refused.count(),
    ledgerId: lookUps.ledgerId(),
  });
}

function stockReport(run: Import, outcome: BulkOutcome, batch: number | null, errors: readonly RowError[]): ImportReport {
  const { multiplied } = run.read;
  return reportOf(run, outcome, batch, errors, { notInFile: outcome.notInFile, ...(multiplied > 0 && { multiplied }) });
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
    const readPetId = stored && (await stockPetReader(engine.read, caller, options, rows));
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
    const file = identifyFile('stock', read.sha256, { ...options, match: read.match, map: source.map }, { key: options.key, caller });
    const { total, refused } = read;
    const run: Import = { engine, caller, options, total, refused, read, file, appliesOnce };
    bulk = bulkStock(engine);
    const report = await perform(run, bulk, changes);
    await updateStatistics(engine, report);
    const isApplied = report.applied + report.unchanged > 0;
    if (kept && !report.earlier) await reportRows(run, { source, kept, rowChanges: changes, isApplied });
    return report;
  } finally {
    bulk?.close();
    for (const one of [rows.stockRows, rows.refused, rows.notes, kept]) one?.close();
  }
}
